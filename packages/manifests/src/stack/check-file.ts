/** Checks a stack's file as the program would, without Pulumi, the secrets or the platform's state. */

import { isExposure } from "../common/secret-fields.ts";
import { type LocatedFault, located, type StackFault } from "./fault.ts";
import { isMap } from "./merge.ts";
import type { YamlPath } from "./paths.ts";
import { unknownOutputs } from "./platform-outputs.ts";
import { readStack } from "./read.ts";
import type { StackFile } from "./stack-file.ts";

/** Stands for every secret: long enough for a seed or a password. */
const standIn = "x".repeat(32);

/**
 * The faults that the program would find. A secret is taken for right, whatever it is, and whether or not it is set yet:
 * a seed may come from elsewhere, such as an environment of Pulumi's.
 * @param config the file's `config`, as plain data
 */
export async function checkStackConfig(config: unknown, file: StackFile): Promise<LocatedFault[]> {
  const secure: YamlPath[] = [];
  const plain = withoutSecrets(isMap(config) ? config : {}, [], secure) as Record<string, unknown>;
  const values = {
    platform: plain["drawbridge:platform"],
    team: plain["drawbridge:team"],
    hostKeySeed: standIn,
    frpSeed: standIn,
    platformOutputs: async () => unknownOutputs,
  };
  const { faults } = await readStack(values, file);
  return located(
    faults.filter((fault) => isExposure(fault) || !secure.some((path) => isWithin(fault, path))),
    file,
  );
}

/** The same data with each `secure:` value replaced; their places come into `found`. */
function withoutSecrets(value: unknown, path: YamlPath, found: YamlPath[]): unknown {
  if (Array.isArray(value))
    return value.map((inner, index) => withoutSecrets(inner, [...path, index], found));
  if (!isMap(value)) return value;
  if (Object.keys(value).length === 1 && typeof value.secure === "string") {
    found.push(path);
    return standIn;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, [...path, key], found)]),
  );
}

function isWithin({ path }: StackFault, outer: YamlPath): boolean {
  return outer.every((part, index) => path[index] === part);
}
