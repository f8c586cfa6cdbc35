import { clientLimitsTrials } from "../host/ways/client-limits.trials.ts";
import type { Trial, Trials, Tried } from "../kit/trials.fixture.ts";
import { podMaps, podTrials } from "../kubernetes/args.trials.ts";
import { loadBalancerTrials } from "../kubernetes/load-balancer.trials.ts";
import { resourcesTrials } from "../kubernetes/resources.trials.ts";
import { schedulingTrials, type Terms } from "../kubernetes/scheduling.trials.ts";
import type { sshGatewaySchema } from "./args-checks.ts";

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const tls = { listeners: { tls: { certificate: { secretName: "gateway-tls" } } } };
const issued = { listeners: { tls: { certificate: { issuer: { name: "company" } } } } };
const issuedByOwn = { listeners: { tls: { certificate: { issuerCaSecretName: "company-ca" } } } };
const alice = "spiffe://example.com/user/alice";
const mutual = {
  listeners: { plain: undefined, tls: { certificate: { secretName: "gateway-tls" }, clientCa: pem } },
};
const outside = { egress: { outsideHosts: [{ cidr: "10.20.0.5/32" }] } };
const scaled = { autoscaling: { maxReplicas: 5 } };
const internal = { loadBalancer: { preset: "aws-nlb", scope: "internal" } };
const narrow = { loadBalancer: { sourceRanges: ["10.0.0.0/8"] } };
const existing = {
  loadBalancer: undefined,
  existing: { namespace: "istio-ingress", selector: { istio: "ingressgateway" }, address: "192.0.2.7" },
};

const runner = {
  idle: {
    image: "registry.example.com/programs:1.0.0",
    gpuMetrics: { prometheus: "http://prometheus.monitoring.svc:9090", namespace: "monitoring" },
  },
  egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
};
const run = (value: unknown, verdict = "restarts"): Trial => ({ from: runner, value, verdict });

export const SshGateway: Tried = {
  // Two of one domain are refused, so each has its own.
  base: (name) => ({ domain: `${name}.example.com`, loadBalancer: { preset: "generic" } }),
  trials: {
    name: {
      value: "ssh-renamed",
      verdict: "load-balancer-replaced ssh-listener-changed wall-removed restarts loses",
    },
    namespace: {
      value: "ssh-moved",
      verdict: "load-balancer-replaced ssh-listener-changed wall-removed restarts loses",
    },
    createNamespace: { value: false, verdict: "wall-removed harmless" },
    domain: { value: "other.example.com", verdict: "ssh-listener-changed wall-removed harmless loses" },
    dnsName: { value: "ssh.example.com" },
    "egress.dns": { value: ["10.0.0.53/32"], verdict: "network-wall harmless" },
    "egress.teamPods": { value: true, verdict: "network-wall harmless" },
    "egress.outsideHosts[0].cidr": {
      from: outside,
      value: "10.20.0.6/32",
      verdict: "network-wall harmless loses",
    },
    "egress.outsideHosts[0].ports": { from: outside, value: [2022], verdict: "network-wall harmless loses" },
    "egress.istiod": { value: ["10.0.0.9/32"], verdict: "network-wall harmless" },
    "listeners.plain.port": { value: 8080, verdict: "ssh-listener-changed restarts gains loses" },
    "listeners.tls.port": { from: tls, value: 8443, verdict: "ssh-listener-changed restarts gains loses" },
    "listeners.tls.certificate.secretName": {
      from: tls,
      value: "other-tls",
      verdict: "ssh-listener-changed harmless",
    },
    "listeners.tls.certificate.issuer.name": { from: issued, value: "other" },
    "listeners.tls.certificate.issuer.kind": { from: issued, value: "Issuer" },
    "listeners.tls.certificate.issuerCaSecretName": { from: issuedByOwn, value: "other-ca" },
    "listeners.tls.certificate.caBundle": { from: tls, value: pem, verdict: "unchanged" },
    "listeners.tls.certificate.dnsNames": { from: issued, value: ["ssh.example.org"] },
    "listeners.tls.clientCa": {
      from: tls,
      to: { listeners: { plain: undefined, tls: { clientCa: pem } } },
      verdict: "ssh-listener-changed harmless loses",
    },
    allowIdentities: {
      from: { ...mutual, allowIdentities: [alice] },
      value: [alice, "spiffe://example.com/user/bob"],
      verdict: "gateway-opened ssh-listener-changed harmless",
    },
    ...loadBalancerTrials({
      scope: { from: internal, value: "public", verdict: "gateway-opened harmless" },
      sourceRanges: { from: narrow, value: ["10.0.0.0/8", "0.0.0.0/0"], verdict: "gateway-opened harmless" },
      ipFamilies: { value: ["IPv4", "IPv6"] },
    }),
    ...clientLimitsTrials({ value: 700, verdict: "ssh-listener-changed wall-removed harmless" }),
    replicas: { value: 3 },
    "autoscaling.minReplicas": { from: scaled, value: 3 },
    "autoscaling.maxReplicas": { from: scaled, value: 6 },
    "autoscaling.targetCPUUtilizationPercentage": { from: scaled, value: 50 },
    drainSeconds: { value: 60 },
    "pod.terminationGracePeriodSeconds": { value: 7200 },
    rejectEarlyConnectData: { value: false, verdict: "ssh-listener-changed wall-removed harmless" },
    audit: { value: false, verdict: "ssh-listener-changed wall-removed harmless" },
    image: { value: "registry.example.com/proxyv2:1.30.0", verdict: "cluster-rights restarts" },
    imagePullPolicy: { value: "Always" },
    istioRevision: { value: "canary" },
    ...resourcesTrials("resources"),
    "idle.image": run("registry.example.com/other/programs:2.0.0", "cluster-rights restarts"),
    ...resourcesTrials("idle.resources", { from: runner }),
    "idle.periodSeconds": run(60),
    "idle.wakesPerHour": run(3),
    "idle.wakeQuietSeconds": run(120),
    "egress.apiServer[0].cidr": run("192.0.2.0/24", "network-wall harmless"),
    "egress.apiServer[0].ports": run([16443], "network-wall harmless loses"),
    "idle.gpuMetrics.prometheus": run("http://other.monitoring.svc:9090"),
    "idle.gpuMetrics.namespace": run("other", "network-wall harmless loses"),
    "idle.gpuMetrics.query": run('max(gpu{pod="POD"})'),
    ...schedulingTrials(),
    ...podTrials(),
    admissionPolicy: { value: false, verdict: "wall-removed harmless" },
    "existing.namespace": {
      from: existing,
      value: "other",
      verdict: "ssh-listener-changed wall-removed harmless loses",
    },
    "existing.selector": {
      from: existing,
      value: { istio: "other" },
      verdict: "gateway-opened ssh-listener-changed harmless",
    },
    "existing.address": { from: existing, value: "192.0.2.8", verdict: "unchanged" },
  } satisfies Trials<typeof sshGatewaySchema, Terms>,
  parts: { maps: { to: podMaps } },
  full: {
    ...scaled,
    listeners: { plain: undefined, tls: { certificate: issued.listeners.tls.certificate, clientCa: pem } },
    allowIdentities: [alice],
    domain: "example.com",
    dnsName: "ssh.example.com",
    loadBalancer: { preset: "aws-nlb", sourceRanges: ["10.0.0.0/8"] },
    idle: runner.idle,
    egress: { ...runner.egress, ...outside.egress, teamPods: true },
  },
};
