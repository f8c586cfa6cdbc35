import {
  type DevContainerPlan,
  deriveFrpToken,
  type FrpcPlan,
  type FrpcSecrets,
  frpcNames,
  frpSshCommand,
  frpTokenHash,
  frpWay,
  type HostPlan,
  type KnownFrpcPlan,
  type Placed,
  type SshWay,
  text,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";

type Tokened = Pick<HostPlan, "namespace" | "name" | "frpc"> & Partial<Pick<DevContainerPlan, "hostKey">>;

/** The token of a host's frpc, and its hash. */
export function frpcSecrets(plan: Tokened): FrpcSecrets | undefined {
  const { frpc } = plan;
  if (frpc === undefined) return undefined;
  const token = frpToken(plan, frpc);
  return { token, tokenSha256: pulumi.unsecret(token.apply(frpTokenHash)) };
}

/** The container's token, given or derived (the schema makes sure that one of the two is possible). */
function frpToken(plan: Tokened, frpc: FrpcPlan): pulumi.Output<string> {
  const identity = text`${plan.namespace}/${plan.name}`;
  return pulumi.secret(
    frpc.token === undefined
      ? settled({ seed: plan.hostKey?.seed as Placed<string>, identity }).apply((known) =>
          deriveFrpToken(known.seed, known.identity),
        )
      : output(frpc.token),
  );
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
