import type { Trials, Tried } from "../kit/trials.fixture.ts";
import { podMaps, podTrials } from "../kubernetes/args.trials.ts";
import { loadBalancerTrials } from "../kubernetes/load-balancer.trials.ts";
import { resourcesTrials } from "../kubernetes/resources.trials.ts";
import { schedulingTrials, type Terms } from "../kubernetes/scheduling.trials.ts";
import type { storageProxySchema } from "./args.ts";

export const StorageProxy: Tried = {
  base: () => ({ loadBalancer: { preset: "generic" } }),
  trials: {
    name: { value: "files-renamed", verdict: "load-balancer-replaced wall-removed restarts loses" },
    namespace: { value: "files-moved", verdict: "load-balancer-replaced wall-removed restarts loses" },
    createNamespace: { value: false, verdict: "wall-removed harmless" },
    dnsName: { value: "files.example.com" },
    port: { value: 8080 },
    "tls.secretName": { from: { tls: { secretName: "files-tls" } }, value: "other-tls" },
    ...loadBalancerTrials({
      scope: {
        from: { loadBalancer: { preset: "aks" } },
        value: "public",
        verdict: "gateway-opened harmless",
      },
      sourceRanges: { value: ["10.0.0.0/8"], verdict: "harmless loses" },
      ipFamilies: { value: ["IPv6"] },
    }),
    replicas: { value: 3 },
    drainSeconds: { value: 30 },
    image: { value: "registry.example.com/envoy:2", verdict: "cluster-rights restarts" },
    imagePullPolicy: { value: "Always" },
    ...resourcesTrials("resources"),
    ...schedulingTrials(),
    ...podTrials(),
    "egress.dns": { value: ["192.0.2.53/32"], verdict: "network-wall harmless" },
  } satisfies Trials<typeof storageProxySchema, Terms>,
  parts: { maps: { to: podMaps } },
  full: {
    dnsName: "files.example.com",
    tls: { secretName: "files-tls" },
    egress: { dns: ["192.0.2.53/32"] },
  },
};
