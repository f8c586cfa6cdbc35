import type { FieldEdits } from "./edit.ts";
import { loadBalancerEdits } from "./load-balancer.ts";
import { podMetadataEdits } from "./pod-metadata.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

/** What every FrpServer of the test has, besides its name. */
export const frpServerBase = {
  domain: "ssh.example.com",
  seed: "only-for-tests-frp-0123456789abcdef0123456789",
  authorizer: { image: "registry.example.com/team/programs:1.0.0" },
  egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
  loadBalancer: { preset: "generic" },
};

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const own = { tls: { secretName: "frp-tls", caBundle: pem } };
const unit = {
  namespace: "team-b",
  name: "dev1",
  tokenSha256: "a".repeat(64),
  domains: ["dev.ssh.example.com"],
};
const units = { containers: [unit] };
const unitEdit = (change: object, verdict: string) => ({
  from: units,
  to: { containers: [{ ...unit, ...change }] },
  verdict,
});

const connectTls = {
  dnsName: "frp.example.com",
  secretName: "connect-tls",
  gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
};
const connectTlsEdit = (change: object, verdict: string) => ({
  from: { connectTls },
  to: { connectTls: { ...connectTls, ...change } },
  verdict,
});

export const frpServerEdits: FieldEdits = {
  seed: { to: { seed: "only-for-tests-other-0123456789abcdef0123456789" } },
  name: {
    to: { name: "renamed" },
    verdict: "load-balancer-replaced wall-removed restarts loses",
  },
  namespace: {
    to: { namespace: "renamed" },
    verdict: "load-balancer-replaced wall-removed restarts loses",
  },
  createNamespace: { to: { createNamespace: false }, verdict: "wall-removed harmless" },
  domain: { to: { domain: "other.example.com" } },
  serverPort: { to: { serverPort: 7001 } },
  connectPort: { to: { connectPort: 1338 } },
  exposeServerPort: { to: { exposeServerPort: true }, verdict: "network-wall harmless" },
  "tls.secretName": { from: own, to: { tls: { secretName: "other-tls" } } },
  "tls.caBundle": { from: own, to: { tls: { caBundle: pem.replace("MIIB", "MIIC") } } },
  "connectTls.dnsName": connectTlsEdit({ dnsName: "other.example.com" }, "harmless gains loses"),
  "connectTls.port": connectTlsEdit({ port: 8443 }, "harmless gains loses"),
  "connectTls.secretName": connectTlsEdit({ secretName: "other-tls" }, "harmless"),
  "connectTls.gateway.namespace": connectTlsEdit(
    { gateway: { ...connectTls.gateway, namespace: "other" } },
    "network-wall harmless loses",
  ),
  "connectTls.gateway.selector": connectTlsEdit(
    { gateway: { ...connectTls.gateway, selector: { istio: "other" } } },
    "network-wall harmless loses",
  ),
  ...loadBalancerEdits,
  "loadBalancer.scope": {
    from: { loadBalancer: { preset: "gke" } },
    to: { loadBalancer: { scope: "public" } },
    verdict: "gateway-opened harmless",
  },
  "loadBalancer.sourceRanges": {
    from: { loadBalancer: { sourceRanges: ["10.0.0.0/8"] } },
    to: { loadBalancer: { sourceRanges: [] } },
    verdict: "gateway-opened harmless",
  },
  "loadBalancer.ipFamilies": { to: { loadBalancer: { ipFamilies: ["IPv4"] } } },
  "containers[0].namespace": unitEdit({ namespace: "team-c" }, "harmless gains loses"),
  "containers[0].name": unitEdit({ name: "dev2" }, "harmless gains loses"),
  "containers[0].tokenSha256": unitEdit({ tokenSha256: "b".repeat(64) }, "harmless gains"),
  "containers[0].domains": unitEdit({ domains: ["other.ssh.example.com"] }, "harmless gains loses"),
  "containers[0].revoked": unitEdit({ revoked: true }, "harmless loses"),
  ...Object.fromEntries(
    ["perClient", "perClientAndContainer"].flatMap((client) =>
      ["connectionsPerMinute", "burst"].map((rate) => [
        `connectionLimits.${client}.${rate}`,
        { to: { connectionLimits: { [client]: { [rate]: 7 } } }, verdict: "harmless" },
      ]),
    ),
  ),
  "egress.apiServer[0].cidr": {
    to: { egress: { apiServer: [{ cidr: "192.0.2.0/24" }] } },
    verdict: "network-wall harmless",
  },
  "egress.apiServer[0].ports": {
    to: { egress: { apiServer: [{ cidr: "192.0.2.10/32", ports: [16443] }] } },
    verdict: "network-wall harmless loses",
  },
  metricsNamespaces: { to: { metricsNamespaces: ["monitoring"] }, verdict: "network-wall harmless" },
  image: { to: { image: "fatedier/frps:v0.71.0" } },
  "authorizer.image": {
    to: { authorizer: { image: "registry.example.com/team/programs:2.0.0" } },
  },
  imagePullPolicy: { to: { imagePullPolicy: "Always" } },
  ...resourcesEdits("resources", (resources) => ({ resources })),
  ...resourcesEdits("authorizer.resources", (resources) => ({ authorizer: { resources } })),
  ...schedulingEdits(),
  ...podMetadataEdits(),
  wait: { to: { wait: false } },
};
