#!/usr/bin/env node
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { ServerCredentials } from "@grpc/grpc-js";
import { kubernetes, ownCluster } from "../api-server.ts";
import { Buckets } from "../authorizer/buckets.ts";
import { cachedGrants } from "../authorizer/grants.ts";
import { byTurns } from "../fairness.ts";
import { onStop, runProgram } from "../program.ts";
import { log, Metrics, metricsServer, Problems } from "../telemetry.ts";
import { publicAddresses } from "./addresses.ts";
import { egressServer } from "./answer-envoy.ts";
import { egressGrants, podAddresses, watchGrant } from "./egress-grants.ts";
import { Leases } from "./leases.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { dnsResolver } from "./resolve.ts";
import { sharedWatches } from "./shared-watch.ts";

async function serve({
  socket,
  apiAccess,
  deny,
  resolvers,
  tunnelsPerContainer,
  metricsPort,
}: Options): Promise<void> {
  const cluster = ownCluster();
  if (cluster === undefined) throw new Error("KUBERNETES_SERVICE_HOST is not set; it runs in a pod");
  const metrics = new Metrics();
  const problems = new Problems(log, metrics, "drawbridge_egress_problems_total");
  const access = { folder: apiAccess, userAgent: "drawbridge-egress-authorizer", timeoutSeconds: 5 };
  const api = byTurns(kubernetes({ ...cluster, ...access }));
  const findGrant = cachedGrants(egressGrants(api, problems));
  const knowledge = {
    findGrant,
    findAddresses: cachedGrants(podAddresses(api, problems)),
    resolve: dnsResolver(resolvers),
    isPublic: publicAddresses(deny),
    buckets: new Buckets(),
  };
  const shared = sharedWatches(cluster.server, access.folder, access.userAgent);
  const leases = new Leases(findGrant, watchGrant(api, shared), metrics, tunnelsPerContainer);
  const server = egressServer(knowledge, leases, metrics, log);
  rememberTunnels(leases, `${socket}.tunnels`);
  rmSync(socket, { force: true });
  // The socket is there before its mode is, for nobody but the pod's own containers.
  process.umask(0o077);
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    ),
  );
  chmodSync(socket, 0o600);
  metricsServer(metrics).listen(metricsPort, () => log({ outcome: "listening", socket, metricsPort }));
}

/** Their number outlives the authorizer, beside its socket: the next one says how many have no lease. */
function rememberTunnels(leases: Leases, file: string): void {
  leases.lost(existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  const write = () => writeFileSync(file, `${leases.count}`);
  write();
  setInterval(write, 1_000).unref();
}

// What it holds is small and lives long, what a flood of requests leaves behind is large: it is collected early.
setFlagsFromString("--optimize-for-size");

await runProgram("drawbridge-egress-authorizer", usage, async (argv) => {
  await serve(parseOptions(argv));
  onStop(() => process.exit(0));
});
