/** Rows of what is known of a container, since when, and what follows. By real programs: `test/long/idle-corpus.test.ts`. */

import type { IdleSettings } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Report } from "./report.ts";
import { type Signals, verdict } from "./verdict.ts";

const hour = 3600;
const settings: IdleSettings = {
  stopAfter: 2 * hour,
  silentSessions: 12 * hour,
  warning: 15,
  keepAwake: [],
  wake: "onConnect",
  maxHold: 300,
  port: 22,
  running: true,
  dryRun: false,
  gateway: "ssh/ssh",
  reportEvery: 60,
};

/** Used yesterday, and left. */
const left: Report = {
  up: 30 * hour,
  sessions: 0,
  terminals: 0,
  used: true,
  quiet: 3 * hour,
  cpuQuiet: 3 * hour,
  millicores: 0,
  hold: 0,
  commands: 0,
  asked: false,
  warned: undefined,
};

/** What is known beside the report. */
interface Further {
  readonly signals?: Partial<Signals>;
  readonly settings?: Partial<IdleSettings>;
  readonly at?: string;
}

const berlin = JSON.stringify([{ timeZone: "Europe/Berlin", minutes: [[8 * 60, 18 * 60]] }]);

/** What is so | by which report | why it is awake or asleep | within how many seconds it sleeps, 0 if now | what else is known. */
const rows = `
  left for longer than stopAfter | {} | idle | 0
  left a moment ago | { quiet: 60 } | session | ${2 * hour - 60}
  left for exactly stopAfter | { quiet: ${2 * hour} } | idle | 0
  left with one second to go | { quiet: ${2 * hour - 1} } | session | 1
  a build in tmux, its terminal closed: CPU | { cpuQuiet: 10, millicores: 900 } | cpu | ${2 * hour - 10}
  nohup that ended three hours ago | { cpuQuiet: ${3 * hour} } | idle | 0
  a debugger at a breakpoint in an open terminal, silent for a night | { sessions: 1, terminals: 1, quiet: ${9 * hour}, cpuQuiet: ${9 * hour} } | session | ${3 * hour}
  an editor open overnight: a session without a terminal | { sessions: 1, quiet: ${11 * hour}, cpuQuiet: ${11 * hour} } | session | ${hour}
  an editor open for longer than silentSessions | { sessions: 1, quiet: ${12 * hour}, cpuQuiet: ${12 * hour} } | idle | 0
  a forgotten shell after silentSessions, not told yet | { sessions: 1, terminals: 1, quiet: ${12 * hour}, cpuQuiet: ${12 * hour} } | warning | 15
  a forgotten shell, told ten seconds ago | { sessions: 1, terminals: 1, quiet: ${12 * hour + 10}, cpuQuiet: ${12 * hour}, warned: 10 } | warning | 5
  a forgotten shell, told long enough ago | { sessions: 1, terminals: 1, quiet: ${12 * hour + 20}, cpuQuiet: ${12 * hour}, warned: 15 } | idle | 0
  a forgotten shell where nobody is told | { sessions: 1, terminals: 1, quiet: ${12 * hour}, cpuQuiet: ${12 * hour} } | idle | 0 | { settings: { warning: 0 } }
  somebody who said no by a key | { sessions: 1, terminals: 1, quiet: 2, cpuQuiet: ${12 * hour} } | session | ${12 * hour - 2}
  a port-forward in use | { sessions: 1, quiet: 0 } | session | ${12 * hour}
  a hold, to its last second | { hold: 1 } | hold | 1
  a command that holds | { commands: 1 } | command | -
  somebody asked, with a session open | { sessions: 1, terminals: 1, quiet: 0, hold: 600, asked: true } | asked | 0
  a schedule, in the last week of summer time, at eight in Berlin | {} | schedule | - | { settings: { keepAwake: ${berlin} }, at: "2026-10-19T06:00:00Z" }
  the same hour of UTC after the clocks went back: seven in Berlin | {} | idle | 0 | { settings: { keepAwake: ${berlin} }, at: "2026-10-26T06:00:00Z" }
  eight in Berlin after the clocks went back | {} | schedule | - | { settings: { keepAwake: ${berlin} }, at: "2026-10-26T07:00:00Z" }
  no report for an hour, whatever else is known | {} | missing | - | { signals: { report: { missing: "its log cannot be read" }, changed: ${5 * hour} } }
  GPU use a while ago | {} | gpu | ${hour} | { signals: { gpuQuiet: ${hour} } }
  no GPU use | {} | idle | 0 | { signals: { gpuQuiet: ${2 * hour} } }
  a Prometheus that is away for an hour | {} | missing | - | { signals: { gpuQuiet: { missing: "Prometheus does not answer" } } }
  a change by the stack | {} | changed | ${2 * hour - 60} | { signals: { changed: 60 } }
  woken, and nobody logged in for ten minutes | { used: false, up: 600, quiet: 600, cpuQuiet: 600 } | idle | 0 | { signals: { changed: ${5 * hour}, gpuQuiet: 600 } }
  woken, and nobody has logged in for nine minutes | { used: false, up: 540, quiet: 540, cpuQuiet: 540 } | started | 60 | { signals: { changed: ${5 * hour} } }
  woken, and its start script opened a terminal | { used: false, up: 300, quiet: 290, cpuQuiet: 300 } | started | 300 | { signals: { changed: ${5 * hour} } }
  woken, and busy while it started | { used: false, up: 600, quiet: 600, cpuQuiet: 480 } | idle | 0 | { signals: { changed: ${5 * hour} } }
  woken, and busy after its start, although nobody has logged in | { used: false, up: 900, quiet: 900, cpuQuiet: 779 } | cpu | ${2 * hour - 779} | { signals: { changed: ${5 * hour}, gpuQuiet: 900 } }
  woken, and busy from its start on, with times as short as a start | { used: false, up: 120, quiet: 120, cpuQuiet: 0 } | cpu | 60 | { signals: { changed: ${5 * hour} }, settings: { stopAfter: 60 } }
  made by its stack twenty minutes ago, and nobody has logged in yet | { used: false, up: 1200, quiet: 1200, cpuQuiet: 1200 } | started changed | ${2 * hour - 1200} | { signals: { changed: 1230 } }
  two reasons: every one is told, the later end counts | { quiet: ${hour}, hold: ${5 * hour} } | hold session | ${5 * hour}
`;
type Row = readonly [string, Partial<Report>, readonly string[], number | undefined, Further];
const table = rows
  .trim()
  .split("\n")
  .map((row): Row => {
    const [is = "", report = "", because = "", within, further = "{}"] = row.trim().split(" | ");
    return [
      is,
      parse(report),
      because.split(" "),
      within === "-" ? undefined : Number(within),
      parse(further),
    ];
  });

describe("the corpus", () => {
  it("has thirty-four rows, of which both verdicts are common", () => {
    expect([table.length, table.filter(([, , , within]) => within === 0).length]).toEqual([34, 11]);
  });

  it.for(table)("%s", ([, report, because, within, further]) => {
    const decided = verdict(
      { ...settings, ...further.settings },
      { report: { ...left, ...report }, changed: 30 * hour, gpuQuiet: undefined, ...further.signals },
      // A Sunday, which no schedule of these names.
      new Date(further.at ?? "2026-11-22T12:00:00Z"),
    );
    expect({
      sleeps: decided.sleep,
      because: decided.reasons.map(({ reason }) => reason),
      within: decided.sleepsIn,
    }).toEqual({ sleeps: within === 0, because, within });
  });
});

it("tells its reasons with their figures", () => {
  const { reasons } = verdict(
    settings,
    {
      report: { ...left, sessions: 1, terminals: 1, quiet: 340, hold: 60 },
      changed: undefined,
      gpuQuiet: undefined,
    },
    new Date("2026-11-22T12:00:00Z"),
  );
  expect(reasons.map(({ text }) => text)).toEqual([
    "held for 60 s more",
    "1 sessions, 340 s quiet (limit 43200 s)",
  ]);
});
