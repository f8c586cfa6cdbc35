import { type Args, below, type Trial, type Trials } from "../../kit/trials.fixture.ts";
import { gateway } from "../base.trials.ts";
import type { idleRefSchema } from "../ways/gateway.ts";
import type { idleSchema } from "./args.ts";

const accounts = {
  namespace: "gw",
  cullerServiceAccountName: "gw-culler",
  activatorServiceAccountName: "gw-activator",
  gpuMetrics: true,
};
/** What a container that sleeps starts from. */
export const sleeper = { access: { gateway: { ...gateway, idle: accounts } }, idle: {} };
const schedule = { days: ["monday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" };

const set = (value: unknown, more: object = {}): Trial => ({
  from: { ...sleeper, ...more },
  value,
  verdict: "harmless",
});
const scheduled = (value: unknown) => set(value, { idle: { keepAwake: [schedule] } });

/** Of what puts containers to sleep and wakes them, at a container. */
export const idleTrials = below("idle", {
  enabled: { from: sleeper, value: false, verdict: "restarts loses" },
  stopAfterSeconds: set(10_800),
  silentSessionSeconds: set(86_400),
  "keepAwake[0].days": scheduled(["tuesday"]),
  "keepAwake[0].from": scheduled("09:00"),
  "keepAwake[0].until": scheduled("19:00"),
  "keepAwake[0].timeZone": scheduled("Asia/Kolkata"),
  wake: set("byCommand"),
  wakeTimeoutSeconds: set(600),
  "signals.cpuAbove": set("500m"),
  "signals.trafficAboveBytesPerMinute": set(100),
  "signals.gpuAbovePercent": set(5, { resources: { gpu: { count: 1 } } }),
  dryRun: set(true),
} satisfies Trials<typeof idleSchema>);

/**
 * Of the gateway's accounts that do it.
 * @param host an `idle` of its own, if it can sleep: others have no object for them
 */
export function idleAccountsTrials(host: Args) {
  const objects = "idle" in host ? "harmless" : "unchanged";
  const from = { access: { gateway: { ...gateway, idle: accounts } }, ...host };
  const account = (value: unknown, verdict: string): Trial => ({ from, value, verdict });
  return below("idle", {
    namespace: account("gw2", `cluster-rights ${objects} loses`),
    cullerServiceAccountName: account("other", `cluster-rights ${objects} loses`),
    activatorServiceAccountName: account("other", `cluster-rights ${objects} loses`),
    gpuMetrics: account(false, "unchanged"),
  } satisfies Trials<typeof idleRefSchema>);
}
