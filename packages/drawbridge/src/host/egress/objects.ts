/** A container's token, and what the authorizer may know of it. */
import { type Input, whenAllKnown } from "../../kit/input.ts";
import { configMap, secret } from "../../kubernetes/data.ts";
import { type Manifest, metadataOf } from "../../kubernetes/manifest.ts";
import { dnsEgress, networkPolicy } from "../../kubernetes/network-policy.ts";
import { declared } from "../../kubernetes/objects.ts";
import { role, roleBinding, serviceAccountSubject } from "../../kubernetes/rbac.ts";
import { frpcEgress } from "../frpc/part.ts";
import type { FrpcPlan } from "../frpc/plan.ts";
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

/**
 * The grant is in the container's own namespace: whoever may write there decides on that namespace's containers and on no
 * others, and removing the container removes it. By the pod's address the authorizer sees that nobody else has the token.
 */
export function egressObjects(plan: EgressHost, secrets: EgressSecrets | undefined) {
  const { byName, name, podName } = plan;
  if (byName === undefined || secrets === undefined || podName === undefined) return undefined;
  const { grant, gateway, hosts } = byName;
  const data = {
    tokenSha256: secrets.tokenSha256,
    hosts: whenAllKnown(hosts, (all) => all.map((host) => `${host}\n`).join("")),
    podName,
  } satisfies Record<keyof EgressGrant, unknown>;
  const metadata = metadataOf(grant, plan);
  // This one ConfigMap and this one pod, and nothing else.
  const rules = [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [grant], verbs: ["get", "watch"] },
    { apiGroups: [""], resources: ["pods"], resourceNames: [podName], verbs: ["get"] },
  ];
  return {
    "egress-token": declared(secret(byName.secret, plan, { [egressTokenKey]: secrets.token })),
    "egress-files": byName.hasFiles && declared(configMap(connectName(name), plan, connectFiles)),
    "egress-grant": declared(configMap(grant, plan, data)),
    "egress-grant-role": declared(role(metadata, rules)),
    "egress-grant-binding": declared(
      roleBinding(metadata, [serviceAccountSubject(gateway.name, gateway.namespace)]),
    ),
  };
}

interface OtherPod extends Pick<EgressHost, "namespace" | "labels" | "byName"> {
  readonly selector: Readonly<Record<string, string>>;
  readonly frpc: FrpcPlan | undefined;
}

/** What somebody else's pod reaches, besides what other policies of its namespace allow. */
export function egressNetworkPolicy(plan: OtherPod): Manifest<"NetworkPolicy"> | undefined {
  const { byName, selector, frpc } = plan;
  if (byName === undefined) return undefined;
  const egress = [dnsEgress([]), toEgressGateway(byName.gateway), ...frpcEgress(frpc)];
  return networkPolicy(metadataOf(byName.secret, plan), { pods: selector, egress });
}
