import type { FieldEdits } from "./edit.ts";
import { loadBalancerEdits } from "./load-balancer.ts";
import { podMetadataEdits } from "./pod-metadata.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

/** What every proxy of the test has. */
export const storageProxyBase = { loadBalancer: { preset: "generic" } };

export const storageProxyEdits: FieldEdits = {
  name: { value: "renamed", verdict: "load-balancer-replaced wall-removed restarts loses" },
  namespace: { value: "renamed", verdict: "load-balancer-replaced wall-removed restarts loses" },
  createNamespace: { value: false, verdict: "wall-removed harmless" },
  dnsName: { value: "files.example.com" },
  port: { value: 8080 },
  "tls.secretName": { from: { tls: { secretName: "files-tls" } }, value: "other-tls" },
  ...loadBalancerEdits,
  "loadBalancer.scope": {
    from: { loadBalancer: { preset: "aks" } },
    value: "public",
    verdict: "gateway-opened harmless",
  },
  "loadBalancer.sourceRanges": { value: ["10.0.0.0/8"], verdict: "harmless loses" },
  "loadBalancer.ipFamilies": { value: ["IPv6"] },
  replicas: { value: 3 },
  drainSeconds: { value: 30 },
  image: { value: "registry.example.com/envoy:2", verdict: "cluster-rights restarts" },
  imagePullPolicy: { value: "Always" },
  imagePullSecrets: { value: ["registry"] },
  ...resourcesEdits("resources"),
  ...schedulingEdits(),
  ...podMetadataEdits(),
  "egress.dns": { value: ["192.0.2.53/32"], verdict: "network-wall harmless" },
};
