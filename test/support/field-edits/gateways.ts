import type { FieldEdits } from "./edit.ts";
import { gatewayIdleEdits } from "./idle.ts";
import { loadBalancerEdits } from "./load-balancer.ts";
import { podMetadataEdits } from "./pod-metadata.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

/** What every gateway of the test has. Two of one domain are refused, so each has its own. */
export const gatewayBase = (name: string) => ({
  domain: `${name}.example.com`,
  loadBalancer: { preset: "generic" },
});

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const tls = { listeners: { tls: { certificate: { secretName: "gateway-tls" } } } };
const issued = { listeners: { tls: { certificate: { issuer: { name: "company" } } } } };
const mutual = {
  listeners: { plain: undefined, tls: { certificate: { secretName: "gateway-tls" }, clientCa: pem } },
};
const scaled = { autoscaling: { maxReplicas: 5 } };
const internal = { loadBalancer: { preset: "aws-nlb", scope: "internal" } };
const narrow = { loadBalancer: { sourceRanges: ["10.0.0.0/8"] } };
const existing = {
  loadBalancer: undefined,
  existing: { namespace: "istio-ingress", selector: { istio: "ingressgateway" }, address: "192.0.2.7" },
};

export const gatewayEdits: FieldEdits = {
  name: {
    to: { name: "renamed" },
    verdict: "load-balancer-replaced ssh-listener-changed wall-removed restarts loses",
  },
  namespace: {
    to: { namespace: "renamed" },
    verdict: "load-balancer-replaced ssh-listener-changed wall-removed restarts loses",
  },
  createNamespace: { to: { createNamespace: false }, verdict: "wall-removed harmless" },
  domain: {
    to: { domain: "other.example.com" },
    verdict: "ssh-listener-changed wall-removed harmless loses",
  },
  dnsName: { to: { dnsName: "ssh.example.com" } },
  "egress.dns": { to: { egress: { dns: ["10.0.0.53/32"] } }, verdict: "network-wall harmless" },
  "egress.teamPods": { to: { egress: { teamPods: true } }, verdict: "network-wall harmless" },
  "egress.outsideHosts[0].cidr": {
    from: { egress: { outsideHosts: [{ cidr: "10.20.0.5/32" }] } },
    to: { egress: { outsideHosts: [{ cidr: "10.20.0.6/32" }] } },
    verdict: "network-wall harmless loses",
  },
  "egress.outsideHosts[0].ports": {
    from: { egress: { outsideHosts: [{ cidr: "10.20.0.5/32" }] } },
    to: { egress: { outsideHosts: [{ cidr: "10.20.0.5/32", ports: [2022] }] } },
    verdict: "network-wall harmless loses",
  },
  "egress.istiod": { to: { egress: { istiod: ["10.0.0.9/32"] } }, verdict: "network-wall harmless" },
  "listeners.plain.port": {
    to: { listeners: { plain: { port: 8080 } } },
    verdict: "ssh-listener-changed restarts gains loses",
  },
  "listeners.tls.port": {
    from: tls,
    to: { listeners: { tls: { port: 8443 } } },
    verdict: "ssh-listener-changed restarts gains loses",
  },
  "listeners.tls.certificate.secretName": {
    from: tls,
    to: { listeners: { tls: { certificate: { secretName: "other-tls" } } } },
    verdict: "ssh-listener-changed harmless",
  },
  "listeners.tls.certificate.issuer.name": {
    from: issued,
    to: { listeners: { tls: { certificate: { issuer: { name: "other" } } } } },
  },
  "listeners.tls.certificate.issuer.kind": {
    from: issued,
    to: { listeners: { tls: { certificate: { issuer: { kind: "Issuer" } } } } },
  },
  "listeners.tls.certificate.issuerCaSecretName": {
    from: { listeners: { tls: { certificate: { issuerCaSecretName: "company-ca" } } } },
    to: { listeners: { tls: { certificate: { issuerCaSecretName: "other-ca" } } } },
  },
  "listeners.tls.certificate.caBundle": {
    from: tls,
    to: { listeners: { tls: { certificate: { caBundle: pem } } } },
    verdict: "unchanged",
  },
  "listeners.tls.certificate.dnsNames": {
    from: issued,
    to: { listeners: { tls: { certificate: { dnsNames: ["ssh.example.org"] } } } },
  },
  "listeners.tls.clientCa": {
    from: tls,
    to: { listeners: { plain: undefined, tls: { clientCa: pem } } },
    verdict: "ssh-listener-changed harmless loses",
  },
  allowIdentities: {
    from: { ...mutual, allowIdentities: ["spiffe://example.com/user/alice"] },
    to: { allowIdentities: ["spiffe://example.com/user/alice", "spiffe://example.com/user/bob"] },
    verdict: "gateway-opened ssh-listener-changed harmless",
  },
  ...loadBalancerEdits,
  "loadBalancer.scope": {
    from: internal,
    to: { loadBalancer: { scope: "public" } },
    verdict: "gateway-opened harmless",
  },
  "loadBalancer.sourceRanges": {
    from: narrow,
    to: { loadBalancer: { sourceRanges: ["10.0.0.0/8", "0.0.0.0/0"] } },
    verdict: "gateway-opened harmless",
  },
  "loadBalancer.ipFamilies": { to: { loadBalancer: { ipFamilies: ["IPv4", "IPv6"] } } },
  ...Object.fromEntries(
    ["perClient", "perClientAndContainer"].flatMap((client) =>
      ["connectionsPerMinute", "burst"].map((rate) => [
        `connectionLimits.${client}.${rate}`,
        {
          to: { connectionLimits: { [client]: { [rate]: 700 } } },
          verdict: "ssh-listener-changed wall-removed harmless",
        },
      ]),
    ),
  ),
  replicas: { to: { replicas: 3 } },
  "autoscaling.minReplicas": { from: scaled, to: { autoscaling: { minReplicas: 3 } } },
  "autoscaling.maxReplicas": { from: scaled, to: { autoscaling: { maxReplicas: 6 } } },
  "autoscaling.targetCPUUtilizationPercentage": {
    from: scaled,
    to: { autoscaling: { targetCPUUtilizationPercentage: 50 } },
  },
  drainSeconds: { to: { drainSeconds: 60 } },
  terminationGracePeriodSeconds: { to: { terminationGracePeriodSeconds: 7200 } },
  rejectEarlyConnectData: {
    to: { rejectEarlyConnectData: false },
    verdict: "ssh-listener-changed wall-removed harmless",
  },
  audit: { to: { audit: false }, verdict: "ssh-listener-changed wall-removed harmless" },
  image: { to: { image: "registry.example.com/proxyv2:1.30.0" } },
  imagePullPolicy: { to: { imagePullPolicy: "Always" } },
  istioRevision: { to: { istioRevision: "canary" } },
  ...resourcesEdits("resources", (resources) => ({ resources })),
  ...gatewayIdleEdits,
  ...schedulingEdits(),
  ...podMetadataEdits(),
  admissionPolicy: { to: { admissionPolicy: false }, verdict: "wall-removed harmless" },
  "existing.namespace": {
    from: existing,
    to: { existing: { namespace: "other" } },
    verdict: "ssh-listener-changed wall-removed harmless loses",
  },
  "existing.selector": {
    from: existing,
    to: { existing: { selector: { istio: "other" } } },
    verdict: "gateway-opened ssh-listener-changed harmless",
  },
  "existing.address": { from: existing, to: { existing: { address: "192.0.2.8" } }, verdict: "unchanged" },
};
