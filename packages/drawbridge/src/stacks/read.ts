/** Reads a stack's configuration: every fault of it at once, before anything is registered. */
import { listed, orMeant } from "../kit/fault.ts";
import { Secret } from "../kit/secret.ts";
import { nearest } from "../kit/suggestion.ts";
import { type LocatedFault, located, type Reading, type StackFault } from "./fault.ts";
import { type PlatformStack, readPlatform, unknownOutputs } from "./read-platform.ts";
import { readTeam, type TeamStack, type TeamSurroundings } from "./read-team.ts";
import { exposedSecrets, plainSecrets, sealed } from "./secrets.ts";
import type { StackFile } from "./stack-file.ts";
import { asMap, showPath } from "./yaml.ts";

/** The values of a stack's configuration, each secret in it a `Secret`. */
interface StackValues extends TeamSurroundings {
  readonly platform: unknown;
  readonly team: unknown;
  readonly frpSeed: Secret | undefined;
  readonly imageRegistry?: unknown;
}

/** @param file undefined where the configuration comes from elsewhere */
export async function readStack(
  values: StackValues,
  file: StackFile | undefined,
): Promise<Reading<PlatformStack | TeamStack>> {
  const { platform, team } = values;
  const unknown = unknownKeys(file);
  const isMisspelt = unknown.some(({ meant }) => meant !== undefined);
  if (platform === undefined && team === undefined && isMisspelt) {
    return { stack: undefined as never, faults: unknown };
  }
  if ((platform === undefined) === (team === undefined)) {
    const fault = {
      path: ["config"],
      message: "needs exactly one of drawbridge:platform and drawbridge:team",
    };
    return { stack: undefined as never, faults: [...unknown, fault] };
  }
  const { stack, faults }: Reading<PlatformStack | TeamStack> =
    platform !== undefined ? readPlatform(platform, values.frpSeed) : await readTeam(team, values);
  const given = {
    "drawbridge:platform": platform,
    "drawbridge:team": team,
    "drawbridge:imageRegistry": values.imageRegistry,
  };
  const plain = plainSecrets(file, given);
  // A secret that everybody can read has to be replaced, whatever else is wrong with it.
  const isPlain = ({ path }: StackFault) => plain.some((secret) => showPath(secret.path) === showPath(path));
  const others = faults.filter((fault) => !isPlain(fault));
  return { stack, faults: [...unknown, ...others, ...plain, ...exposedSecrets(given)] };
}

const keys = ["platform", "team", "hostKeySeed", "frpSeed", "imageRegistry"].map(
  (key) => `drawbridge:${key}`,
);

function unknownKeys(file: StackFile | undefined): StackFault[] {
  return (file?.keys ?? [])
    .filter((key) => key.startsWith("drawbridge:") && !keys.includes(key))
    .map((key) => {
      const meant = nearest(key, keys);
      const message = `is not a key of drawbridge${orMeant(meant, `; known: ${listed(keys)}`)}`;
      return { path: [key], message, meant };
    });
}

/**
 * The faults that the program would find, without Pulumi, the secrets or the platform's state. A secret is taken for right, whatever it is, and whether or not it is set yet:
 * a seed may come from elsewhere, such as an environment of Pulumi's.
 * @param config the file's `config`, as plain data
 */
export async function checkStackConfig(config: unknown, file: StackFile): Promise<LocatedFault[]> {
  const plain = asMap(sealed(config));
  const values = {
    platform: plain["drawbridge:platform"],
    team: plain["drawbridge:team"],
    hostKeySeed: new Secret(),
    frpSeed: new Secret(),
    imageRegistry: plain["drawbridge:imageRegistry"],
    platformOutputs: async () => unknownOutputs,
  };
  const { faults } = await readStack(values, file);
  return located(faults, file);
}
