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
const reached = { access: { gateway: { ...gateway, idle: accounts } } };
const schedule = { days: ["monday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" };
const gpu = { gpu: { count: 1 } };

const sleeper = (to: object, verdict = "harmless", before: object = {}, more: object = {}): FieldEdit => ({
  from: { ...reached, ...more, idle: before },
  to: { idle: to },
  verdict,
});
const scheduled = (change: object) =>
  sleeper({ keepAwake: [{ ...schedule, ...change }] }, "harmless", { keepAwake: [schedule] });
const account = (change: object, verdict: string): FieldEdit => ({
  from: { ...reached, idle: {} },
  to: { access: { gateway: { ...gateway, idle: { ...accounts, ...change } } } },
  verdict,
});

export const containerIdleEdits: FieldEdits = {
  "idle.enabled": sleeper({ enabled: false }, "restarts loses"),
  "idle.stopAfterSeconds": sleeper({ stopAfterSeconds: 10_800 }),
  "idle.silentSessionSeconds": sleeper({ silentSessionSeconds: 86_400 }),
  "idle.keepAwake[0].days": scheduled({ days: ["tuesday"] }),
  "idle.keepAwake[0].from": scheduled({ from: "09:00" }),
  "idle.keepAwake[0].until": scheduled({ until: "19:00" }),
  "idle.keepAwake[0].timeZone": scheduled({ timeZone: "Asia/Kolkata" }),
  "idle.wake": sleeper({ wake: "byCommand" }),
  "idle.wakeTimeoutSeconds": sleeper({ wakeTimeoutSeconds: 600 }),
  "idle.signals.cpuAbove": sleeper({ signals: { cpuAbove: "500m" } }),
  "idle.signals.trafficAboveBytesPerMinute": sleeper({ signals: { trafficAboveBytesPerMinute: 100 } }),
  "idle.signals.gpuAbovePercent": sleeper({ signals: { gpuAbovePercent: 5 } }, "harmless", {}, gpu),
  "idle.dryRun": sleeper({ dryRun: true }),
  "access.gateway.idle.namespace": account({ namespace: "gw2" }, "cluster-rights harmless loses"),
  "access.gateway.idle.cullerServiceAccountName": account(
    { cullerServiceAccountName: "other" },
    "cluster-rights harmless loses",
  ),
  "access.gateway.idle.activatorServiceAccountName": account(
    { activatorServiceAccountName: "other" },
    "cluster-rights harmless loses",
  ),
  "access.gateway.idle.gpuMetrics": account({ gpuMetrics: false }, "unchanged"),
};

const idle = {
  image: "registry.example.com/programs:1.0.0",
  gpuMetrics: { prometheus: "http://prometheus.monitoring.svc:9090", namespace: "monitoring" },
};
const egress = { apiServer: [{ cidr: "192.0.2.10/32" }] };
const runner = (change: object, verdict: string): FieldEdit => ({
  from: { idle, egress },
  to: { idle: { ...idle, ...change } },
  verdict,
});
const figures = (change: object, verdict: string) =>
  runner({ gpuMetrics: { ...idle.gpuMetrics, ...change } }, verdict);

export const gatewayIdleEdits: FieldEdits = {
  "idle.image": runner({ image: "registry.example.com/programs:2.0.0" }, "restarts"),
  ...resourcesEdits("idle.resources", (resources) => ({ idle: { ...idle, resources } }), {
    from: { idle, egress },
  }),
  "idle.periodSeconds": runner({ periodSeconds: 60 }, "restarts"),
  "idle.wakesPerHour": runner({ wakesPerHour: 3 }, "restarts"),
  "idle.wakeQuietSeconds": runner({ wakeQuietSeconds: 120 }, "restarts"),
  "egress.apiServer[0].cidr": {
    from: { idle, egress },
    to: { egress: { apiServer: [{ cidr: "192.0.2.0/24" }] } },
    verdict: "network-wall harmless",
  },
  "egress.apiServer[0].ports": {
    from: { idle, egress },
    to: { egress: { apiServer: [{ cidr: "192.0.2.10/32", ports: [16443] }] } },
    verdict: "network-wall harmless loses",
  },
  "idle.gpuMetrics.prometheus": figures({ prometheus: "http://other.monitoring.svc:9090" }, "restarts"),
  "idle.gpuMetrics.namespace": figures({ namespace: "other" }, "network-wall harmless loses"),
  "idle.gpuMetrics.query": figures({ query: 'max(gpu{pod="POD"})' }, "restarts"),
};
