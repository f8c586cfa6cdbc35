/**
 * Kubernetes' own conformance specs of storage and nodes, which say whether the lab is a Kubernetes. Those that disturb
 * others (Serial) or take minutes (Slow) are left out, and what needs an image of a registry.
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

it.each([
  ["sig-storage", [], 74],
  ["sig-node", [...hyphens, ...otherImages], 84],
] as const)("those of %s pass", { timeout: 2_700_000 }, async (group, others, count) => {
  const skip = others.length === 0 ? [] : [`-ginkgo.skip=${others.join("|")}`];
  const filter = [`-ginkgo.focus=\\[${group}\\]`, "-ginkgo.label-filter=Conformance && !Serial && !Slow"];
  const { passed, failed, output } = await kubernetesSpecs([...filter, ...skip], 2600);
  expect(failed, output).toEqual([]);
  expect(passed).toHaveLength(count);
});
