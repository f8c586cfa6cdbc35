import { describe, expect, it } from "vitest";
import { deriveHostKey } from "../host/keys/host-key.ts";
import { placement } from "./machine.ts";
import { planOf, seed, templateOf } from "./plan.fixture.ts";

describe("identity", () => {
  it("derives another key per generation, and the same for a container that moved", () => {
    const [one, two] = [1, 2].map(
      (generation) => deriveHostKey(seed, planOf().hostIdentity as string, generation).publicKey,
    );
    expect(one).not.toBe(two);
    const moved = planOf({ namespace: "team-b", name: "box", hostKey: { seed, identity: "team-a/dev1" } });
    expect(deriveHostKey(seed, moved.hostIdentity as string).publicKey).toBe(one);
  });
});

describe("staying put", () => {
  it("warns terminals, and not at all with 0 s", () => {
    expect(JSON.stringify(templateOf({ stopWarningSeconds: 20 }))).toContain("stops in 20 s");
    expect(JSON.stringify(templateOf({ stopWarningSeconds: 0 }))).not.toContain("preStop");
  });
});

describe("the machine", () => {
  it("chooses the node", () => {
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: "topology.kubernetes.io/zone", operator: "In" as const, values: ["eu-1a", "eu-1b"] },
            ],
          },
        ],
      },
    };
    expect(placement(planOf())).toEqual({});
    const tolerations = [
      { key: "nvidia.com/gpu", operator: "Exists" as const },
      { key: "team", value: "a", effect: "NoExecute" as const, tolerationSeconds: 60 },
    ];
    expect(
      placement(
        planOf({
          resources: { gpu: { count: 1, product: "T4" } },
          scheduling: {
            nodeSelector: { pool: "gpu" },
            tolerations,
            affinity: { nodeAffinity },
            priorityClassName: "high",
            runtimeClassName: "nvidia",
          },
        }),
      ),
    ).toEqual({
      nodeSelector: { pool: "gpu", "nvidia.com/gpu.product": "T4" },
      tolerations,
      affinity: { nodeAffinity },
      priorityClassName: "high",
      runtimeClassName: "nvidia",
    });
  });
});
