import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { register } from "./register.ts";

/** The culler and the activator, each with an account of its own. */
export function registerIdle(
  name: string,
  gateway: m.GatewayIdle,
  opts: pulumi.CustomResourceOptions,
  clusterWide: pulumi.CustomResourceOptions,
): void {
  const { ClusterRole, ClusterRoleBinding } = k8s.rbac.v1;
  for (const role of m.idleRoles) {
    const one = `${name}-${role}`;
    const dependsOn = [
      register(k8s.core.v1.ServiceAccount, `${one}-account`, m.idleServiceAccount(gateway, role), opts),
      register(ClusterRole, `${one}-role`, m.idleClusterRole(gateway, role), clusterWide),
      register(ClusterRoleBinding, `${one}-binding`, m.idleClusterBinding(gateway, role), clusterWide),
      register(k8s.networking.v1.NetworkPolicy, `${one}-network`, m.idleNetworkPolicy(gateway, role), opts),
    ];
    register(k8s.apps.v1.Deployment, one, m.idleDeployment(gateway, role), { ...opts, dependsOn });
  }
}
