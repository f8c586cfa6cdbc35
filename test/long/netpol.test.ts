/** Kubernetes' own tests of NetworkPolicy, against what enforces it here. */
import { expect, it } from "vitest";
import { kubernetesSpecs } from "../../scripts/lib/lab/kubernetes-specs.ts";

it("all specs pass but those of SCTP, a protocol that few kernels have", async () => {
  const filter = ["-ginkgo.focus=Netpol", "-ginkgo.skip=SCTPConnectivity"];
  const { passed, failed, output } = await kubernetesSpecs(filter, 1700);
  expect(failed, output).toEqual([]);
  expect(passed).toHaveLength(47);
}, 1_800_000);
