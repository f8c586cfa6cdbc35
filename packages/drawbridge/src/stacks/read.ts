/** Reads a stack's configuration: every fault of it at once, before anything is registered. */
import { wrong } from "../kit/fault.ts";
import { exposed, isExposure, isSecretField, secretPaths } from "../kit/secret-fields.ts";
import { nearest } from "../kit/suggestion.ts";
import { type LocatedFault, located, type Reading, type StackFault } from "./fault.ts";
import { type PlatformStack, readPlatform, unknownOutputs } from "./read-platform.ts";
import { readTeam, type TeamStack, type TeamSurroundings } from "./read-team.ts";
import { standInSecret } from "./schema.ts";
import { encryptedIn, type StackFile } from "./stack-file.ts";
import { asMap, isEncrypted, isMap, showPath, startsWith, type YamlPath } from "./yaml.ts";

/** The values of a stack's configuration, its secrets decrypted. */
interface StackValues extends TeamSurroundings {
  readonly platform: unknown;
  readonly team: unknown;
  readonly frpSeed: string | undefined;
}

const secrets: readonly YamlPath[] = [["drawbridge:hostKeySeed"], ["drawbridge:frpSeed"]];

/** @param file undefined where the configuration comes from elsewhere */
export async function readStack(
  values: StackValues,
  file: StackFile | undefined,
): Promise<Reading<PlatformStack | TeamStack>> {
  const { platform, team } = values;
  const unknown = unknownKeys(file);
  const isMisspelt = unknown.some(({ params }) => params.meant !== undefined);
  if (platform === undefined && team === undefined && isMisspelt) {
    return { stack: undefined as never, faults: unknown };
  }
  if ((platform === undefined) === (team === undefined)) {
    const fault = { path: ["config"], ...wrong("platform-or-team") };
    return { stack: undefined as never, faults: [...unknown, fault] };
  }
  const { stack, faults }: Reading<PlatformStack | TeamStack> =
    platform !== undefined ? readPlatform(platform, values.frpSeed) : await readTeam(team, values);
  const plain = plainSecrets(file, { platform, team });
  // A secret that everybody can read has to be replaced, whatever else is wrong with it.
  const isPlain = ({ path }: StackFault) => plain.some((secret) => showPath(secret.path) === showPath(path));
  const others = faults.filter((fault) => !isPlain(fault));
  // What is misspelt or of another type may have been meant for a place that takes it.
  const open = exposedSecrets(file).filter(({ path }) => !others.some((fault) => isAt(fault, path)));
  return { stack, faults: [...unknown, ...others, ...plain, ...open] };
}

const keys = ["platform", "team", "hostKeySeed", "frpSeed", "imageRegistry"].map(
  (key) => `drawbridge:${key}`,
);

function unknownKeys(file: StackFile | undefined): StackFault[] {
  return (file?.keys ?? [])
    .filter((key) => key.startsWith("drawbridge:") && !keys.includes(key))
    .map((key) => ({
      path: [key],
      ...wrong("unknown-config-key", { known: keys, meant: nearest(key, keys) }),
    }));
}

/** Whether a place is what a fault is about, or in it. */
function isAt({ path, code, params }: StackFault, place: YamlPath): boolean {
  return startsWith(place, code === "unknown-key" ? [...path, String(params.key)] : path);
}

/** Secrets that anybody who reads the cluster could read. */
function exposedSecrets(file: StackFile | undefined): StackFault[] {
  return (file?.encrypted() ?? [])
    .filter(
      ([key, ...below]) => /:(platform|team)$/.test(String(key)) && below.length > 0 && !isSecretField(below),
    )
    .map((path) => ({ path, ...exposed(path) }));
}

/** Secrets that anybody who reads the repository could read. */
function plainSecrets(file: StackFile | undefined, values: Record<string, unknown>): StackFault[] {
  const paths = Object.entries(values).flatMap(([key, value]) =>
    isMap(value) ? secretPaths(value, [`drawbridge:${key}`]) : [],
  );
  return [...paths, ...secrets]
    .filter((path) => file?.isPlain(path) ?? false)
    .map((path) => ({ path, ...wrong("secret-in-plain-text") }));
}

/**
 * The faults that the program would find, without Pulumi, the secrets or the platform's state. A secret is taken for right, whatever it is, and whether or not it is set yet:
 * a seed may come from elsewhere, such as an environment of Pulumi's.
 * @param config the file's `config`, as plain data
 */
export async function checkStackConfig(config: unknown, file: StackFile): Promise<LocatedFault[]> {
  const plain = asMap(withoutSecrets(config));
  const values = {
    platform: plain["drawbridge:platform"],
    team: plain["drawbridge:team"],
    hostKeySeed: standInSecret,
    frpSeed: standInSecret,
    platformOutputs: async () => unknownOutputs,
  };
  const { faults } = await readStack(values, file);
  const secure = encryptedIn(config);
  return located(
    faults.filter((fault) => isExposure(fault) || !secure.some((path) => startsWith(fault.path, path))),
    file,
  );
}

/** The same data with each encrypted value replaced. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  if (isEncrypted(value)) return standInSecret;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)]));
}
