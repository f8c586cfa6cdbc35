import {
  type ContainerSecrets,
  type DevContainerPlan,
  deriveFrpToken,
  type FrpcPlan,
  frpcNames,
  frpcToml,
  frpSshCommand,
  frpTokenHash,
  frpWay,
  type Placed,
  type SshWay,
  text,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";
import type { DevContainerFrpArgs } from "./made/dev-container.ts";

/** What a container's frpc needs to know besides the arguments: its configuration with the token, and the token's hash. */
export function frpcSecrets(plan: DevContainerPlan): ContainerSecrets["frpc"] {
  const { frpc } = plan;
  if (frpc === undefined) return undefined;
  const token = frpToken(plan, frpc);
  const toml = pulumi.secret(
    settled({ token, names: frpcNames(frpc) }).apply(({ token, names }) =>
      frpcToml({ ...frpc, ...names }, token, plan.ssh.port),
    ),
  );
  return { toml, tokenSha256: pulumi.unsecret(token.apply(frpTokenHash)) };
}

/** The container's token, given or derived (the schema saw to it that one of the two is possible). */
function frpToken(plan: DevContainerPlan, frpc: FrpcPlan): pulumi.Output<string> {
  const identity = text`${plan.namespace}/${plan.name}`;
  return pulumi.secret(
    frpc.token === undefined
      ? settled({ seed: plan.hostKey?.seed as Placed<string>, identity }).apply((known) =>
          deriveFrpToken(known.seed, known.identity),
        )
      : output(frpc.token),
  );
}

/** The command that logs in through frp; empty without this way in. */
export function frpCommand(plan: DevContainerPlan): pulumi.Output<string> {
  const { frpc } = plan;
  if (frpc === undefined) return pulumi.output("");
  return settled({ connectHost: frpc.connectHost, names: frpcNames(frpc) }).apply(({ connectHost, names }) =>
    frpSshCommand(plan, { ...frpc, ...names }, connectHost),
  );
}

/** The way in through frp, for the client's text. */
export function frpWays(plan: DevContainerPlan): pulumi.Output<SshWay[]> {
  const { frpc } = plan;
  if (frpc === undefined) return pulumi.output([]);
  return settled({ connectHost: frpc.connectHost, names: frpcNames(frpc) }).apply(
    ({ connectHost, names }) => [frpWay({ ...frpc, ...names }, connectHost)],
  );
}

/** A component's inputs are stored in Pulumi's state, so the token among them must be marked before. */
export function secretFrpToken<T extends { frp?: DevContainerFrpArgs } | undefined>(access: T): T {
  const token = access?.frp?.token;
  if (access === undefined || token === undefined) return access;
  return { ...access, frp: { ...access.frp, token: pulumi.secret(token) } };
}
