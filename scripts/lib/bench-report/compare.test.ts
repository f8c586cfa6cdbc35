import * as fc from "fast-check";
import { expect, it } from "vitest";
import { stepsBack } from "./compare.ts";
import { type BenchDocument, benchDocument } from "./json.ts";
import type { Samples } from "./scenario.ts";

const meta = { commit: "0".repeat(40), versions: {}, provider: "any", full: false };
const before = (tunnel: Readonly<Record<string, Readonly<Record<string, number>>>>): BenchDocument => ({
  meta,
  tunnel,
});

it("names a time that got slower beside its rival, not one that got slower with it", () => {
  const earlier = before({ drawbridge: { login: 0.2, echo: 0.02 }, direct: { login: 0.2, echo: 0.02 } });
  const now: Samples = {
    drawbridge: { login: [0.3, 0.31, 0.32], echo: [0.04, 0.04, 0.04] },
    direct: { login: [0.2, 0.2, 0.21], echo: [0.04, 0.04, 0.04] },
  };
  expect(stepsBack(earlier, { tunnel: now })).toEqual([
    "tunnel: login beside direct: 1.55 × (at least 1.43 ×), before 1 ×",
  ]);
});

it("says nothing while the spread reaches what was", () => {
  const earlier = before({ drawbridge: { login: 0.2 }, direct: { login: 0.2 } });
  const now: Samples = { drawbridge: { login: [0.19, 0.3, 0.32] }, direct: { login: [0.2, 0.2, 0.21] } };
  expect(stepsBack(earlier, { tunnel: now })).toEqual([]);
});

it("knows that a rate is better when it is higher", () => {
  const earlier = before({ drawbridge: { bulk_per_second: 100 }, direct: { bulk_per_second: 100 } });
  const at = (rate: number): Samples => ({
    drawbridge: { bulk_per_second: [rate, rate, rate] },
    direct: { bulk_per_second: [100, 100, 100] },
  });
  expect(stepsBack(earlier, { tunnel: at(50) })).toEqual([
    "tunnel: bulk_per_second beside direct: 2 × (at least 2 ×), before 1 ×",
  ]);
  expect(stepsBack(earlier, { tunnel: at(200) })).toEqual([]);
});

it("takes a tenth for the spread of a single run", () => {
  const earlier = before({ drawbridge: { up: 10 }, raw: { up: 10 } });
  const at = (ours: number): Samples => ({ drawbridge: { up: [ours] }, raw: { up: [10] } });
  expect(stepsBack(earlier, { tunnel: at(11) })).toEqual([]);
  expect(stepsBack(earlier, { tunnel: at(12) })).toEqual([
    "tunnel: up beside raw: 1.2 × (at least 1.08 ×), before 1 ×",
  ]);
});

it("a first loss is a step back, a figure that is gone is named, and what was not run is not judged", () => {
  const earlier: BenchDocument = {
    meta,
    survival: { drawbridge: { lost: 0 }, seed: { lost: 50 } },
    tunnel: { drawbridge: { login: 0.2 }, nc: { login: 0.2 } },
    weight: { drawbridge: { memory: 1 }, frp: { memory: 1 } },
  };
  const now = {
    survival: { drawbridge: { lost: [1] }, seed: { lost: [50] } },
    tunnel: { drawbridge: { login: [0.2] } },
  };
  expect(stepsBack(earlier, now)).toEqual([
    "survival: lost beside seed: 0.02 × (at least 0.018 ×), before 0 ×",
    "tunnel: login beside nc: not measured any more",
  ]);
});

it("a run is no step back from itself", () => {
  const values = fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 1, maxLength: 6 });
  const figures = fc.record({ login: values, bulk_per_second: values, memory: values });
  fc.assert(
    fc.property(fc.record({ drawbridge: figures, rival: figures }), (samples) => {
      expect(stepsBack(benchDocument(meta, { tunnel: samples }), { tunnel: samples })).toEqual([]);
    }),
  );
});
