/** Reads a stack's file: every fault of it in one error, before anything is registered. */
import * as pulumi from "@pulumi/pulumi";
import { type Fault, faulty, type Reading } from "./fault.ts";
import { isMap } from "./merge.ts";
import { type PlatformStack, readPlatform } from "./read-platform.ts";
import { readTeam, type TeamStack } from "./read-team.ts";
import { secretPaths } from "./secret-fields.ts";
import { openStackFile, type StackFile } from "./stack-file.ts";

/**
 * The configuration of the stack that runs.
 * @param folder the project's, where Pulumi.yaml is
 */
export async function readStackConfig(folder: string): Promise<PlatformStack | TeamStack> {
  const name = pulumi.getStack();
  const file = openStackFile(folder, name);
  const platform = configured("platform");
  const team = configured("team");
  if ((platform === undefined) === (team === undefined)) {
    const message = "needs exactly one of drawbridge:platform and drawbridge:team";
    throw faulty(name, [{ path: ["config"], message }], file);
  }
  const reading: Reading<PlatformStack | TeamStack> =
    platform !== undefined ? readPlatform(platform) : await readTeam(team);
  const faults = [...reading.faults, ...plainSecrets(file, { platform, team })];
  if (faults.length > 0) throw faulty(name, faults, file);
  return reading.stack;
}

/** A value of the configuration as it is, its secrets decrypted; they are marked again before they go anywhere. */
function configured(key: string): unknown {
  const text = pulumi.runtime.getConfig(`drawbridge:${key}`);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Secrets that anybody who reads the repository could read. */
function plainSecrets(file: StackFile | undefined, values: Record<string, unknown>): Fault[] {
  const paths = Object.entries(values).flatMap(([key, value]) =>
    isMap(value) ? secretPaths(value, [`drawbridge:${key}`]) : [],
  );
  return [...paths, ["drawbridge:hostKeySeed"], ["drawbridge:frpSeed"]]
    .filter((path) => file?.isPlain(path) ?? false)
    .map((path) => ({
      path,
      message:
        "is a secret in plain text; replace it by a new one, encrypted: pulumi config set --path --secret",
    }));
}
