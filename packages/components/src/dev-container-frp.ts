import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";
import { register } from "./register.ts";

/**
 * Registers what a container's frpc needs: its configuration, the token, and, for a FrpServer, the grant by which the
 * authorizer knows it. Returns what the workload must wait for.
 */
export function registerFrpc(
  name: string,
  plan: m.DevContainerPlan,
  child: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { frpc } = plan;
  if (frpc === undefined) return [];
  const token = frpToken(plan, frpc);
  const toml = settled(m.frpcNames(frpc)).apply((names) => m.frpcToml({ ...frpc, ...names }, plan.ssh.port));
  const files = [
    register(k8s.core.v1.ConfigMap, `${name}-frpc`, m.frpcConfigMap(plan, frpc, toml), child),
    register(k8s.core.v1.Secret, `${name}-frp-token`, m.frpcSecret(plan, frpc, token), child),
  ];
  if (frpc.authorizer === undefined) return files;
  const hash = pulumi.unsecret(token.apply(m.frpTokenHash));
  const grant = m.frpGrant(plan, frpc, hash);
  const binding = m.frpGrantBinding(plan, frpc, frpc.authorizer);
  const { Role, RoleBinding } = k8s.rbac.v1;
  return [
    ...files,
    register(k8s.core.v1.ConfigMap, `${name}-frp-grant`, grant, child),
    register(Role, `${name}-frp-grant-role`, m.frpGrantRole(plan, frpc), child),
    register(RoleBinding, `${name}-frp-grant-binding`, binding, child),
  ];
}

/** The container's token, given or derived (the schema saw to it that one of the two is possible). */
function frpToken(plan: m.DevContainerPlan, frpc: m.FrpcPlan): pulumi.Output<string> {
  const identity = m.text`${plan.namespace}/${plan.name}`;
  return pulumi.secret(
    frpc.token === undefined
      ? settled({ seed: plan.hostKey?.seed as m.Placed<string>, identity }).apply((known) =>
          m.deriveFrpToken(known.seed, known.identity),
        )
      : output(frpc.token),
  );
}

/** The command that logs in through frp; empty without this way in. */
export function frpCommand(plan: m.DevContainerPlan): pulumi.Output<string> {
  const { frpc } = plan;
  if (frpc === undefined) return pulumi.output("");
  return settled({ connectHost: frpc.connectHost, names: m.frpcNames(frpc) }).apply(
    ({ connectHost, names }) => m.frpSshCommand(plan, { ...frpc, ...names }, connectHost),
  );
}

/** The way in through frp, for the client's text. */
export function frpWays(plan: m.DevContainerPlan): pulumi.Output<m.SshWay[]> {
  const { frpc } = plan;
  if (frpc === undefined) return pulumi.output([]);
  return settled({ connectHost: frpc.connectHost, names: m.frpcNames(frpc) }).apply(
    ({ connectHost, names }) => [m.frpWay({ ...frpc, ...names }, connectHost)],
  );
}
