import {
  type DevContainerPlan,
  type FrpcPlan,
  type FrpcSecrets,
  frpcNames,
  frpSshCommand,
  frpTokenHash,
  frpTokenOf,
  frpWay,
  type HostPlan,
  type KnownFrpcPlan,
  type SshWay,
  type Tokened,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { settled } from "./inputs.ts";

/** The token of a host's frpc, and its hash. */
export function frpcSecrets(plan: Tokened): FrpcSecrets | undefined {
  if (plan.frpc === undefined) return undefined;
  const token = frpTokenOf(plan, (of, make) => pulumi.secret(settled(of).apply(make)));
  return { token, tokenSha256: pulumi.unsecret(token.apply(frpTokenHash)) };
}

/** Login command through frp; empty without frp. */
export function frpCommand(plan: DevContainerPlan): pulumi.Output<string> {
  if (plan.frpc === undefined) return pulumi.output("");
  return whenNamed(plan.frpc, (known, address) => frpSshCommand(plan, known, address));
}

/** The way in through frp, for the client's text. */
export function frpWays({ frpc }: Pick<HostPlan, "frpc">): pulumi.Output<SshWay[]> {
  return frpc === undefined
    ? pulumi.output([])
    : whenNamed(frpc, (known, address) => [frpWay(known, address)]);
}

/** `make` of a frpc and its frps' address, once both are known. */
const whenNamed = <T>(frpc: FrpcPlan, make: (known: KnownFrpcPlan, address: string) => T): pulumi.Output<T> =>
  settled({ address: frpc.connectAddress, names: frpcNames(frpc) }).apply(({ address, names }) =>
    make({ ...frpc, ...names }, address),
  ) as pulumi.Output<T>;
