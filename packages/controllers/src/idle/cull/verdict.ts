/** Whether a container goes to sleep now, and why. A function of its arguments: nobody has to remember anything. */

import type { IdleSettings } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { isScheduled } from "../schedule.ts";
import type { Report } from "./report.ts";

/** Something that could not be asked, and why. It never lets a container sleep. */
export interface Missing {
  readonly missing: string;
}

/** What is known of a container that is awake. */
export interface Signals {
  readonly report: Report | Missing;
  /** Seconds since the stack last changed it; undefined if that cannot be told. */
  readonly changed: number | undefined;
  /** Seconds since its GPUs were last used above the threshold; undefined where nobody is asked. */
  readonly gpuQuiet: number | Missing | undefined;
}

/** What keeps a container awake, or would. */
export type Reason =
  | "asked"
  | "changed"
  | "command"
  | "cpu"
  | "gpu"
  | "hold"
  | "idle"
  | "missing"
  | "schedule"
  | "session"
  | "started"
  | "warning";

export interface Verdict {
  readonly sleep: boolean;
  /** Every reason for the verdict, with its figures. */
  readonly reasons: readonly { readonly reason: Reason; readonly text: string }[];
  /** Seconds until it would sleep if nothing more happened; undefined where that has no end in sight. */
  readonly sleepsIn: number | undefined;
}

/** A container that was woken and that nobody has logged in to sleeps again after this. */
const unusedAfterSeconds = 600;
/** What it uses meanwhile may be its start alone, on a busy node too. */
const startSeconds = 120;

export function verdict(settings: IdleSettings, signals: Signals, now: Date): Verdict {
  const { report, changed, gpuQuiet } = signals;
  const awake: Awake[] = [];
  if ("missing" in report) {
    // Not even a schedule's end is worth telling of while nobody knows what runs in there.
    return { sleep: false, reasons: [{ reason: "missing", text: report.missing }], sleepsIn: undefined };
  }
  if (report.asked) {
    return {
      sleep: true,
      reasons: [{ reason: "asked", text: "someone in it asked for its sleep" }],
      sleepsIn: 0,
    };
  }
  const { stopAfter } = settings;
  // Woken by someone who then did not log in; not started by its stack, whose change is up to a minute older than the start.
  const isOnlyWoken = !report.used && (changed === undefined || changed > report.up + 60);
  const lasted = isOnlyWoken && report.up > startSeconds ? report.up - startSeconds : report.up;
  // What was quiet for as long as it runs was not used.
  const use = (reason: "cpu" | "gpu", quiet: number) =>
    quiet < lasted
      ? lately(reason, `${reason.toUpperCase()} use was above the threshold`, quiet, stopAfter)
      : [];
  if (report.hold > 0) {
    awake.push({ reason: "hold", text: `held for ${report.hold} s more`, left: report.hold });
  }
  if (report.commands > 0) {
    awake.push({ reason: "command", text: `${report.commands} commands hold it awake`, left: undefined });
  }
  if (isScheduled(settings.keepAwake, now)) {
    awake.push({ reason: "schedule", text: "keepAwake holds now", left: undefined });
  }
  awake.push(...bySessions(settings, report, isOnlyWoken));
  awake.push(...use("cpu", report.cpuQuiet));
  if (typeof gpuQuiet === "object") {
    awake.push({ reason: "missing", text: gpuQuiet.missing, left: undefined });
  } else if (gpuQuiet !== undefined) {
    awake.push(...use("gpu", gpuQuiet));
  }
  if (changed !== undefined) awake.push(...lately("changed", "the stack changed it", changed, stopAfter));

  if (awake.length === 0) {
    return { sleep: true, reasons: [{ reason: "idle", text: figures(report) }], sleepsIn: 0 };
  }
  const lefts = awake.map(({ left }) => left);
  return {
    sleep: false,
    reasons: awake.map(({ reason, text }) => ({ reason, text })),
    sleepsIn: lefts.includes(undefined) ? undefined : Math.max(...(lefts as number[])),
  };
}

interface Awake {
  readonly reason: Reason;
  readonly text: string;
  /** Seconds until this reason has gone by itself. */
  readonly left: number | undefined;
}

/** What happened less than `limit` seconds ago. */
function lately(reason: Reason, what: string, age: number, limit: number): Awake[] {
  return age < limit ? [{ reason, text: `${what} ${age} s ago (limit ${limit} s)`, left: limit - age }] : [];
}

function bySessions(settings: IdleSettings, report: Report, isOnlyWoken: boolean): Awake[] {
  const { stopAfter, silentSessions, warning } = settings;
  const { sessions, terminals, quiet, used, up, warned } = report;
  if (sessions === 0) {
    const limit = isOnlyWoken ? Math.min(stopAfter, unusedAfterSeconds) : stopAfter;
    return used
      ? lately("session", "the last session ended", quiet, limit)
      : lately("started", "it started", up, limit);
  }
  if (quiet < silentSessions) {
    const text = `${sessions} sessions, ${quiet} s quiet (limit ${silentSessions} s)`;
    return [{ reason: "session", text, left: silentSessions - quiet }];
  }
  if (terminals > 0 && warning > 0 && (warned === undefined || warned < warning)) {
    const text = `${terminals} terminals are told ${warning} s before`;
    return [{ reason: "warning", text, left: warning - (warned ?? 0) }];
  }
  return [];
}

function figures({ sessions, quiet, cpuQuiet, up }: Report): string {
  return `${sessions} sessions, quiet for ${quiet} s, no CPU use for ${cpuQuiet} s, up for ${up} s`;
}
