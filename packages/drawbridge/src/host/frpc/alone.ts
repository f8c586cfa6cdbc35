/**
 * frpc in a pod of its own, before an sshd that is in another's: it leads to that one's Service. The pod is one more
 * on the way: it restarts at each change of what it is given and at drains of its node, and sessions through it end then.
 */

import { hashOf } from "../../kit/crypto.ts";
import { type Input, type InputList, whenRecorded } from "../../kit/input.ts";
import { prefix } from "../../kubernetes/labels.ts";
import { ifAny, type Manifest, metadataOf } from "../../kubernetes/manifest.ts";
import {
  dnsEgress,
  internetBut,
  networkPolicy,
  podsIn,
  podsOf,
  tcp,
} from "../../kubernetes/network-policy.ts";
import { declared } from "../../kubernetes/objects.ts";
import { programPod } from "../../kubernetes/security.ts";
import { deployment } from "../../kubernetes/workload.ts";
import { type FrpcSecrets, frpcConfigMap, frpcObjects } from "./objects.ts";
import { frpcContainer, frpcEgress, frpcVolumes } from "./part.ts";
import type { FrpcHost, FrpcPlan } from "./plan.ts";

interface LoneFrpcHost extends FrpcHost {
  /** Labels of frpc's own pod. */
  readonly selector: Record<string, string>;
  /** Labels of the pods with the sshd; all pods of the namespace if there are none. */
  readonly podLabels: Readonly<Record<string, Input<string>>>;
  /** The port of their sshd. */
  readonly targetPort: Input<number>;
  readonly imagePullSecrets: InputList<string>;
}

/** The pod comes last: it waits for everything without which it would start wrong. */
export function frpcAlone(plan: LoneFrpcHost, secrets: FrpcSecrets | undefined) {
  const { frpc } = plan;
  if (frpc === undefined || secrets === undefined) return undefined;
  const before = { ...frpcObjects(plan, secrets), "frpc-network": declared(frpcNetworkPolicy(plan, frpc)) };
  const workload = frpcDeployment(plan, frpc, secrets.tokenSha256);
  return { ...before, "frpc-workload": declared(workload, { after: Object.keys(before) }) };
}

function frpcDeployment(
  plan: LoneFrpcHost,
  frpc: FrpcPlan,
  tokenSha256: Input<string>,
): Manifest<"Deployment"> {
  const { namespace, labels, selector, imagePullSecrets } = plan;
  const files = frpcConfigMap(plan, frpc).data as Record<string, Input<string>>;
  return deployment({
    name: frpc.workload,
    namespace,
    labels,
    selector,
    replicas: 1,
    // frps gives nobody a name that another frpc still has.
    recreate: true,
    imagePullSecrets,
    podAnnotations: { [`${prefix}/frpc`]: whenRecorded({ ...files, tokenSha256 }, (known) => hashOf(known)) },
    pod: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 5,
      securityContext: programPod,
      containers: [frpcContainer(frpc, "IfNotPresent")],
      volumes: frpcVolumes(frpc),
    },
  });
}

/** Nobody reaches frpc. It reaches name servers, the sshd and its frps; to an frps elsewhere, the whole internet. */
function frpcNetworkPolicy(plan: LoneFrpcHost, frpc: FrpcPlan): Manifest<"NetworkPolicy"> {
  const { namespace, selector, podLabels, targetPort } = plan;
  const elsewhere = { to: internetBut(), ports: [{ port: frpc.serverPort, protocol: "TCP" }] };
  const toFrps = frpc.authorizer === undefined ? [elsewhere] : frpcEgress(frpc);
  const sshd = ifAny(podLabels) === undefined ? podsIn([namespace]) : [podsOf(undefined, podLabels)];
  const egress = [dnsEgress([]), ...toFrps, { to: sshd, ports: tcp(targetPort) }];
  return networkPolicy(metadataOf(frpc.workload, plan), { pods: selector, ingress: [], egress });
}
