/** `npm run check`: what must hold of the sources. */
import { checks } from "./lib/checks.ts";
import { close, heading, type Tally } from "./lib/report.ts";

export function runChecks(): Tally {
  heading("checks");
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    const broken = check();
    console.log(`${broken.length === 0 ? "ok    " : "FAILED"} ${name}`);
    for (const line of broken) console.log(`       ${line}`);
    if (broken.length > 0) failed += 1;
  }
  return { name: "checks", passed: Object.keys(checks).length - failed, failed };
}

if (import.meta.main) process.exitCode = close([runChecks()]);
