/** Checks across a container's arguments that are about its sleep. */
import { durationSeconds } from "../common/duration.ts";
import { quantityValue } from "../common/quantity.ts";
import type { DevContainerParsed } from "./args.ts";
import { alwaysAwake, scheduleMinutes } from "./idle-schedule.ts";

/** Said of a container whose only ways in wake nobody, or that has none. */
export const noGatewayToSleep =
  "is missing; idle needs one that has idle itself, or set idle.enabled to false";

type Fault = (path: PropertyKey[], message: string) => void;

export function checkIdle(args: Partial<DevContainerParsed>, fault: Fault): void {
  const { idle, stop } = args;
  if (idle === undefined || idle.enabled === false) return;
  checkSource(args, fault);
  const stopAfter = durationSeconds(idle.stopAfter ?? "");
  const silent = durationSeconds(idle.silentSessions ?? "");
  const warning = stop?.warningSeconds;
  for (const [name, seconds] of [
    ["stopAfter", stopAfter],
    ["silentSessions", silent],
  ] as const) {
    if (seconds === undefined || warning === undefined || seconds > warning) continue;
    fault(
      ["idle", name],
      `${idle[name]} is not above the ${warning} s of stop.warningSeconds, in which people can say no; make it longer`,
    );
  }
  if (stopAfter !== undefined && silent !== undefined && silent < stopAfter) {
    fault(
      ["idle", "silentSessions"],
      `${idle.silentSessions} is below stopAfter (${idle.stopAfter}): an open session would keep it awake for less than a closed one`,
    );
  }
  for (const [index, schedule] of (idle.keepAwake ?? []).entries()) {
    const { days, from, until } = schedule;
    if (days === undefined || from === undefined || until === undefined) continue;
    if (scheduleMinutes(schedule).length === 0) {
      fault(
        ["idle", "keepAwake", index, "until"],
        `${until} is when it begins too, so it never holds; give another time`,
      );
    }
  }
  const whole = (idle.keepAwake ?? []).filter(({ days, from, until, timeZone }) =>
    [days, from, until, timeZone].every((part) => part !== undefined),
  );
  for (const zone of alwaysAwake(whole)) {
    const first = whole.findIndex(({ timeZone }) => timeZone === zone);
    fault(
      ["idle", "keepAwake", first],
      `holds all week together with the others in ${zone}, so it would never sleep; leave a gap, or set idle.enabled to false`,
    );
  }
}

/** Signals that nobody could see must not look as if nothing happened. */
function checkSource({ idle, ssh, access, gpu }: Partial<DevContainerParsed>, fault: Fault): void {
  if (idle === undefined) return;
  if (ssh?.mode === "none" || ssh?.mode === "sidecar") {
    fault(
      ["idle"],
      `needs ssh.mode "image" or "injected": with "${ssh.mode}" nothing beside the programs could tell whether they work`,
    );
  }
  const gateway = access?.gateway;
  const instead = "or set idle.enabled to false";
  if (access !== undefined && gateway === undefined) {
    fault(["access", "gateway"], noGatewayToSleep);
  } else if (gateway?.name !== undefined && gateway.namespace !== undefined && gateway.idle === undefined) {
    const which = `${gateway.namespace}/${gateway.name}`;
    fault(
      ["access", "gateway", "idle"],
      `is missing: nobody puts containers of the gateway ${which} to sleep; give the SshGateway idle, ${instead}`,
    );
  }
  const { gpuAbovePercent, cpuAbove } = idle.signals ?? {};
  if (gpuAbovePercent !== undefined && gateway?.idle !== undefined && !gateway.idle.gpuMetrics) {
    fault(
      ["idle", "signals", "gpuAbovePercent"],
      "has no source: the gateway's idle names no prometheus; name one there, or leave this out",
    );
  }
  if (gpuAbovePercent !== undefined && gpu === undefined) {
    fault(["idle", "signals", "gpuAbovePercent"], "has no use without a GPU; give gpu, or leave this out");
  }
  if (cpuAbove !== undefined && (quantityValue(cpuAbove) ?? 1) <= 0) {
    fault(
      ["idle", "signals", "cpuAbove"],
      `${cpuAbove} is no use of CPU at all, so it would never sleep; give more, like "100m"`,
    );
  }
}
