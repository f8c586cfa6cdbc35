/** Runs scripts/mutation/each-change.ts until every change was tried; one that stands still ends with its process. */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";

export interface Job {
  /** Files that are changed. */
  readonly files: readonly string[];
  /** Patterns of test files. */
  readonly tests: readonly string[];
  /** Where it is noted what came of each change. */
  readonly notes: string;
}

const watchSeconds = 15;
/** Longer than any one change may take, its tests' own time-outs included. */
const standstillSeconds = 180;

function read(notes: string): Map<string, string> {
  const lines = existsSync(notes) ? readFileSync(notes, "utf8").trimEnd().split("\n") : [];
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, outcome }) => [id, outcome]));
}

/** What came of each change, by its id. */
export async function tryAll(job: Job, changes: number): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    const begun = [...read(job.notes)].filter(([, outcome]) => outcome === "begun");
    for (const [id] of begun) appendFileSync(job.notes, `${JSON.stringify({ id, outcome: "late" })}\n`);
    const stoodStill = await tryRest(job, changes);
    if (!stoodStill) return read(job.notes);
  }
}

async function tryRest(job: Job, changes: number): Promise<boolean> {
  const done = [...read(job.notes)].filter(([, outcome]) => outcome !== "later").map(([id]) => id);
  const child = spawn("vitest", ["run", "--config", "scripts/mutation/vitest.config.ts"], {
    env: { ...process.env, DRAWBRIDGE_MUTATION: JSON.stringify({ ...job, done }) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  let length = -1;
  let still = 0;
  let killed = false;
  const watch = setInterval(() => {
    const known = [...read(job.notes).values()];
    const now = existsSync(job.notes) ? statSync(job.notes).size : 0;
    still = now === length && known.includes("begun") ? still + watchSeconds : 0;
    length = now;
    const tried = known.filter((outcome) => !["begun", "later"].includes(outcome)).length;
    console.log(`${tried} of ${changes} changes`);
    if (still < standstillSeconds || child.pid === undefined) return;
    killed = true;
    process.kill(-child.pid, "SIGKILL");
  }, watchSeconds * 1000);
  await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  if (!killed && read(job.notes).get("") !== "ended")
    throw new Error(`vitest ended before all was tried:\n${said}`);
  return killed;
}
