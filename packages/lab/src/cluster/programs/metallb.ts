import { join } from "node:path";
import type { KubeObject } from "../../kube/object.ts";
import { addresses } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/keeper.ts";
import { httpOk } from "../supervisor/probes.ts";
import { manifestsBeside } from "./manifests.ts";

const namespace = "metallb-system";
const port = 7472;

/** Where MetalLB takes addresses from; those of its speaker are on every node anyway. */
const pool: KubeObject = {
  apiVersion: "metallb.io/v1beta1",
  kind: "IPAddressPool",
  metadata: { name: "lab", namespace },
  spec: { addresses: [addresses.loadBalancers], avoidBuggyIPs: true },
};

/** MetalLB's own objects without those of its pods: definitions, what they and the controller need, and then the pool. */
export async function metallbObjects({ tools }: Plan): Promise<KubeObject[][]> {
  const all = await manifestsBeside(tools["metallb-controller"], "metallb-native.yaml");
  const of = (kinds: RegExp) => all.filter(({ kind }) => kinds.test(kind));
  return [of(/^(Namespace|CustomResourceDefinition)$/), of(/^ServiceAccount$|Role/), [pool]];
}

/** MetalLB's controller, which gives Services of type LoadBalancer their addresses. Nobody has to be told of them here. */
export function metallb({ tools, layout }: Plan): Program {
  return {
    name: "metallb",
    after: ["metallb objects"],
    command: tools["metallb-controller"],
    args: [`-namespace=${namespace}`, `-port=${port}`, "-webhook-mode=disabled", "-disable-cert-rotation"],
    env: { KUBECONFIG: join(layout.kubeconfigs, "metallb") },
    ready: httpOk(`http://127.0.0.1:${port}/metrics`),
  };
}
