/** Kubernetes' own tests of NetworkPolicy, against what enforces it here. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureImages, ensureTools, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { afterAll, expect, it } from "vitest";
import { run } from "../../scripts/lib/lab/lab.ts";

const file = (name: string) => join(tmpdir(), `drawbridge-netpol-${process.pid}-${name}`);
const [registries, report] = [file("registries.yaml"), file("report.json")];
afterAll(() => Promise.all([registries, report].map((path) => rm(path, { force: true }))));

interface Spec {
  readonly State: "passed" | "failed" | "skipped" | "panicked" | "interrupted" | "timedout";
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
}

it("all specs pass but those of SCTP, a protocol that few kernels have", async () => {
  const [{ "netpol-suite": suite }, { agnhost }] = await Promise.all([
    ensureTools(["netpol-suite"], lineProgress()),
    ensureImages(["agnhost"], lineProgress()),
  ]);
  await loadImage(process.env.DRAWBRIDGE_LAB ?? "", agnhost.tar);
  await writeFile(registries, `promoterE2eRegistry: ${agnhost.ref.split("/")[0]}\n`);
  const flags = [
    `-kubeconfig=${process.env.KUBECONFIG}`,
    "-provider=skeleton",
    "-ginkgo.skip=SCTPConnectivity",
    "-ginkgo.no-color",
    `-ginkgo.json-report=${report}`,
  ];
  const { stdout } = await run(suite, flags, {
    env: { KUBE_TEST_REPO_LIST: registries },
    timeoutSeconds: 1700,
  });
  const [{ SpecReports: specs }] = JSON.parse(await readFile(report, "utf8")) as [{ SpecReports: Spec[] }];
  const of = (state: Spec["State"]) =>
    specs.filter(({ State, LeafNodeType }) => State === state && LeafNodeType === "It");
  const failed = specs.filter(({ State }) => State !== "passed" && State !== "skipped");
  expect(
    failed.map(({ LeafNodeText }) => LeafNodeText),
    stdout.slice(-20_000),
  ).toEqual([]);
  expect([of("passed").length, of("skipped").length]).toEqual([47, 3]);
}, 1_800_000);
