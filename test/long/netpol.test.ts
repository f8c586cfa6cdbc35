/**
 * Kubernetes' own tests of NetworkPolicy, against what enforces it here. How many pass, on as many nodes as pods come to,
 * stands in the record, to which DRAWBRIDGE_RECORD=docs/conformance.json adds a run.
 */
import { expect, it } from "vitest";
import { keepRecord, kubernetesSpecs, recorded } from "../../scripts/lib/lab/kubernetes-specs.ts";
import { getObject } from "../../scripts/lib/lab/lab.ts";

it("all specs pass but those of SCTP, a protocol that few kernels have", async () => {
  const { items } = await getObject<{ items: { spec: { unschedulable?: boolean } }[] }>(["nodes"]);
  const nodes = items.filter(({ spec }) => !spec.unschedulable).length;
  const filter = ["-ginkgo.focus=Netpol", "-ginkgo.skip=SCTPConnectivity"];
  const { passed, failed, output } = await kubernetesSpecs(filter, 1700);
  const { netpol } = recorded();
  const before = netpol[nodes] ?? { passed: passed.length, runs: 0 };
  const fewest = Math.min(before.passed, passed.length);
  keepRecord({ netpol: { ...netpol, [nodes]: { passed: fewest, runs: before.runs + 1 } } });
  expect(failed, output).toEqual([]);
  expect(passed).toHaveLength(47);
}, 1_800_000);
