import { describe, expect, it } from "vitest";
import { deriveHostKey } from "../host/keys/host-key.ts";
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

it("warns no terminals with 0 s", () => {
  expect(JSON.stringify(templateOf({ pod: { stopWarningSeconds: 0 } }))).not.toContain("preStop");
});
