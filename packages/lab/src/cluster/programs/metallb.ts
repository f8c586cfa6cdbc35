import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonMap, KubeObject } from "../../kube/object.ts";
import { addresses, nodeName } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import { objectsOf } from "./manifests.ts";

const own = (kind: string, spec: JsonMap): KubeObject => ({
  apiVersion: "metallb.io/v1beta1",
  kind,
  metadata: { name: "lab", namespace: "metallb-system" },
  spec,
});

/**
 * MetalLB's own objects with the lab's image: definitions, what needs them, and at last where addresses come from. Without
 * its webhook, which is there seconds later. The first node answers for all addresses: what is outside is on its network.
 */
export async function metallbObjects({ tools, metallbImage }: Plan): Promise<KubeObject[][]> {
  const manifest = join(dirname(tools["metallb-controller"]), "metallb-native.yaml");
  const filled = (await readFile(manifest, "utf8"))
    .replace(/( +)image: .*\/(controller|speaker):.*/g, `$1image: ${metallbImage}\n$1command: [/metallb-$2]`)
    .replace(/( +- )--tls-min-version=.*/, "$1--webhook-mode=disabled\n$1--disable-cert-rotation");
  const all = objectsOf(filled);
  const first = /^(Namespace|CustomResourceDefinition)$/;
  return [
    all.filter(({ kind }) => first.test(kind)),
    all.filter(({ kind }) => !first.test(kind) && kind !== "ValidatingWebhookConfiguration"),
    [
      own("IPAddressPool", { addresses: [addresses.loadBalancers], avoidBuggyIPs: true }),
      own("L2Advertisement", {
        nodeSelectors: [{ matchLabels: { "kubernetes.io/hostname": nodeName } }],
      }),
    ],
  ];
}
