import { describe, expect, it } from "vitest";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { type AskEnvoy, gatewayRequirements } from "./gateways.ts";

const pod = (name: string, ready = "True") => ({
  metadata: { name, uid: name, namespace: "ssh", labels: { "app.kubernetes.io/instance": "gate" } },
  spec: { containers: [] },
  status: { conditions: [{ type: "Ready", status: ready }] },
});
const kubeOf = (...items: unknown[]) => ({ get: async () => ({ items }) }) as unknown as Kube;

const clusters = (...names: string[]) =>
  JSON.stringify({ configs: names.map((name) => ({ cluster: { name } })) }, null, 1);
const box = "outbound|22||box.team-a.svc.cluster.local";
const routes = JSON.stringify({ configs: [{ route: { cluster: box } }] }, null, 1);

/** An Envoy with these clusters. */
const envoyWith =
  (...names: string[]): AskEnvoy =>
  async (_kube, _pod, path) =>
    path.includes("clusters") ? clusters(...names) : path.includes("route") ? routes : "{}";

describe("whether a gateway gets only what its routes name", () => {
  it("is read from its Envoy", async () => {
    const asked: string[] = [];
    const envoy: AskEnvoy = (kube, { metadata }, path) => {
      asked.push(metadata.name);
      return envoyWith(box, "agent", "outbound|8080||box.team-a.svc.cluster.local")(kube, pod("a"), path);
    };
    const kube = kubeOf(pod("a", "False"), pod("b"));
    expect(await gatewayRequirements(kube, envoy)).toEqual([
      {
        step: "gateway ssh/gate",
        ok: true,
        text: "gets the Services that its routes name (1), and no others",
      },
    ]);
    expect(new Set(asked)).toEqual(new Set(["b"]));
  });

  it("is not so with istiod's default", async () => {
    const all = [box, "outbound|53||kube-dns.kube-system.svc.cluster.local", "outbound|443|v1|api.other.svc"];
    expect(await gatewayRequirements(kubeOf(pod("a")), envoyWith(...all))).toEqual([
      {
        step: "gateway ssh/gate",
        ok: false,
        text: "gets Services that none of its routes names (2, such as api.other.svc), so every Service of the cluster fills its memory; set PILOT_FILTER_GATEWAY_CLUSTER_CONFIG=true in istiod's environment, unless these are the mesh's own for tracing or authorization",
      },
    ]);
  });

  it.each<[string, Kube, AskEnvoy, string]>([
    [
      "pods may not be listed",
      { get: () => Promise.reject(new KubeError(403, "forbidden")) } as unknown as Kube,
      envoyWith(),
      "unknown: this account may not list pods; ask the platform team to run drawbridge doctor --gateways",
    ],
    ["there is none", kubeOf(), envoyWith(), "unknown: no gateway of drawbridge's runs in this cluster"],
    ["none is ready", kubeOf(pod("a", "False")), envoyWith(), "unknown: none of its pods is ready"],
    [
      "ports may not be forwarded",
      kubeOf(pod("a")),
      () => Promise.reject(new KubeError(403, "forbidden")),
      "unknown: this account may not forward ports of its pods; ask the platform team to run drawbridge doctor --gateways",
    ],
    [
      "Envoy does not answer",
      kubeOf(pod("a")),
      () => Promise.reject(new Error("its Envoy answers 500")),
      "unknown: its Envoy answers 500; ask the platform team to run drawbridge doctor --gateways",
    ],
  ])("is unknown, which is not ok, where %s", async (_what, kube, envoy, text) => {
    expect(await gatewayRequirements(kube, envoy)).toEqual([expect.objectContaining({ ok: false, text })]);
  });

  it("is no answer where the API fails", async () => {
    const kube = { get: () => Promise.reject(new KubeError(500, "broken")) } as unknown as Kube;
    await expect(gatewayRequirements(kube, envoyWith())).rejects.toThrow("broken");
  });
});
