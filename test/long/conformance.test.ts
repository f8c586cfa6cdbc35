/**
 * Kubernetes' own conformance specs of storage, nodes, networks, scheduling and auth, which say whether the lab is a
 * Kubernetes. Those that take minutes (Slow) are left out, and what needs an image of a registry.
 */
import { expect, it } from "vitest";
import { kubernetesSpecs } from "../../scripts/lib/lab/kubernetes-specs.ts";

// The shell of Debian's busybox passes on no variable with a hyphen in its name.
const hyphens = [
  "(ConfigMap|Secrets) should be consumable (via the environment|as environment variable names)",
];
const otherImages = [
  "Pods should run through the lifecycle of Pods and PodStatus",
  "should not allow privilege escalation when false",
  "ImageVolume",
];
const shared = "Conformance && !Serial && !Slow";

async function pass(group: string, label: string, count: number, others: readonly string[] = []) {
  const skip = others.length === 0 ? [] : [`-ginkgo.skip=${others.join("|")}`];
  const filter = [`-ginkgo.focus=\\[${group}\\]`, `-ginkgo.label-filter=${label}`];
  const { passed, failed, output } = await kubernetesSpecs([...filter, ...skip], 2600);
  expect(failed, output).toEqual([]);
  expect(passed).toHaveLength(count);
}

// Upstream runs them beside each other, too.
it.concurrent.each([
  ["sig-storage", 74, []],
  ["sig-node", 84, [...hyphens, ...otherImages]],
  ["sig-network", 47, []],
  ["sig-scheduling", 2, []],
  ["sig-auth", 10, []],
] as const)("those of %s pass", { timeout: 2_700_000 }, (group, count, others) =>
  pass(group, shared, count, others),
);

it("those of sig-scheduling that want the nodes for themselves pass", { timeout: 2_700_000 }, () =>
  pass("sig-scheduling", "Conformance && Serial && !Slow", 9),
);
