/** Names that storages and the containers that mount them agree on. */
import { prefix } from "../common/labels.ts";
import { joinName } from "../common/names.ts";
import { type Placed, text } from "../common/placed.ts";
import { accessorSuffix } from "../storage-proxy/accessors.ts";

/** Longest name of a storage; with every suffix it stays a DNS label, so no name is ever cut. */
export const maximumStorageName = 50;

/** Where a storage stands at its proxy: `/storage/<namespace>/<name>`, without a slash at the end. */
export function storagePath(namespace: Placed<string>, name: string): Placed<string> {
  return text`/storage/${namespace}/${name}`;
}

/** Pods with the same value of this label share a node. */
export const nodeGroupLabel = `${prefix}/node-group`;

/**
 * Physical names of a storage's objects. The claim's name is where the data is: it never changes.
 * @param claim the existing claim to use; a new one where it is undefined
 * @param revision of the preparation: another one is another Job
 */
export function storageNames(name: string, claim: Placed<string> | undefined, revision: string) {
  return {
    claim: claim ?? joinName(name, "storage"),
    prepare: joinName(name, `prepare-${revision}`),
    // Secret with the values of the preparation's `secretEnv`.
    prepareEnv: joinName(name, "prepare-env"),
    accessor: joinName(name, accessorSuffix),
    credentials: joinName(name, "credentials"),
    tokenCheck: joinName(name, "token-check"),
  };
}
