/** What an authorizer may know of one host. */
import type { Input } from "../kit/input.ts";
import { configMap } from "../kubernetes/data.ts";
import { metadataOf } from "../kubernetes/manifest.ts";
import { declared } from "../kubernetes/objects.ts";
import type { Owner } from "../kubernetes/own-namespace.ts";
import { type PolicyRule, role, roleBinding, serviceAccountSubject } from "../kubernetes/rbac.ts";

interface Grant {
  readonly name: string;
  readonly data: Readonly<Record<string, Input<string> | undefined>>;
  readonly verbs: string[];
  /** What it may read besides, by name. */
  readonly also?: readonly PolicyRule[];
  readonly authorizer: { readonly name: Input<string>; readonly namespace: Input<string> };
}

/**
 * A grant is in the host's own namespace: a right to write there decides on that namespace's hosts and on no others, and
 * removing the host removes it. frp's authorizer and the egress gateway's have one each: RBAC lets read whole objects, so
 * of one with two sections each would learn what is only the other's, and a change of hosts would ring at frps.
 */
export function grantObjects(owner: Owner, { name, data, verbs, also = [], authorizer }: Grant) {
  const metadata = metadataOf(name, owner);
  // This one ConfigMap, by its name.
  const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: [name], verbs };
  const subject = serviceAccountSubject(authorizer.name, authorizer.namespace);
  return {
    grant: declared(configMap(name, owner, data)),
    role: declared(role(metadata, [rule, ...also])),
    binding: declared(roleBinding(metadata, [subject])),
  };
}
