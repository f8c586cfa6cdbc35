/**
 * `node scripts/lab-tests.ts core|long|nodes|upgrades|machines [vitest arguments]`: runs the lab tests inside a lab of their
 * own, or against the cluster that KUBECONFIG names. Three kinds need a lab: `nodes` stops some of three nodes, `upgrades`
 * replaces the cluster's programs, `machines` has an emulated machine; with `long` and no further argument they run as well.
 * Where no lab can run, it says why; in CI that is a failure.
 * With `DRAWBRIDGE_TALLY=<file>` the counts go there as well, for `npm test`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  down,
  ensureDebianPackages,
  ensureImages,
  ensureTools,
  lineProgress,
  podImages,
  preflight,
  stateDir,
  type UpOptions,
  up,
} from "@drawbridge-iac/lab";
import type { ImageName } from "../packages/lab/src/images/index.ts";
import { sshClients } from "./lib/clients/ssh-clients.ts";
import { languagePrograms } from "./lib/engine/language-programs.ts";
import { agentSandboxTools } from "./lib/lab/agent-sandbox.ts";
import { browserPackages, clientPackages } from "./lib/own-lab.ts";
import { close, couldNotRun, type Tally, vitest } from "./lib/report.ts";

interface Kind {
  readonly project: string;
  readonly title: string;
  readonly packages?: readonly string[];
  /** Those that the tests load themselves: a lab has no network to build them with. */
  readonly images?: readonly ImageName[];
  readonly lab?: UpOptions;
}

/** What each kind runs in. */
const kinds: Readonly<Record<"core" | "long" | "nodes" | "upgrades" | "machines", Kind>> = {
  core: { project: "lab", title: "lab tests" },
  long: {
    project: "long",
    title: "long lab tests",
    packages: browserPackages,
    images: ["extended", "containers", "registry", "agnhost", "metrics-server"],
  },
  nodes: {
    project: "nodes",
    title: "lab tests on three nodes",
    images: ["restic", "agnhost"],
    lab: { nodes: 3 },
  },
  upgrades: { project: "upgrades", title: "lab tests of upgrades", lab: { previous: true } },
  machines: {
    project: "machines",
    title: "lab tests on a machine",
    images: ["containers"],
    lab: { machine: true },
  },
};
/** Those that need a lab, whatever cluster KUBECONFIG names. */
const ownLab: readonly Kind[] = [kinds.nodes, kinds.upgrades, kinds.machines];

const [kind = "core", ...further] = process.argv.slice(2);
if (!(kind in kinds)) {
  console.error(`there are no lab tests "${kind}"; use ${Object.keys(kinds).join(", ")}`);
  process.exit(2);
}
const own = kinds[kind as keyof typeof kinds];
const command = ({ project }: Kind) => ["vitest", "run", "--project", project, ...further] as const;

/** Why no lab can run on this machine; undefined when one can. */
async function obstacle(): Promise<string | undefined> {
  try {
    await preflight(stateDir(), lineProgress());
    return undefined;
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ");
  }
}

async function inOwnLab(kind: Kind): Promise<Tally> {
  const name = `test-${process.pid}`;
  const { title, packages = [], images = [], lab = {} } = kind;
  // With a handler here, a signal ends the tests first, and then the lab.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  try {
    await ensureDebianPackages([...clientPackages, ...packages], lineProgress());
    await ensureImages(images, lineProgress());
    if (kind === kinds.long) {
      await ensureTools([...agentSandboxTools, "netpol-suite"], lineProgress());
      await languagePrograms(lineProgress());
      await sshClients(lineProgress());
    }
    // A machine's images come with its disk.
    const loaded = lab.machine ? { images: [...podImages, ...images] } : {};
    await up({ name, ...lab, ...loaded }, lineProgress());
    const main = fileURLToPath(import.meta.resolve("../packages/lab/src/main.ts"));
    return vitest(title, process.execPath, [main, "exec", "--name", name, "--", ...command(kind)]);
  } catch (error) {
    console.error((error as Error).message);
    return { name: title, passed: 0, failed: 1 };
  } finally {
    await down(name);
  }
}

async function run(kind: Kind): Promise<Tally> {
  const { title } = kind;
  const [program, ...args] = command(kind);
  if (process.env.KUBECONFIG && !ownLab.includes(kind)) return vitest(title, program, args);
  const reason = await obstacle();
  if (reason === undefined) return await inOwnLab(kind);
  console.log(`${title} not run: ${reason}`);
  return couldNotRun(title, reason);
}

const tally = await run(own);
const file = process.env.DRAWBRIDGE_TALLY;
if (file) writeFileSync(file, JSON.stringify([tally]));
const all = [tally];
if (own === kinds.long && further.length === 0) for (const kind of ownLab) all.push(await run(kind));
process.exitCode = all.length === 1 ? Number(tally.failed !== 0) : close(all);
