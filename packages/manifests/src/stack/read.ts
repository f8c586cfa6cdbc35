/** Reads a stack's configuration: every fault of it at once, before anything is registered. */
import type { Fault, Reading } from "./fault.ts";
import { isMap } from "./merge.ts";
import type { YamlPath } from "./paths.ts";
import { type PlatformStack, readPlatform } from "./read-platform.ts";
import { readTeam, type TeamStack, type TeamSurroundings } from "./read-team.ts";
import { secretPaths } from "./secret-fields.ts";
import type { StackFile } from "./stack-file.ts";

/** The values of a stack's configuration, its secrets decrypted. */
export interface StackValues extends TeamSurroundings {
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
  if ((platform === undefined) === (team === undefined)) {
    const message = "needs exactly one of drawbridge:platform and drawbridge:team";
    return { stack: undefined as never, faults: [{ path: ["config"], message }] };
  }
  const { stack, faults }: Reading<PlatformStack | TeamStack> =
    platform !== undefined ? readPlatform(platform, values.frpSeed) : await readTeam(team, values);
  return { stack, faults: [...faults, ...plainSecrets(file, { platform, team })] };
}

/** Secrets that anybody who reads the repository could read. */
function plainSecrets(file: StackFile | undefined, values: Record<string, unknown>): Fault[] {
  const paths = Object.entries(values).flatMap(([key, value]) =>
    isMap(value) ? secretPaths(value, [`drawbridge:${key}`]) : [],
  );
  return [...paths, ...secrets]
    .filter((path) => file?.isPlain(path) ?? false)
    .map((path) => ({
      path,
      message:
        "is a secret in plain text; replace it by a new one, encrypted: pulumi config set --path --secret",
    }));
}
