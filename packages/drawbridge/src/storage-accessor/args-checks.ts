/** Faults that show only when fields of a storage's arguments are seen together. */

import { checkPodMetadata } from "../istio/data-plane.ts";
import { differ, known, knownItems, knownList, nameOf, same } from "../kit/input.ts";
import { across, type RaiseFault } from "../kit/schema.ts";
import { checkVariables } from "../kubernetes/pod.ts";
import { checkResources } from "../kubernetes/resources.ts";
import { type StorageAccessorParsed, storageAccessorFields } from "./args.ts";

type Args = Partial<StorageAccessorParsed>;

export const storageAccessorSchema = across(storageAccessorFields, checkStorage);

function checkStorage(args: Args, fault: RaiseFault): void {
  if (args.claimName !== undefined && args.storageClassName !== undefined) {
    fault`storageClassName: has no effect on the existing claim${nameOf(args.claimName)}; remove one of the two`;
  }
  checkPodMetadata(args.pod, fault);
  preparation(args, fault);
  checkResources(["prepare", "resources"], args.prepare?.resources, fault);
  checkResources(["browse", "resources"], args.browse?.resources, fault);
  if (args.browse !== undefined) browsing(args.browse, known(args.accessMode), fault);
}

function preparation({ namespace, prepare }: Args, fault: RaiseFault): void {
  checkVariables(["prepare"], { env: prepare?.env, secretEnv: prepare?.secretEnv }, fault);
  const source = prepare?.copyFrom;
  if (source === undefined) return;
  if (prepare?.command !== undefined || prepare?.args !== undefined)
    fault`prepare: has both copyFrom and a command; copy first, then run the command under another revision`;
  if (differ(source?.namespace, namespace)) {
    fault`prepare.copyFrom.namespace: is "${source?.namespace}", but a pod can mount volumes of its own namespace only; copy from a storage in "${namespace}"`;
  }
}

function browsing(
  browse: NonNullable<Args["browse"]>,
  accessMode: string | undefined,
  fault: RaiseFault,
): void {
  if (browse.enabled === false) return;
  const credentials = Array.isArray(browse.credentials) ? browse.credentials : [];
  // What comes later may be anything.
  const actions = knownItems(browse.actions ?? []);
  const isWhole = knownList(browse.actions ?? []) !== undefined;
  if (credentials.length === 0 && browse.jwt === undefined)
    fault`browse: has no credential, so every visitor would be refused; set credentials, jwt or both, or set enabled: false`;
  if (accessMode === "ReadWriteOncePod")
    fault`accessMode: ReadWriteOncePod admits a single pod, so browsing would keep every container from mounting the volume; use ReadWriteOnce or ReadWriteMany, or leave browse out`;
  const writes = !isWhole || actions.includes("upload") || actions.includes("delete");
  const noAction = "has no effect: browse.actions holds neither upload nor delete";
  credentials.forEach((credential, index) => {
    if (known(credential?.write) === true && !writes) fault`browse.credentials[${index}].write: ${noAction}`;
    const first = credentials.slice(0, index).findIndex((other) => same(other?.user, credential?.user));
    if (first >= 0) {
      fault`browse.credentials[${index}].user: "${known(credential?.user)}" is in credentials[${first}] already; list each user once`;
    }
  });
  if (known(browse.jwt?.write) === true && !writes) fault`browse.jwt.write: ${noAction}`;
  const duplicate = actions.find((action, index) => actions.indexOf(action) < index);
  if (duplicate !== undefined) fault`browse.actions: names ${duplicate} twice; name each once`;
}
