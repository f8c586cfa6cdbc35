/** Faults that show only when fields of a storage's arguments are seen together. */

import { checkPodMetadata } from "../istio/data-plane.ts";
import { differ, nameOf } from "../kit/placed.ts";
import { across, type RaiseFault } from "../kit/schema.ts";
import { checkVariables } from "../kubernetes/pod.ts";
import { checkResources } from "../kubernetes/resources.ts";
import { type StorageAccessorParsed, storageAccessorFields } from "./args.ts";

type Args = Partial<StorageAccessorParsed>;

export const storageAccessorSchema = across(storageAccessorFields, checkStorage);

function checkStorage(args: Args, fault: RaiseFault): void {
  if (args.claimName !== undefined && args.storageClassName !== undefined) {
    fault(["storageClassName"], "class-of-existing-claim", { claim: nameOf(args.claimName) });
  }
  checkPodMetadata(args, fault);
  preparation(args, fault);
  checkResources(["prepare", "resources"], args.prepare?.resources, fault);
  checkResources(["browse", "resources"], args.browse?.resources, fault);
  if (args.browse !== undefined) browsing(args.browse, args.accessMode, fault);
}

function preparation({ namespace, prepare }: Args, fault: RaiseFault): void {
  checkVariables(["prepare"], { env: prepare?.env, secretEnv: prepare?.secretEnv }, fault);
  const source = prepare?.copyFrom;
  if (source === undefined) return;
  if (prepare?.command !== undefined || prepare?.args !== undefined) fault(["prepare"], "copy-and-command");
  if (differ(source?.namespace, namespace)) {
    fault(["prepare", "copyFrom", "namespace"], "copy-from-other-namespace", {
      from: source?.namespace,
      namespace,
    });
  }
}

function browsing(
  browse: NonNullable<Args["browse"]>,
  accessMode: string | undefined,
  fault: RaiseFault,
): void {
  if (browse.enabled === false) return;
  const credentials = Array.isArray(browse.credentials) ? browse.credentials : [];
  const actions = Array.isArray(browse.actions) ? browse.actions : [];
  if (credentials.length === 0 && browse.jwt === undefined) fault(["browse"], "browse-lets-nobody-in");
  if (accessMode === "ReadWriteOncePod") fault(["accessMode"], "browse-locks-out");
  const writes = actions.includes("upload") || actions.includes("delete");
  credentials.forEach((credential, index) => {
    if (credential?.write === true && !writes)
      fault(["browse", "credentials", index, "write"], "write-without-action");
    const first = credentials.findIndex((other) => other?.user === credential?.user);
    if (first < index) {
      fault(["browse", "credentials", index, "user"], "user-twice", { user: credential?.user, first });
    }
  });
  if (browse.jwt?.write === true && !writes) fault(["browse", "jwt", "write"], "write-without-action");
  const duplicate = actions.find((action, index) => actions.indexOf(action) < index);
  if (duplicate !== undefined) fault(["browse", "actions"], "action-twice", { duplicate });
}
