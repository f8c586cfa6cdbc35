/** Checks across a container's arguments that are about its sleep. */

import { alwaysAwake, scheduleMinutes } from "../host/idle/plan.ts";
import type { RaiseFault } from "../kit/fault.ts";
import { known } from "../kit/placed.ts";
import { quantityValue } from "../kubernetes/quantity.ts";
import type { DevContainerParsed } from "./args.ts";

export function checkIdle(args: Partial<DevContainerParsed>, fault: RaiseFault): void {
  const { idle, stopWarningSeconds: warning } = args;
  if (idle === undefined || idle.enabled === false) return;
  checkSource(args, fault);
  const { stopAfterSeconds, silentSessionSeconds } = idle;
  for (const [name, seconds] of Object.entries({ stopAfterSeconds, silentSessionSeconds })) {
    if (seconds === undefined || warning === undefined || seconds > warning) continue;
    fault(["idle", name], "idle-time-within-warning", { time: seconds, warning });
  }
  if ((silentSessionSeconds ?? Number.POSITIVE_INFINITY) < (stopAfterSeconds ?? 0)) {
    const times = { silentSessionSeconds, stopAfterSeconds };
    fault(["idle", "silentSessionSeconds"], "silent-sessions-below-stop-after", times);
  }
  for (const [index, schedule] of (idle.keepAwake ?? []).entries()) {
    const { days, from, until } = schedule;
    if (days === undefined || from === undefined || until === undefined) continue;
    if (scheduleMinutes(schedule).length === 0) {
      fault(["idle", "keepAwake", index, "until"], "schedule-is-empty", { until });
    }
  }
  const whole = (idle.keepAwake ?? []).filter(({ days, from, until, timeZone }) =>
    [days, from, until, timeZone].every((part) => part !== undefined),
  );
  for (const zone of alwaysAwake(whole)) {
    const first = whole.findIndex(({ timeZone }) => timeZone === zone);
    fault(["idle", "keepAwake", first], "schedule-fills-week", { zone });
  }
}

/** Refuses signals that have no source: they would always say that the container is not used. */
function checkSource({ idle, ssh, access, gpu }: Partial<DevContainerParsed>, fault: RaiseFault): void {
  if (idle === undefined) return;
  if (ssh?.mode === "none" || ssh?.mode === "sidecar") fault(["idle"], "idle-ssh-mode", { mode: ssh.mode });
  const gateway = access?.gateway;
  if (access !== undefined && gateway === undefined) {
    fault(["access", "gateway"], "gateway-to-sleep-missing");
  } else if (gateway?.name !== undefined && gateway.namespace !== undefined && gateway.idle === undefined) {
    fault(["access", "gateway", "idle"], "gateway-without-idle", {
      gateway: `${known(gateway.namespace) ?? ""}/${known(gateway.name) ?? ""}`,
    });
  }
  const { gpuAbovePercent, cpuAbove } = idle.signals ?? {};
  if (gpuAbovePercent !== undefined && known(gateway?.idle?.gpuMetrics) === false) {
    fault(["idle", "signals", "gpuAbovePercent"], "gpu-signal-without-source");
  }
  if (gpuAbovePercent !== undefined && gpu === undefined) {
    fault(["idle", "signals", "gpuAbovePercent"], "gpu-signal-without-gpu");
  }
  if (cpuAbove !== undefined && (quantityValue(cpuAbove) ?? 1) <= 0) {
    fault(["idle", "signals", "cpuAbove"], "cpu-signal-is-zero", { cpuAbove });
  }
}
