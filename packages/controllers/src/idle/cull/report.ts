/** What a container says of itself: a line in its pod's log, written by the start script of its sshd. */

import { reportMark } from "@drawbridge-iac/drawbridge/src/host/idle/contract";

/** Ages are in seconds. */
export interface Report {
  /** Since the container started. */
  readonly up: number;
  /** Open connections: SSH by whichever way, and others to the ports that the gateway forwards. */
  readonly sessions: number;
  /** Open terminals. */
  readonly terminals: number;
  /** Whether anybody has come in since it started. */
  readonly used: boolean;
  /** Since a connection last moved more than keepalives do, a key was pressed, or one came or went. */
  readonly quiet: number;
  /** Since its CPU use was last above the threshold. */
  readonly cpuQuiet: number;
  readonly millicores: number;
  /** For how long it is still held awake; 0 without a hold. */
  readonly hold: number;
  /** Running commands that hold it awake. */
  readonly commands: number;
  /** Whether someone in it asked for its sleep. */
  readonly asked: boolean;
  /** Since its terminals were told; undefined where they were not, or someone has pressed a key since. */
  readonly warned: number | undefined;
}

const fields = [
  "up",
  "sessions",
  "terminals",
  "used",
  "quiet",
  "cpuQuiet",
  "millicores",
  "hold",
  "commands",
  "asked",
  "warned",
];

const start = `\n${reportMark} `;
/** A report is shorter. */
const longestLine = 500;
/** Half a report may follow the last whole one; more of them is someone who fills the log. */
const mostTried = 10;

/** The last whole report in a piece of log; undefined if it holds none. Anybody may have written into that log. */
export function lastReport(log: string): Report | undefined {
  const text = `\n${log}`;
  let from = text.length;
  for (let tried = 0; tried < mostTried && from > 0; tried += 1) {
    const at = text.lastIndexOf(start, from - 1);
    if (at < 0) return undefined;
    const line = text.slice(at + 1, at + 1 + longestLine);
    const end = line.indexOf("\n");
    const report = end < 0 ? undefined : parseReport(line.slice(0, end));
    if (report !== undefined) return report;
    from = at;
  }
  return undefined;
}

function parseReport(line: string): Report | undefined {
  const values = new Map(
    line
      .slice(reportMark.length)
      .trim()
      .split(" ")
      .map((pair) => {
        const [key = "", value = ""] = pair.split("=");
        return [key, /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN] as const;
      }),
  );
  // All of them: half a report may hide what keeps the container awake.
  if (fields.some((field) => !Number.isInteger(values.get(field)))) return undefined;
  const value = (field: string) => Math.max(0, values.get(field) ?? 0);
  return {
    up: value("up"),
    sessions: value("sessions"),
    terminals: value("terminals"),
    used: value("used") > 0,
    quiet: value("quiet"),
    cpuQuiet: value("cpuQuiet"),
    millicores: value("millicores"),
    hold: value("hold"),
    commands: value("commands"),
    asked: value("asked") > 0,
    warned: (values.get("warned") ?? -1) < 0 ? undefined : value("warned"),
  };
}
