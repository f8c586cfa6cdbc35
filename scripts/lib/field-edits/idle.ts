/** Edits of what puts containers to sleep and wakes them, at a container and at its gateway. */
import { gateway } from "./container-base.ts";
import type { FieldEdit, FieldEdits } from "./edit.ts";
import { resourcesEdits } from "./scheduling.ts";

const accounts = {
  namespace: "gw",
  cullerServiceAccountName: "gw-culler",
  activatorServiceAccountName: "gw-activator",
  gpuMetrics: true,
};
const sleeper = { access: { gateway: { ...gateway, idle: accounts } }, idle: {} };
const schedule = { days: ["monday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" };

const set = (value: unknown, more: object = {}): FieldEdit => ({
  from: { ...sleeper, ...more },
  value,
  verdict: "harmless",
});
const scheduled = (value: unknown) => set(value, { idle: { keepAwake: [schedule] } });
const account = (value: unknown, verdict: string): FieldEdit => ({ from: sleeper, value, verdict });

export const containerIdleEdits: FieldEdits = {
  "idle.enabled": { from: sleeper, value: false, verdict: "restarts loses" },
  "idle.stopAfterSeconds": set(10_800),
  "idle.silentSessionSeconds": set(86_400),
  "idle.keepAwake[0].days": scheduled(["tuesday"]),
  "idle.keepAwake[0].from": scheduled("09:00"),
  "idle.keepAwake[0].until": scheduled("19:00"),
  "idle.keepAwake[0].timeZone": scheduled("Asia/Kolkata"),
  "idle.wake": set("byCommand"),
  "idle.wakeTimeoutSeconds": set(600),
  "idle.signals.cpuAbove": set("500m"),
  "idle.signals.trafficAboveBytesPerMinute": set(100),
  "idle.signals.gpuAbovePercent": set(5, { gpu: { count: 1 } }),
  "idle.dryRun": set(true),
  "access.gateway.idle.namespace": account("gw2", "cluster-rights harmless loses"),
  "access.gateway.idle.cullerServiceAccountName": account("other", "cluster-rights harmless loses"),
  "access.gateway.idle.activatorServiceAccountName": account("other", "cluster-rights harmless loses"),
  "access.gateway.idle.gpuMetrics": account(false, "unchanged"),
};

const runner = {
  idle: {
    image: "registry.example.com/programs:1.0.0",
    gpuMetrics: { prometheus: "http://prometheus.monitoring.svc:9090", namespace: "monitoring" },
  },
  egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
};
const run = (value: unknown, verdict = "restarts"): FieldEdit => ({ from: runner, value, verdict });

export const gatewayIdleEdits: FieldEdits = {
  "idle.image": run("registry.example.com/other/programs:2.0.0", "cluster-rights restarts"),
  ...resourcesEdits("idle.resources", { from: runner }),
  "idle.periodSeconds": run(60),
  "idle.wakesPerHour": run(3),
  "idle.wakeQuietSeconds": run(120),
  "egress.apiServer[0].cidr": run("192.0.2.0/24", "network-wall harmless"),
  "egress.apiServer[0].ports": run([16443], "network-wall harmless loses"),
  "idle.gpuMetrics.prometheus": run("http://other.monitoring.svc:9090"),
  "idle.gpuMetrics.namespace": run("other", "network-wall harmless loses"),
  "idle.gpuMetrics.query": run('max(gpu{pod="POD"})'),
};
