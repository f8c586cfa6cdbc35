/** A container's token, and what the authorizer may know of it. */
import { type Input, whenAllKnown } from "../../kit/input.ts";
import { configMap, secret } from "../../kubernetes/data.ts";
import { type Manifest, metadataOf } from "../../kubernetes/manifest.ts";
import { dnsEgress, networkPolicy } from "../../kubernetes/network-policy.ts";
import { declared } from "../../kubernetes/objects.ts";
import { frpcEgress } from "../frpc/part.ts";
import type { FrpcPlan } from "../frpc/plan.ts";
import { grantObjects } from "../grant.ts";
import { connectFiles, connectName } from "./connect.ts";
import type { EgressGrant } from "./contract.ts";
import { egressTokenKey } from "./environment.ts";
import { toEgressGateway } from "./gateway.ts";
import type { EgressPlan } from "./plan.ts";
import type { EgressSecrets } from "./token.ts";

interface EgressHost {
  readonly name: string;
  readonly namespace: Input<string>;
  readonly labels: Record<string, string>;
  /** Of the one pod that has the token; a host with hosts by name has it. */
  readonly podName: Input<string> | undefined;
  readonly byName: EgressPlan | undefined;
}

/** By the pod's address the authorizer sees that nobody else has the token. */
export function egressObjects(plan: EgressHost, secrets: EgressSecrets | undefined) {
  const { byName, name, podName } = plan;
  if (byName === undefined || secrets === undefined || podName === undefined) return undefined;
  const { hosts, gateway } = byName;
  const data = {
    tokenSha256: secrets.tokenSha256,
    hosts: whenAllKnown(hosts, (all) => all.map((host) => `${host}\n`).join("")),
    podName,
  } satisfies Record<keyof EgressGrant, unknown>;
  const pod = { apiGroups: [""], resources: ["pods"], resourceNames: [podName], verbs: ["get"] };
  const { grant, role, binding } = grantObjects(plan, {
    name: byName.grant,
    data,
    verbs: ["get", "watch"],
    also: [pod],
    authorizer: gateway,
  });
  return {
    "egress-token": declared(secret(byName.secret, plan, { [egressTokenKey]: secrets.token })),
    "egress-files": byName.hasFiles && declared(configMap(connectName(name), plan, connectFiles)),
    "egress-grant": grant,
    "egress-grant-role": role,
    "egress-grant-binding": binding,
  };
}

interface OtherPod extends Pick<EgressHost, "namespace" | "labels" | "byName"> {
  readonly selector: Readonly<Record<string, string>>;
  readonly frpc: FrpcPlan | undefined;
}

/** What another's pod reaches, besides what other policies of its namespace allow. */
export function egressNetworkPolicy(plan: OtherPod): Manifest<"NetworkPolicy"> | undefined {
  const { byName, selector, frpc } = plan;
  if (byName === undefined) return undefined;
  const egress = [dnsEgress([]), toEgressGateway(byName.gateway), ...frpcEgress(frpc)];
  return networkPolicy(metadataOf(byName.secret, plan), { pods: selector, egress });
}
