import * as m from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";

/** What a container's frpc needs besides the arguments: the token, and its hash. */
export function frpcSecrets(plan: m.DevContainerPlan): m.ContainerSecrets["frpc"] {
  const { frpc } = plan;
  if (frpc === undefined) return undefined;
  const token = frpToken(plan, frpc);
  return { token, tokenSha256: pulumi.unsecret(token.apply(m.frpTokenHash)) };
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
