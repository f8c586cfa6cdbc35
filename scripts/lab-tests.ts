/**
 * `node scripts/lab-tests.ts core|long [vitest arguments]`: runs the lab tests inside a lab of their own, or against the
 * cluster that KUBECONFIG names. Where no lab can run, it says why; in CI that is a failure.
 * With `DRAWBRIDGE_TALLY=<file>` the counts go there as well, for `npm test`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  down,
  ensureDebianPackages,
  ensureImages,
  lineProgress,
  preflight,
  stateDir,
  up,
} from "@drawbridge-iac/lab";
import { languagePrograms } from "../test/support/language-programs.ts";
import { couldNotRun, type Tally, vitest } from "./lib/report.ts";
import { browserPackages, clientPackages } from "./lib/set-up.ts";

const projects = { core: "lab", long: "long" } as const;
const [kind = "core", ...further] = process.argv.slice(2);
if (kind !== "core" && kind !== "long") {
  console.error(`there are no lab tests "${kind}"; use core or long`);
  process.exit(2);
}
const command = ["vitest", "run", "--project", projects[kind], ...further] as const;
const packages = kind === "core" ? clientPackages : [...clientPackages, ...browserPackages];
/** Images that the tests load themselves; inside the lab there is no network to build them with. */
const images = kind === "core" ? [] : (["extended", "containers", "registry"] as const);
const title = kind === "core" ? "lab tests" : "long lab tests";

/** Why no lab can run on this machine; undefined when one can. */
async function obstacle(): Promise<string | undefined> {
  try {
    await preflight(stateDir(), lineProgress());
    return undefined;
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ");
  }
}

async function inOwnLab(): Promise<Tally> {
  const name = `test-${process.pid}`;
  // Standing here, a signal ends the tests and then the lab, and not the other way round.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  try {
    await ensureDebianPackages(packages, lineProgress());
    await ensureImages(images, lineProgress());
    if (kind === "long") await languagePrograms(lineProgress());
    await up({ name }, lineProgress());
    const main = fileURLToPath(import.meta.resolve("../packages/lab/src/main.ts"));
    return vitest(title, process.execPath, [main, "exec", "--name", name, "--", ...command]);
  } catch (error) {
    console.error((error as Error).message);
    return { name: title, passed: 0, failed: 1 };
  } finally {
    await down(name);
  }
}

async function run(): Promise<Tally> {
  if (process.env.KUBECONFIG) return vitest(title, command[0], command.slice(1));
  const reason = await obstacle();
  if (reason === undefined) return await inOwnLab();
  console.log(`lab tests not run: ${reason}`);
  return couldNotRun(title, reason);
}

const tally = await run();
const file = process.env.DRAWBRIDGE_TALLY;
if (file) writeFileSync(file, JSON.stringify(tally));
process.exitCode = tally.failed === 0 ? 0 : 1;
