/** Rights for the sshpod way: who may enter which pods over the Kubernetes API. */

import type { Subjects } from "../common/args.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { type PolicyRule, peopleSubjects, role, roleBinding } from "../common/rbac.ts";

/** What a Role of the sshpod way is called and covers. */
export interface SshpodRoleOptions {
  readonly name: string;
  readonly namespace: Placed<string>;
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * The only pods it lets in to, for host names with `pod--`. Without it, every pod of the namespace: that is
   * what `deployment--` and `job--` need, whose pods have new names each time.
   */
  readonly pods?: readonly Placed<string>[];
  /** False where the pods have an sshd of their own, to which only a connection is needed. */
  readonly exec: boolean;
}

// A WebSocket is opened by GET; newer API servers ask for `create` besides, as they do for kubectl's older way.
const streaming = ["get", "create"];

type Named = Pick<SshpodRoleOptions, "name" | "namespace" | "labels">;

export function sshpodRole({ pods, exec, ...named }: SshpodRoleOptions): Manifest<"Role"> {
  return role(metadata(named), sshpodRules({ pods, exec }));
}

export function sshpodRules({
  pods,
  exec,
}: Pick<SshpodRoleOptions, "exec"> & { pods?: readonly Placed<string>[] | undefined }): PolicyRule[] {
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
export function sshpodRoleBinding(named: Named, { users, groups }: Subjects): Manifest<"RoleBinding"> {
  return roleBinding(metadata(named), peopleSubjects(users, groups));
}

const metadata = ({ name, namespace, labels }: Named) => compact({ name, namespace, labels });
