#!/usr/bin/env node
/** `drawbridge-idle`: activate/activator.ts wakes containers, cull/culler.ts puts them to sleep. */
import { kubernetes, ownCluster } from "../api-server.ts";
import { onStop, runProgram } from "../program.ts";
import { log, Metrics, metricsServer } from "../telemetry.ts";
import { Activator } from "./activate/activator.ts";
import { Leadership } from "./activate/leadership.ts";
import { Culler } from "./cull/culler.ts";
import { type Options, parseOptions, usage } from "./options.ts";

function access({ apiAccess }: Options) {
  const cluster = ownCluster();
  if (cluster === undefined) throw new Error("KUBERNETES_SERVICE_HOST is not set; this runs in a pod");
  return { ...cluster, folder: apiAccess, userAgent: "drawbridge-idle", timeoutSeconds: 10 };
}

/** Until all clients have gone, those that wait and those that are joined; the pod's grace period bounds it. */
async function drained(activator: Activator): Promise<void> {
  while (activator.connections > 0) await new Promise((resolve) => setTimeout(resolve, 250));
}

await runProgram("drawbridge-idle", usage, async (argv) => {
  const options = parseOptions(argv);
  const api = kubernetes(access(options));
  const metrics = new Metrics();
  const stop = new AbortController();
  onStop(() => stop.abort());
  let isReady = () => true;
  metricsServer(metrics, () => isReady()).listen(options.metricsPort);
  log({ outcome: "started", role: options.role });
  if (options.role === "cull") {
    await new Culler({ ...options, api, log, metrics }).run(stop.signal);
  } else {
    const { shared } = options;
    const leadership = shared && new Leadership({ ...shared, api, log });
    const activator = new Activator({ ...options, api, log, metrics, leadership, limits: options });
    isReady = () => activator.ready;
    await activator.run(stop.signal);
    await drained(activator);
  }
  process.exit(0);
});
