import type { WakePolicy, Weekday } from "@drawbridge-iac/manifests";

/**
 * When the container sleeps, and what wakes it. Asleep it has no pod: CPU, memory and GPUs are free; home, host key, name
 * and rights stay. Needs a gateway with `idle` and sshd in the container itself (`ssh.mode` image or injected).
 *
 * @example
 * ```ts
 * idle: {
 *   stopAfter: "1h",
 *   keepAwake: [{ days: ["monday", "friday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" }],
 * }
 * ```
 */
export interface DevContainerIdleArgs {
  /**
   * Whether it sleeps at all; `false` excepts one container from a team's defaults.
   * @default true
   */
  enabled?: boolean;
  /**
   * For how long nobody may be in it and nothing work in it before it sleeps, from "10s" to "30d".
   * @default "2h"
   */
  stopAfter?: string;
  /**
   * For how long an open session may be silent before it counts for nothing, whatever runs in it. Not below `stopAfter`.
   * @default "12h"
   */
  silentSessions?: string;
  /** Times at which it stays awake. Together they may not fill the week. */
  keepAwake?: DevContainerScheduleArgs[];
  /**
   * What wakes it: a connection through the gateway, `drawbridge wake` alone, or nobody but an operator.
   * @default "onConnect"
   */
  wake?: WakePolicy;
  /**
   * How long a connection waits for it to start, from "5s" to "30m"; then it ends with the reason.
   * @default "5m"
   */
  maxHold?: string;
  /** What counts as work. */
  signals?: DevContainerIdleSignalsArgs;
  /**
   * Only tell what would have been done, in the culler's log and in an Event.
   * @default false
   */
  dryRun?: boolean;
}

/** Times of the week, by the clocks of a time zone, whatever daylight saving does. */
export interface DevContainerScheduleArgs {
  /**
   * On which days it begins.
   * @default - every day
   */
  days?: Weekday[];
  /**
   * When it begins.
   * @example "08:00"
   */
  from: string;
  /**
   * When it ends, `24:00` at the latest; before `from` for one that ends on the next day.
   * @example "18:00"
   */
  until: string;
  /**
   * A name of the IANA data base.
   * @example "Europe/Berlin"
   */
  timeZone: string;
}

/** What counts as work besides open sessions. */
export interface DevContainerIdleSignalsArgs {
  /**
   * CPU use of the container above which it works, measured from report to report (every minute at most).
   * @default "100m"
   */
  cpuAbove?: string;
  /**
   * Bytes a minute that a connection has to move to count as used. Keepalives and the heartbeats of editors are below.
   * @default 8192
   */
  trafficAbove?: number;
  /**
   * GPU use in percent above which it works, asked of the gateway's `idle.gpuMetrics`. Figures that are missing keep it awake.
   * @default - GPU use is not asked for
   */
  gpuAbovePercent?: number;
}
