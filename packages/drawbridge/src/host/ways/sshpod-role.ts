/** Rights for the sshpod way: who may enter which pods over the Kubernetes API. */

import type { Input } from "../../kit/input.ts";
import type { Subjects } from "../../kubernetes/args.ts";
import { type Manifest, type Metadata, metadataOf } from "../../kubernetes/manifest.ts";
import { type PolicyRule, peopleSubjects, role, roleBinding } from "../../kubernetes/rbac.ts";

/** What a Role of the sshpod way covers. */
interface SshpodRights {
  /**
   * The only pods it lets in to, for host names with `pod--`. Without it, every pod of the namespace: that is
   * what `deployment--` and `job--` need, whose pods have new names each time.
   */
  readonly pods?: readonly Input<string>[] | undefined;
  /** False where the pods have an sshd of their own, to which only a connection is needed. */
  readonly exec: boolean;
}

// A WebSocket is opened by GET; newer API servers ask for `create` besides, as they do for kubectl's older way.
const streaming = ["get", "create"];

export function sshpodRole({ pods, exec, ...named }: Metadata & SshpodRights): Manifest<"Role"> {
  return role(metadataOf(named.name, named), sshpodRules({ pods, exec }));
}

export function sshpodRules({ pods, exec }: SshpodRights): PolicyRule[] {
  const rule = (resource: string, verbs: string[]) => ({
    apiGroups: [""],
    resources: [resource],
    verbs,
    ...(pods === undefined ? {} : { resourceNames: [...pods] }),
  });
  const owners = [
    { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get"] },
    { apiGroups: ["batch"], resources: ["jobs"], verbs: ["get"] },
  ];
  return [
    rule("pods", pods === undefined ? ["get", "list"] : ["get"]),
    ...(exec ? [rule("pods/exec", streaming)] : []),
    rule("pods/portforward", streaming),
    ...(pods === undefined ? owners : []),
  ];
}

/** Gives a Role of the sshpod way to people. */
export function sshpodRoleBinding(named: Metadata, { users, groups }: Subjects): Manifest<"RoleBinding"> {
  return roleBinding(metadataOf(named.name, named), peopleSubjects(users, groups));
}
