import type { FieldEdits } from "./edit.ts";
import { loadBalancerEdits } from "./load-balancer.ts";
import { podMetadataEdits } from "./pod-metadata.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

/** What every proxy of the test has. */
export const storageProxyBase = { loadBalancer: { preset: "generic" } };

export const storageProxyEdits: FieldEdits = {
  name: {
    to: { name: "renamed" },
    verdict: "load-balancer-replaced wall-removed restarts loses",
  },
  namespace: {
    to: { namespace: "renamed" },
    verdict: "load-balancer-replaced wall-removed restarts loses",
  },
  createNamespace: { to: { createNamespace: false }, verdict: "wall-removed harmless" },
  mode: {
    from: { dnsName: "files.example.com" },
    to: { mode: "istio" },
    verdict: "restarts gains",
  },
  dnsName: { to: { dnsName: "files.example.com" } },
  port: { to: { port: 8080 } },
  "tls.secretName": {
    from: { tls: { secretName: "files-tls" } },
    to: { tls: { secretName: "other-tls" } },
  },
  ...loadBalancerEdits,
  "loadBalancer.scope": {
    from: { loadBalancer: { preset: "aks" } },
    to: { loadBalancer: { scope: "public" } },
    verdict: "gateway-opened harmless",
  },
  "loadBalancer.sourceRanges": {
    to: { loadBalancer: { sourceRanges: ["10.0.0.0/8"] } },
    verdict: "harmless loses",
  },
  "loadBalancer.ipFamilies": { to: { loadBalancer: { ipFamilies: ["IPv6"] } } },
  replicas: { to: { replicas: 3 } },
  drainSeconds: { to: { drainSeconds: 30 } },
  image: { to: { image: "registry.example.com/envoy:2" } },
  imagePullPolicy: { to: { imagePullPolicy: "Always" } },
  istioRevision: {
    from: { mode: "istio", dnsName: "files.example.com" },
    to: { istioRevision: "canary" },
  },
  ...resourcesEdits("resources", (resources) => ({ resources })),
  ...schedulingEdits(),
  ...podMetadataEdits(),
  "egress.dns": { to: { egress: { dns: ["192.0.2.53/32"] } }, verdict: "network-wall harmless" },
  "egress.istiod": {
    from: { mode: "istio", dnsName: "files.example.com" },
    to: { egress: { istiod: ["192.0.2.1/32"] } },
    verdict: "network-wall harmless",
  },
};
