/**
 * `node scripts/lab-tests.ts core|long|nodes|upgrades|machines [vitest arguments]`: runs the lab tests inside a lab of their
 * own, or against the cluster that KUBECONFIG names. Three kinds need a lab: `nodes` stops some of three nodes, `upgrades`
 * replaces the cluster's programs, `machines` has an emulated machine; with `long` and no further argument they run as well.
 * Where no lab can run, it says why; in CI that is a failure.
 * `long --changed [--since REF]` runs those files of all four that a change touches, `--group N` one group of them (or of
 * all) that fits into 40 minutes, `--groups` only prints the groups.
 * With `DRAWBRIDGE_TALLY=<file>` the counts go there as well, for `npm test`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  down,
  duration,
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
import { changedFiles, type Group, groupsOf, longFiles, ownTree, touches } from "./lib/changed.ts";
import { sshClients } from "./lib/clients/ssh-clients.ts";
import { languagePrograms } from "./lib/engine/language-programs.ts";
import { agentSandboxTools } from "./lib/lab/agent-sandbox.ts";
import { specImages } from "./lib/lab/kubernetes-specs.ts";
import { browserPackages, clientPackages } from "./lib/own-lab.ts";
import { close, couldNotRun, type Tally, vitest } from "./lib/report.ts";
import { durationsOfFiles } from "./lib/time-left.ts";

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
    images: ["extended", "containers", "registry", "toolchains", ...specImages, "metrics-server"],
  },
  nodes: {
    project: "nodes",
    title: "lab tests on three nodes",
    images: ["restic", ...specImages],
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

/** Takes an option of ours, which vitest is not to see. */
function taken(option: string, values = 0): readonly string[] | undefined {
  const at = own === kinds.long ? further.indexOf(option) : -1;
  return at < 0 ? undefined : further.splice(at, 1 + values).slice(1);
}
const since = taken("--since", 1)?.join();
const isChanged = taken("--changed") !== undefined || since !== undefined;
const group = taken("--group", 1)?.join();
const isPrinted = taken("--groups") !== undefined;

/** The files of a run that is not of one kind whole. */
function chosenGroups(): readonly Group[] {
  const tree = ownTree();
  const all = longFiles(tree);
  const files = isChanged ? touches(all, tree)(changedFiles(since)) : all;
  const groups = groupsOf(files, durationsOfFiles());
  for (const [index, { project, files, milliseconds }] of groups.entries())
    console.log([`group ${index + 1} (${project}): about ${duration(milliseconds)}`, ...files].join("\n  "));
  if (groups.length === 0) console.log("no long file is touched");
  if (isPrinted) return [];
  if (group === undefined) return groups;
  const one = groups[Number(group) - 1];
  if (one !== undefined) return [one];
  console.error(`there is no group "${group}"; use 1 to ${groups.length}`);
  process.exit(2);
}

const timeLeft = "--reporter=scripts/lib/time-left.ts";
const command = ({ project }: Kind, files: readonly string[]) =>
  [
    "vitest",
    "run",
    "--project",
    project,
    ...(own === kinds.core ? [] : [timeLeft]),
    ...files,
    ...further,
  ] as const;

/** Why no lab can run on this machine; undefined when one can. */
async function obstacle(): Promise<string | undefined> {
  try {
    await preflight(stateDir(), lineProgress());
    return undefined;
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ");
  }
}

async function inOwnLab(kind: Kind, files: readonly string[]): Promise<Tally> {
  const name = `test-${process.pid}`;
  const { title, packages = [], images = [], lab = {} } = kind;
  // With a handler here, a signal ends the tests first, and then the lab.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  try {
    await ensureDebianPackages([...clientPackages, ...packages], lineProgress());
    await ensureImages(images, lineProgress());
    if (kind === kinds.long) {
      await ensureTools([...agentSandboxTools, "e2e-suite"], lineProgress());
      await languagePrograms(lineProgress());
      await sshClients(lineProgress());
    }
    // A machine's images come with its disk.
    const loaded = lab.machine ? { images: [...podImages, ...images] } : {};
    await up({ name, ...lab, ...loaded }, lineProgress());
    const main = fileURLToPath(import.meta.resolve("../packages/lab/src/main.ts"));
    const inLab = [main, "exec", "--name", name, "--", ...command(kind, files)];
    return await vitest(title, process.execPath, inLab);
  } catch (error) {
    console.error((error as Error).message);
    return { name: title, passed: 0, failed: 1 };
  } finally {
    await down(name);
  }
}

async function run(kind: Kind, files: readonly string[] = []): Promise<Tally> {
  const { title } = kind;
  const [program, ...args] = command(kind, files);
  if (process.env.KUBECONFIG && !ownLab.includes(kind)) return vitest(title, program, args);
  const reason = await obstacle();
  if (reason === undefined) return await inOwnLab(kind, files);
  console.log(`${title} not run: ${reason}`);
  return couldNotRun(title, reason);
}

const isChosen = isChanged || group !== undefined || isPrinted;
const all: Tally[] = [];
if (isChosen) {
  const files = chosenGroups();
  for (const kind of [kinds.long, ...ownLab]) {
    const of = files.filter(({ project }) => project === kind.project).flatMap((one) => one.files);
    if (of.length > 0) all.push(await run(kind, of));
  }
} else {
  all.push(await run(own));
  if (own === kinds.long && further.length === 0) for (const kind of ownLab) all.push(await run(kind));
}
const file = process.env.DRAWBRIDGE_TALLY;
if (file) writeFileSync(file, JSON.stringify(all));
process.exitCode = all.length === 1 ? Number(all[0]?.failed !== 0) : close(all);
