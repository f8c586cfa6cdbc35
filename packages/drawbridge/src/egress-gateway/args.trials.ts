import type { Trials, Tried } from "../kit/trials.fixture.ts";
import { podMaps, podTrials } from "../kubernetes/args.trials.ts";
import { resourcesTrials } from "../kubernetes/resources.trials.ts";
import { schedulingTrials, type Terms } from "../kubernetes/scheduling.trials.ts";
import type { egressGatewaySchema } from "./args.ts";

const scaled = { autoscaling: { maxReplicas: 5 } };

export const EgressGateway: Tried = {
  base: () => ({
    authorizer: { image: "registry.example.com/team/programs:1.0.0" },
    egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
  }),
  trials: {
    name: { value: "egress-renamed", verdict: "wall-removed restarts loses" },
    namespace: { value: "egress-moved", verdict: "wall-removed restarts loses" },
    createNamespace: { value: false, verdict: "wall-removed harmless" },
    replicas: { value: 3 },
    "autoscaling.minReplicas": { from: scaled, value: 3 },
    "autoscaling.maxReplicas": { from: scaled, value: 6 },
    "autoscaling.targetCPUUtilizationPercentage": { from: scaled, value: 50 },
    tunnelsPerContainer: { value: 500 },
    drainSeconds: { value: 30 },
    resolvers: { value: ["192.0.2.53"] },
    "egress.apiServer[0].cidr": { value: "192.0.2.0/24", verdict: "network-wall restarts" },
    "egress.apiServer[0].ports": { value: [16443], verdict: "network-wall harmless loses" },
    "egress.deny": { value: ["203.0.113.0/24"] },
    "egress.dns": { value: ["192.0.2.53/32"], verdict: "network-wall harmless" },
    metricsNamespaces: { value: ["monitoring"], verdict: "network-wall harmless" },
    image: { value: "registry.example.com/envoy:2", verdict: "cluster-rights restarts" },
    "authorizer.image": {
      value: "registry.example.com/other/programs:2.0.0",
      verdict: "cluster-rights restarts",
    },
    imagePullPolicy: { value: "Always" },
    ...resourcesTrials("resources"),
    ...resourcesTrials("authorizer.resources"),
    ...schedulingTrials(),
    ...podTrials(),
    wait: { value: false },
  } satisfies Trials<typeof egressGatewaySchema, Terms>,
  parts: { maps: { to: podMaps } },
};
