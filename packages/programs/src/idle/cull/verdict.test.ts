/** Rows of what is known of a container, since when, and what follows. By real programs: `test/long/idle-corpus.test.ts`. */
import { describe, expect, it } from "vitest";
import type { IdleSettings } from "../../made/contract.ts";
import type { Report } from "./report.ts";
import { type Reason, type Signals, verdict } from "./verdict.ts";

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
const terminal = { sessions: 1, terminals: 1 };

interface Row {
  readonly is: string;
  readonly report?: Partial<Report>;
  readonly signals?: Partial<Signals>;
  readonly settings?: Partial<IdleSettings>;
  readonly at?: string;
  readonly sleeps: boolean;
  readonly because: readonly Reason[];
  readonly within?: number | undefined;
}

const berlin = [{ timeZone: "Europe/Berlin", minutes: [[8 * 60, 18 * 60]] as const }];

const rows: readonly Row[] = [
  { is: "left for longer than stopAfter", sleeps: true, because: ["idle"], within: 0 },
  {
    is: "left a moment ago",
    report: { quiet: 60 },
    sleeps: false,
    because: ["session"],
    within: 2 * hour - 60,
  },
  {
    is: "left for exactly stopAfter",
    report: { quiet: 2 * hour },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "left with one second to go",
    report: { quiet: 2 * hour - 1 },
    sleeps: false,
    because: ["session"],
    within: 1,
  },
  {
    is: "a build in tmux, its terminal closed: CPU",
    report: { cpuQuiet: 10, millicores: 900 },
    sleeps: false,
    because: ["cpu"],
    within: 2 * hour - 10,
  },
  {
    is: "nohup that ended three hours ago",
    report: { cpuQuiet: 3 * hour },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "a debugger at a breakpoint in an open terminal, silent for a night",
    report: { ...terminal, quiet: 9 * hour, cpuQuiet: 9 * hour },
    sleeps: false,
    because: ["session"],
    within: 3 * hour,
  },
  {
    is: "an editor open overnight: a session without a terminal",
    report: { sessions: 1, quiet: 11 * hour, cpuQuiet: 11 * hour },
    sleeps: false,
    because: ["session"],
    within: hour,
  },
  {
    is: "an editor open for longer than silentSessions",
    report: { sessions: 1, quiet: 12 * hour, cpuQuiet: 12 * hour },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "a forgotten shell after silentSessions, not told yet",
    report: { ...terminal, quiet: 12 * hour, cpuQuiet: 12 * hour },
    sleeps: false,
    because: ["warning"],
    within: 15,
  },
  {
    is: "a forgotten shell, told ten seconds ago",
    report: { ...terminal, quiet: 12 * hour + 10, cpuQuiet: 12 * hour, warned: 10 },
    sleeps: false,
    because: ["warning"],
    within: 5,
  },
  {
    is: "a forgotten shell, told long enough ago",
    report: { ...terminal, quiet: 12 * hour + 20, cpuQuiet: 12 * hour, warned: 15 },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "a forgotten shell where nobody is told",
    report: { ...terminal, quiet: 12 * hour, cpuQuiet: 12 * hour },
    settings: { warning: 0 },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "somebody who said no by a key",
    report: { ...terminal, quiet: 2, cpuQuiet: 12 * hour },
    sleeps: false,
    because: ["session"],
    within: 12 * hour - 2,
  },
  {
    is: "a port-forward in use",
    report: { sessions: 1, quiet: 0 },
    sleeps: false,
    because: ["session"],
    within: 12 * hour,
  },
  { is: "a hold, to its last second", report: { hold: 1 }, sleeps: false, because: ["hold"], within: 1 },
  {
    is: "a command that holds",
    report: { commands: 1 },
    sleeps: false,
    because: ["command"],
    within: undefined,
  },
  {
    is: "somebody asked, with a session open",
    report: { ...terminal, quiet: 0, hold: 600, asked: true },
    sleeps: true,
    because: ["asked"],
    within: 0,
  },
  {
    is: "a schedule, in the last week of summer time, at eight in Berlin",
    settings: { keepAwake: berlin },
    at: "2026-10-19T06:00:00Z",
    sleeps: false,
    because: ["schedule"],
    within: undefined,
  },
  {
    is: "the same hour of UTC after the clocks went back: seven in Berlin",
    settings: { keepAwake: berlin },
    at: "2026-10-26T06:00:00Z",
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "eight in Berlin after the clocks went back",
    settings: { keepAwake: berlin },
    at: "2026-10-26T07:00:00Z",
    sleeps: false,
    because: ["schedule"],
    within: undefined,
  },
  {
    is: "no report for an hour, whatever else is known",
    signals: { report: { missing: "its log cannot be read" }, changed: 5 * hour },
    sleeps: false,
    because: ["missing"],
    within: undefined,
  },
  {
    is: "GPU use a while ago",
    signals: { gpuQuiet: hour },
    sleeps: false,
    because: ["gpu"],
    within: hour,
  },
  {
    is: "no GPU use",
    signals: { gpuQuiet: 2 * hour },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "a Prometheus that is away for an hour",
    signals: { gpuQuiet: { missing: "Prometheus does not answer" } },
    sleeps: false,
    because: ["missing"],
    within: undefined,
  },
  {
    is: "a change by the stack",
    signals: { changed: 60 },
    sleeps: false,
    because: ["changed"],
    within: 2 * hour - 60,
  },
  {
    is: "woken, and nobody logged in for ten minutes",
    report: { used: false, up: 600, quiet: 600, cpuQuiet: 600 },
    signals: { changed: 5 * hour },
    settings: { stopAfter: 600 },
    sleeps: true,
    because: ["idle"],
    within: 0,
  },
  {
    is: "woken, and nobody has logged in for nine minutes",
    report: { used: false, up: 540, quiet: 540, cpuQuiet: 3 * hour },
    signals: { changed: 5 * hour },
    sleeps: false,
    because: ["started"],
    within: 60,
  },
  {
    is: "made by its stack twenty minutes ago, and nobody has logged in yet",
    report: { used: false, up: 1200, quiet: 1200, cpuQuiet: 3 * hour },
    signals: { changed: 1230 },
    sleeps: false,
    because: ["started", "changed"],
    within: 2 * hour - 1200,
  },
  {
    is: "two reasons: every one is told, the later end counts",
    report: { quiet: hour, hold: 5 * hour },
    sleeps: false,
    because: ["hold", "session"],
    within: 5 * hour,
  },
];

describe("the corpus", () => {
  it("has thirty rows, of which both verdicts are common", () => {
    expect([rows.length, rows.filter(({ sleeps }) => sleeps).length]).toEqual([30, 10]);
  });

  it.each(rows)("$is", (row) => {
    const decided = verdict(
      { ...settings, ...row.settings },
      { report: { ...left, ...row.report }, changed: 30 * hour, gpuQuiet: undefined, ...row.signals },
      // A Sunday, which no schedule of these names.
      new Date(row.at ?? "2026-11-22T12:00:00Z"),
    );
    expect({
      sleeps: decided.sleep,
      because: decided.reasons.map(({ reason }) => reason),
      within: decided.sleepsIn,
    }).toEqual({ sleeps: row.sleeps, because: row.because, within: row.within });
  });
});

it("tells its reasons with their figures", () => {
  const { reasons } = verdict(
    settings,
    { report: { ...left, ...terminal, quiet: 340, hold: 60 }, changed: undefined, gpuQuiet: undefined },
    new Date("2026-11-22T12:00:00Z"),
  );
  expect(reasons.map(({ text }) => text)).toEqual([
    "held for 60 s more",
    "1 sessions, 340 s quiet (limit 43200 s)",
  ]);
});
