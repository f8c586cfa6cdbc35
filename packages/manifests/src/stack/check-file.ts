/** Checks a stack's file as the program would, without Pulumi, the secrets or the platform's state. */

import { isExposure } from "../common/secret-fields.ts";
import { type LocatedFault, located } from "./fault.ts";
import { readStack } from "./read.ts";
import { unknownOutputs } from "./read-platform.ts";
import { standInSecret } from "./schema.ts";
import { encryptedIn, type StackFile } from "./stack-file.ts";
import { asMap, isEncrypted, isMap, startsWith } from "./yaml.ts";

/**
 * The faults that the program would find. A secret is taken for right, whatever it is, and whether or not it is set yet:
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
