/** `npm run check`: what must hold of the sources. */
import { checks } from "./lib/checks.ts";
import { close, heading, type Tally } from "./lib/report.ts";

export async function runChecks(): Promise<Tally> {
  heading("checks");
  const failures: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    // A check that throws has failed too: its program may be missing.
    const broken = await (async () => check())().catch((error: Error) => [error.message]);
    console.log(`${broken.length === 0 ? "ok    " : "FAILED"} ${name}`);
    for (const line of broken) console.log(`       ${line}`);
    if (broken.length > 0) failures.push(name);
  }
  return {
    name: "checks",
    passed: Object.keys(checks).length - failures.length,
    failed: failures.length,
    failures,
  };
}

if (import.meta.main) process.exitCode = close([await runChecks()]);
