/** Whether a connection wakes a container: what can be told before sshd runs and knows a key. */
import {
  type IdleSettings,
  waitGreeting,
  wakeGreeting,
} from "@drawbridge-iac/drawbridge/src/host/idle/contract";

export interface WakeLimits {
  /** Wakes of one container within an hour. */
  readonly wakesPerHour: number;
  /**
   * Seconds without an attempt that set a person apart from an editor that reconnects by itself: after a stop, attempts that
   * follow each other faster wake nobody.
   */
  readonly reconnectPause: number;
}

/** What has happened at one container, in milliseconds of a clock that only goes forward. */
export interface Attempts {
  /** When it was seen to stop, or knocked on in vain since; undefined if nobody saw it stop. */
  last: number | undefined;
  /** When it was woken, within the last hour. */
  wakes: readonly number[];
}

const hour = 3_600_000;

/** Why this connection does not wake the container; undefined if it does. Counts it either way. */
export function refusal(
  settings: IdleSettings,
  greeting: string,
  attempts: Attempts,
  limits: WakeLimits,
  now: number,
): string | undefined {
  const isCommand = greeting === wakeGreeting;
  if (!settings.running) return "it is switched off by its stack (running: false)";
  if (settings.wake === "never") return "it is asleep, and only its stack or an operator wakes it";
  if (settings.wake === "byCommand" && !isCommand) return "it is asleep; wake it with: drawbridge wake";
  if (greeting === waitGreeting) return "it is asleep; connecting wakes it";
  const since = attempts.last === undefined ? undefined : now - attempts.last;
  if (!isCommand && since !== undefined && since < limits.reconnectPause * 1000) {
    attempts.last = now;
    return `it is asleep, and reconnecting does not wake it; try again in ${limits.reconnectPause} s, or: drawbridge wake`;
  }
  attempts.wakes = attempts.wakes.filter((at) => now - at < hour);
  if (attempts.wakes.length >= limits.wakesPerHour) {
    return `it was woken ${attempts.wakes.length} times within an hour, which is as often as it may be`;
  }
  attempts.wakes = [...attempts.wakes, now];
  attempts.last = undefined;
  return undefined;
}
