/**
 * The demo's places, and its steps: numbered, with their durations; a failed one says what, why, and what the cluster saw
 * last.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Name of the demo's lab. */
export const labName = "demo";

/** Variable that says that the machine cannot build the program behind the storage's page. */
export const withoutStoragePage = "DRAWBRIDGE_DEMO_WITHOUT_STORAGE_PAGE";

/** Where the demo keeps its Pulumi state, its copy of the stack files and its laptop. */
export const demoFolder = join(process.cwd(), ".drawbridge", "demo");

let number = 0;

/** Runs one step of the demo. `pod` names what to look at when it fails, as `<namespace>/<pod>`. */
export async function step<T>(title: string, work: () => Promise<T>, pod?: string): Promise<T> {
  number += 1;
  console.log(`\n[${number}] ${title}`);
  const start = performance.now();
  try {
    const value = await work();
    console.log(`    done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return value;
  } catch (error) {
    console.error(`\ndemo: step ${number} failed: ${title}`);
    console.error(error instanceof Error ? error.message : String(error));
    if (pod !== undefined) console.error(lastEvents(pod));
    throw new StepFailed();
  }
}

/** Thrown after a step has said why it failed. */
export class StepFailed extends Error {}

export function say(text: string): void {
  for (const line of text.trimEnd().split("\n")) console.log(`    ${line}`);
}

/** Fails the step unless the program succeeded; returns what it printed. */
export function succeeded(outcome: { code: number; stdout: string; stderr: string }, what: string): string {
  if (outcome.code !== 0) {
    throw new Error(
      `${what} ended with code ${outcome.code}: ${outcome.stderr.trim() || outcome.stdout.trim()}`,
    );
  }
  return outcome.stdout;
}

function lastEvents(pod: string): string {
  const [namespace = "default", name = ""] = pod.split("/");
  const look = (...args: string[]) =>
    spawnSync("kubectl", ["-n", namespace, "get", ...args], { encoding: "utf8" }).stdout;
  const events = look("events", `--field-selector=involvedObject.name=${name}`, "--sort-by=.lastTimestamp");
  const last = events.split("\n").slice(-12).join("\n");
  return `pod ${pod}:\n${look("pod", name, "-o", "wide")}last events:\n${last}`;
}
