/** Plans for the unit tests of this folder. */
import { parseArgs } from "../kit/args-error.ts";
import type { StorageAccessorInput } from "./args.ts";
import { storageAccessorSchema } from "./args-checks.ts";
import { type KnownStoragePlan, planStorage } from "./plan.ts";

export const proxy = { name: "files", namespace: "web" };
export const credentials = [{ user: "alice", password: "correct-horse-battery" }];
export const jwt = { issuer: "https://id.example.com", jwks: '{"keys":[{}]}', values: ["team-a"] };

/** The plan of storage `models`. */
export const planOf = (args: Partial<StorageAccessorInput> = {}) =>
  planStorage(
    "models",
    parseArgs("StorageAccessor", "models", storageAccessorSchema, { namespace: "team-a", ...args }),
  ) as KnownStoragePlan;
