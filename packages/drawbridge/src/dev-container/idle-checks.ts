/** Checks across a container's arguments that are about its sleep. */

import type { ScheduleParsed } from "../host/idle/args.ts";
import { alwaysAwake, type KnownSchedule, scheduleMinutes } from "../host/idle/plan.ts";
import type { RaiseFault } from "../kit/fault.ts";
import { known, knownList } from "../kit/input.ts";
import { amount } from "../kubernetes/resources.ts";
import type { DevContainerParsed } from "./args.ts";

export function checkIdle(args: Partial<DevContainerParsed>, fault: RaiseFault): void {
  const { idle } = args;
  if (idle === undefined || idle.enabled === false) return;
  checkSource(args, fault);
  const warning = known(args.stopWarningSeconds);
  const stopAfterSeconds = known(idle.stopAfterSeconds);
  const silentSessionSeconds = known(idle.silentSessionSeconds);
  for (const [name, seconds] of Object.entries({ stopAfterSeconds, silentSessionSeconds })) {
    if (seconds === undefined || warning === undefined || seconds > warning) continue;
    fault`idle.${name}: ${seconds} must be more than the ${warning} s of stopWarningSeconds, in which a user can object`;
  }
  if ((silentSessionSeconds ?? Number.POSITIVE_INFINITY) < (stopAfterSeconds ?? 0)) {
    fault`idle.silentSessionSeconds: ${silentSessionSeconds} is below stopAfterSeconds (${stopAfterSeconds}): an open session would keep the container awake for less time than a closed one`;
  }
  const schedules = (idle.keepAwake ?? []).map(knownSchedule);
  for (const [index, schedule] of schedules.entries()) {
    if (schedule !== undefined && scheduleMinutes(schedule).length === 0) {
      fault`idle.keepAwake[${index}].until: ${schedule.until} is also when it begins, so it covers no time; set another end`;
    }
  }
  const whole = schedules.filter((schedule) => schedule !== undefined);
  for (const zone of alwaysAwake(whole)) {
    const first = schedules.findIndex((schedule) => schedule?.timeZone === zone);
    fault`idle.keepAwake[${first}]: covers the whole week together with the others in ${zone}, so the container would never sleep; leave a gap, or set idle.enabled to false`;
  }
}

/** A schedule of which all is there and known. */
function knownSchedule(given: Partial<ScheduleParsed>): KnownSchedule | undefined {
  const days = knownList(given.days);
  const [from, until, timeZone] = [known(given.from), known(given.until), known(given.timeZone)];
  return days === undefined || from === undefined || until === undefined || timeZone === undefined
    ? undefined
    : { days, from, until, timeZone };
}

/** Refuses signals that have no source: they would always say that the container is not used. */
function checkSource({ idle, ssh, access, resources }: Partial<DevContainerParsed>, fault: RaiseFault): void {
  if (idle === undefined) return;
  if (ssh?.mode === "none" || ssh?.mode === "sidecar")
    fault`idle: needs ssh.mode "image" or "injected": with "${ssh.mode}" the activity of programs cannot be measured`;
  const gateway = access?.gateway;
  if (access !== undefined && gateway === undefined) {
    fault.as(
      "no-gateway",
    )`access.gateway: is missing; idle needs a gateway that has idle itself: set one, or set idle.enabled to false`;
  } else if (gateway?.name !== undefined && gateway.namespace !== undefined && gateway.idle === undefined) {
    fault`access.gateway.idle: is missing: the gateway ${known(gateway.namespace) ?? ""}/${known(gateway.name) ?? ""} does not put containers to sleep; set idle of the SshGateway, or set idle.enabled to false`;
  }
  const { gpuAbovePercent, cpuAbove } = idle.signals ?? {};
  if (gpuAbovePercent !== undefined && known(gateway?.idle?.gpuMetrics) === false) {
    fault`idle.signals.gpuAbovePercent: has no source, because the gateway's idle has no gpuMetrics; set them there, or leave this out`;
  }
  if (gpuAbovePercent !== undefined && resources?.gpu === undefined) {
    fault`idle.signals.gpuAbovePercent: has no effect without a GPU; set resources.gpu, or leave this out`;
  }
  if ((amount(cpuAbove) ?? 1) <= 0) {
    fault`idle.signals.cpuAbove: ${cpuAbove} is always exceeded, so the container would never sleep; set more, like "100m"`;
  }
}
