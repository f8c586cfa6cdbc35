#!/usr/bin/env node
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrpGrant } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { kubernetes, ownCluster } from "../api-server.ts";
import { Buckets } from "../authorizer/buckets.ts";
import { cachedGrants, type FindGrant } from "../authorizer/grants.ts";
import { onStop, runProgram } from "../program.ts";
import { log, Metrics, metricsServer, Problems } from "../telemetry.ts";
import { authorizerServer } from "./answer-frps.ts";
import { frpGrants } from "./frp-grants.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { unitsFile } from "./units-file.ts";

const report = (reason: string): void => log({ outcome: "problem", reason });

function findGrantBy({ apiAccess }: Options, metrics: Metrics): FindGrant<FrpGrant> {
  if (apiAccess === undefined) return async () => undefined;
  const cluster = ownCluster();
  if (cluster === undefined) {
    throw new Error("KUBERNETES_SERVICE_HOST is not set; leave out --api-access outside of a cluster");
  }
  const access = { folder: apiAccess, userAgent: "drawbridge-frp-authorizer", timeoutSeconds: 5 };
  const problems = new Problems(log, metrics, "drawbridge_frp_problems_total");
  return cachedGrants(frpGrants(kubernetes({ ...cluster, ...access }), problems));
}

function listen(server: Server, port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // In a flood frps asks about hundreds of clients at once; who finds the queue full waits for seconds.
    server.listen({ port, backlog: 4096, ...(host === undefined ? {} : { host }) }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

await runProgram("drawbridge-frp-authorizer", usage, async (argv) => {
  const options = parseOptions(argv);
  const metrics = new Metrics();
  const knowledge = {
    units: unitsFile(options.units, report),
    findGrant: findGrantBy(options, metrics),
    buckets: new Buckets(),
  };
  const port = await listen(authorizerServer(knowledge, metrics, log), options.port, "127.0.0.1");
  const metricsPort = await listen(metricsServer(metrics), options.metricsPort);
  log({ outcome: "listening", port, metricsPort });
  onStop(() => process.exit(0));
});
