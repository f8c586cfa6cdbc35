/**
 * Kubernetes' own conformance specs of storage, nodes, networks, scheduling and auth, which say whether the lab is a
 * Kubernetes. Those that take minutes (Slow) are left out, and what needs an image of a registry.
 * How many pass stands in the record, which DRAWBRIDGE_RECORD=<file> writes anew; pages have its numbers.
 */
import { afterAll, expect, it } from "vitest";
import { keepRecord, kubernetesSpecs, recorded } from "../../scripts/lib/lab/kubernetes-specs.ts";

const measured: Record<string, { passed: number; specs: number }> = {};

// The shell of Debian's busybox passes on no variable with a hyphen in its name.
const hyphens = [
  "(ConfigMap|Secrets) should be consumable (via the environment|as environment variable names)",
];
const otherImages = [
  "Pods should run through the lifecycle of Pods and PodStatus",
  "should not allow privilege escalation when false",
  "ImageVolume",
];

async function pass(group: string, label: string, others: readonly string[] = []) {
  const skip = others.length === 0 ? [] : [`-ginkgo.skip=${others.join("|")}`];
  const filter = [`-ginkgo.focus=\\[sig-${group}\\]`, `-ginkgo.label-filter=${label}`];
  const { passed, failed, conformance, output } = await kubernetesSpecs([...filter, ...skip], 2600);
  const specs = conformance.filter((name) => name.startsWith(`[sig-${group}]`));
  measured[group] = { passed: passed.length, specs: specs.length };
  expect(failed, output).toEqual([]);
  if (process.env.DRAWBRIDGE_RECORD === undefined)
    expect(measured[group]).toEqual(recorded().conformance[group]);
}

afterAll(() => keepRecord({ conformance: measured }));

// Upstream, too, runs them beside each other, unless they want the nodes for themselves (Serial).
it.concurrent.each([
  ["storage", []],
  ["node", [...hyphens, ...otherImages]],
  ["network", []],
  ["auth", []],
] as const)("those of %s pass", { timeout: 2_700_000 }, (group, others) =>
  pass(group, "Conformance && !Serial && !Slow", others),
);

it("those of scheduling pass", { timeout: 2_700_000 }, () => pass("scheduling", "Conformance && !Slow"));
