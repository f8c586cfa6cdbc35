import { clientLimitsTrials } from "../host/ways/client-limits.trials.ts";
import type { Trials, Tried } from "../kit/trials.fixture.ts";
import { podMaps, podTrials } from "../kubernetes/args.trials.ts";
import { loadBalancerTrials } from "../kubernetes/load-balancer.trials.ts";
import { resourcesTrials } from "../kubernetes/resources.trials.ts";
import { schedulingTrials, type Terms } from "../kubernetes/scheduling.trials.ts";
import type { frpServerSchema } from "./args.ts";

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const own = { tls: { secretName: "frp-tls", caBundle: pem } };
const hashOf = (letter: string) => letter.repeat(64);
const unit = {
  containers: [
    { namespace: "team-b", name: "dev1", tokenSha256: hashOf("a"), domains: ["dev.ssh.example.com"] },
  ],
};
const encrypted = {
  connectTls: {
    dnsName: "frp.example.com",
    secretName: "connect-tls",
    gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
  },
};

export const FrpServer: Tried = {
  base: () => ({
    domain: "ssh.example.com",
    seed: "only-for-tests-frp-0123456789abcdef0123456789",
    authorizer: { image: "registry.example.com/team/programs:1.0.0" },
    egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
    loadBalancer: { preset: "generic" },
  }),
  trials: {
    seed: { value: "only-for-tests-other-0123456789abcdef0123456789" },
    name: { value: "frp-renamed", verdict: "load-balancer-replaced wall-removed restarts loses" },
    namespace: { value: "frp-moved", verdict: "load-balancer-replaced wall-removed restarts loses" },
    createNamespace: { value: false, verdict: "wall-removed harmless" },
    domain: { value: "other.example.com" },
    serverPort: { value: 7001 },
    connectPort: { value: 1338 },
    exposeServerPort: { value: true, verdict: "network-wall harmless" },
    "tls.secretName": { from: own, value: "other-tls" },
    "tls.caBundle": { from: own, value: pem.replace("MIIB", "MIIC") },
    "connectTls.dnsName": { from: encrypted, value: "other.example.com", verdict: "harmless gains loses" },
    "connectTls.port": { from: encrypted, value: 8443, verdict: "harmless gains loses" },
    "connectTls.secretName": { from: encrypted, value: "other-tls", verdict: "harmless" },
    "connectTls.gateway.namespace": {
      from: encrypted,
      value: "other",
      verdict: "network-wall harmless loses",
    },
    "connectTls.gateway.selector": {
      from: encrypted,
      value: { istio: "other" },
      verdict: "network-wall harmless loses",
    },
    ...loadBalancerTrials({
      scope: {
        from: { loadBalancer: { preset: "gke" } },
        value: "public",
        verdict: "gateway-opened harmless",
      },
      sourceRanges: {
        from: { loadBalancer: { sourceRanges: ["10.0.0.0/8"] } },
        value: [],
        verdict: "gateway-opened harmless",
      },
      ipFamilies: { value: ["IPv4"] },
    }),
    "containers[0].namespace": { from: unit, value: "team-c", verdict: "harmless gains loses" },
    "containers[0].name": { from: unit, value: "dev2", verdict: "harmless gains loses" },
    "containers[0].tokenSha256": { from: unit, value: hashOf("b"), verdict: "harmless gains" },
    "containers[0].domains": {
      from: unit,
      value: ["other.ssh.example.com"],
      verdict: "harmless gains loses",
    },
    "containers[0].revoked": { from: unit, value: true, verdict: "harmless loses" },
    ...clientLimitsTrials({ value: 7, verdict: "harmless" }),
    "egress.apiServer[0].cidr": { value: "192.0.2.0/24", verdict: "network-wall harmless" },
    "egress.apiServer[0].ports": { value: [16443], verdict: "network-wall harmless loses" },
    metricsNamespaces: { value: ["monitoring"], verdict: "network-wall harmless" },
    image: { value: "registry.example.com/frps:v0.71.0", verdict: "cluster-rights restarts" },
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
  } satisfies Trials<typeof frpServerSchema, Terms>,
  parts: { maps: { to: podMaps } },
  full: { ...unit, ...encrypted, ...own, exposeServerPort: true, metricsNamespaces: ["monitoring"] },
};
