/** Kubernetes' own end-to-end specs, run against the cluster of the test. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureImages, ensureTools, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { run } from "./lab.ts";

/** The images of the specs; there is no registry for others. */
export const specImages = ["agnhost", "agnhost-busybox", "agnhost-pause", "agnhost-dns"] as const;

interface Report {
  readonly State: "passed" | "failed" | "skipped" | "panicked" | "interrupted" | "timedout";
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly LeafNodeLabels: readonly string[] | null;
  readonly ContainerHierarchyTexts: readonly string[] | null;
}

/** Names of the specs by how they ended; what the filter leaves out has not ended. */
export interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Every conformance spec of the suite, whether it ran or not. */
  readonly conformance: readonly string[];
  /** The end of what the suite wrote. */
  readonly output: string;
}

/** @param filter flags of ginkgo that choose the specs, `-ginkgo.focus=…` */
export async function kubernetesSpecs(filter: readonly string[], timeoutSeconds: number): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-e2e-"));
  const [registries, report] = [join(folder, "registries.yaml"), join(folder, "report.json")] as const;
  const [{ "e2e-suite": suite }, images] = await Promise.all([
    ensureTools(["e2e-suite"], lineProgress()),
    ensureImages(specImages, lineProgress()),
  ]);
  for (const { tar } of Object.values(images)) await loadImage(process.env.DRAWBRIDGE_LAB ?? "", tar);
  const registry = images.agnhost.ref.split("/")[0];
  await writeFile(registries, `promoterE2eRegistry: ${registry}\ngcRegistry: ${registry}\n`);
  const flags = [
    `-kubeconfig=${process.env.KUBECONFIG}`,
    "-provider=skeleton",
    "-ginkgo.no-color",
    `-ginkgo.json-report=${report}`,
    ...filter,
  ];
  try {
    const { stdout } = await run(suite, flags, { env: { KUBE_TEST_REPO_LIST: registries }, timeoutSeconds });
    const [{ SpecReports: all }] = JSON.parse(await readFile(report, "utf8")) as [{ SpecReports: Report[] }];
    const named = (is: (one: Report) => boolean) =>
      all
        .filter(is)
        .map((one) => [...(one.ContainerHierarchyTexts ?? []), one.LeafNodeText].join(" "))
        .sort();
    return {
      passed: named(({ State, LeafNodeType }) => State === "passed" && LeafNodeType === "It"),
      failed: named(({ State }) => State !== "passed" && State !== "skipped"),
      conformance: named(({ LeafNodeLabels }) => LeafNodeLabels?.includes("Conformance") === true),
      output: stdout.slice(-20_000),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface SpecRecord {
  /** By group of specs. */
  readonly conformance: Readonly<Record<string, { readonly passed: number; readonly specs: number }>>;
  /** By the number of nodes: the fewest specs that passed in any of the runs. */
  readonly netpol: Readonly<Record<string, { readonly passed: number; readonly runs: number }>>;
}

/** What passed when it was last written down; pages have its numbers. */
export const recorded = (): SpecRecord => JSON.parse(readFileSync("docs/conformance.json", "utf8"));

/** Writes down what was measured, into DRAWBRIDGE_RECORD=<file>. */
export function keepRecord(measured: Partial<SpecRecord>): void {
  const file = process.env.DRAWBRIDGE_RECORD;
  if (file) writeFileSync(file, `${JSON.stringify({ ...recorded(), ...measured }, undefined, 2)}\n`);
}
