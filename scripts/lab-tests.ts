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
  up,
} from "@drawbridge-iac/lab";
import { sshClients } from "../test/support/clients/ssh-clients.ts";
import { languagePrograms } from "../test/support/engine/language-programs.ts";
import { agentSandboxTools } from "../test/support/lab/agent-sandbox.ts";
import { close, couldNotRun, type Tally, vitest } from "./lib/report.ts";
import { browserPackages, clientPackages } from "./lib/set-up.ts";

/** What each kind runs in. Images are those that the tests load themselves: a lab has no network to build them with. */
const kinds = {
  core: { project: "lab", title: "lab tests", packages: clientPackages, images: [], nodes: 1 },
  long: {
    project: "long",
    title: "long lab tests",
    packages: [...clientPackages, ...browserPackages],
    images: ["extended", "containers", "registry"],
    nodes: 1,
  },
  nodes: {
    project: "nodes",
    title: "lab tests on three nodes",
    packages: clientPackages,
    images: ["restic"],
    nodes: 3,
  },
  upgrades: {
    project: "upgrades",
    title: "lab tests of upgrades",
    packages: clientPackages,
    images: [],
    nodes: 1,
    previous: true,
  },
  machines: {
    project: "machines",
    title: "lab tests on a machine",
    packages: clientPackages,
    images: ["containers"],
    nodes: 1,
    machine: true,
  },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];
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
  const { project, title, packages, images, nodes } = kind;
  // With a handler here, a signal ends the tests first, and then the lab.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  try {
    await ensureDebianPackages(packages, lineProgress());
    await ensureImages(images, lineProgress());
    if (project === "long") {
      await ensureTools(agentSandboxTools, lineProgress());
      await languagePrograms(lineProgress());
      await sshClients(lineProgress());
    }
    const machine = "machine" in kind;
    // A machine's images come with its disk.
    const loaded = machine ? { images: [...podImages, ...images] } : {};
    await up({ name, nodes, previous: "previous" in kind, machine, ...loaded }, lineProgress());
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
