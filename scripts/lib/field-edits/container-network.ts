/** Edits of a container's ways in and out. */
import { bob, gateway } from "./container-base.ts";
import type { FieldEdit, FieldEdits } from "./edit.ts";

const token = "only-for-tests-token-0123456789abcdef";
const ca = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const otherCa = ca.replace("MIIB", "MIIC");
const names = { serverAddr: "frps.example.com", domain: "ssh.example.com" };
const throughFrp = (server: object) => ({
  access: { frp: { address: "frp.example.com", token, ...server } },
});
const elsewhere = throughFrp({ external: { ...names, unverifiedTls: true } });
const verified = throughFrp({ external: { ...names, caBundle: ca } });
const ours = throughFrp({
  server: { ...names, caBundle: ca, authorizer: { namespace: "frp", serviceAccountName: "frp" } },
});
const mutual = { access: { gateway: { ...gateway, tlsPort: 443, mutualTls: true } } };

const external = (value: unknown, verdict: string): FieldEdit => ({ from: elsewhere, value, verdict });
const server = (value: unknown, verdict: string): FieldEdit => ({ from: ours, value, verdict });

const port = { ports: [{ name: "web", port: 8080 }] };
const primary = { ports: [{ name: "web", port: 8080, primary: true }] };
const peer = { ingress: [{ namespace: "web", podLabels: { app: "a" }, ports: [8080] }] };
const allowed = { egress: { allow: [{ cidr: "10.0.0.0/8", ports: [443] }] } };

export const containerNetworkEdits: FieldEdits = {
  "access.gateway.version": { value: 1, verdict: "unchanged" },
  "access.address": { value: "192.0.2.8", verdict: "unchanged" },
  "access.gateway.name": { value: "gw2", verdict: "network-wall harmless loses" },
  "access.gateway.namespace": { value: "gw2", verdict: "network-wall harmless loses" },
  "access.gateway.domain": { value: "other.example.com", verdict: "harmless gains loses" },
  "access.gateway.plainPort": { value: 8080, verdict: "unchanged" },
  "access.gateway.tlsPort": { value: 443, verdict: "unchanged" },
  "access.gateway.mutualTls": { to: mutual, verdict: "unchanged" },
  "access.gateway.address": { value: "192.0.2.8", verdict: "unchanged" },
  "access.gateway.teamPods": { value: true, verdict: "unchanged" },
  "access.gateway.outsideHosts": { value: true, verdict: "unchanged" },
  "access.gateway.selector": { value: { app: "gw" }, verdict: "network-wall harmless loses" },
  "access.allowIdentities": {
    from: mutual,
    to: {
      access: { gateway: { plainPort: undefined }, allowIdentities: ["spiffe://example.com/user/alice"] },
    },
  },
  "access.frp.enabled": external(false, "restarts loses"),
  "access.frp.username": external("jovyan", "unchanged"),
  "access.frp.authorizedKeys": external([bob], "harmless gains"),
  // frpc alone restarts, without its pod, when its file has changed.
  "access.frp.external.serverAddr": external("other.example.com", "route-wall harmless"),
  "access.frp.external.serverPort": external(7001, "harmless gains loses"),
  "access.frp.external.serverName": { from: verified, value: "other.example.com", verdict: "harmless" },
  "access.frp.external.caBundle": { from: verified, value: otherCa, verdict: "harmless" },
  "access.frp.external.unverifiedTls": {
    from: verified,
    to: { access: { frp: { external: { caBundle: undefined, unverifiedTls: true } } } },
    verdict: "restarts",
  },
  "access.frp.external.connectPort": external(1338, "unchanged"),
  "access.frp.external.connectTls": external(true, "unchanged"),
  "access.frp.external.domain": external("other.example.com", "harmless"),
  "access.frp.server.version": server(1, "unchanged"),
  "access.frp.server.serverAddr": server("other.example.com", "route-wall harmless"),
  "access.frp.server.serverPort": server(7001, "harmless"),
  "access.frp.server.serverName": server("other.example.com", "harmless"),
  "access.frp.server.caBundle": server(otherCa, "harmless"),
  "access.frp.server.address": server("other.example.com", "unchanged"),
  "access.frp.server.connectPort": server(1338, "unchanged"),
  "access.frp.server.connectTls": server(true, "unchanged"),
  "access.frp.server.domain": server("other.example.com", "harmless"),
  "access.frp.server.authorizer.namespace": server("other", "cluster-rights harmless loses"),
  "access.frp.server.authorizer.serviceAccountName": server("other", "cluster-rights harmless loses"),
  "access.frp.address": external("other.example.com", "unchanged"),
  "access.frp.customDomain": external("own.ssh.example.com", "harmless"),
  "access.frp.token": external("another-token-0123456789abcdef0123456789", "harmless"),
  "access.frp.image": external("fatedier/frpc:v0.71.0", "restarts"),
  "access.sshpod.users": { value: ["alice"] },
  "access.sshpod.groups": {
    from: { access: { sshpod: { users: ["alice"] } } },
    value: ["team-a"],
    verdict: "harmless gains",
  },
  "ports[0].name": { from: port, value: "api" },
  "ports[0].port": { from: port, value: 8081 },
  "ports[0].scheme": { from: primary, value: "https", verdict: "unchanged" },
  "ports[0].primary": { from: port, value: true },
  "ports[0].throughGateway": { from: port, value: true },
  "ingress[0].namespace": { from: peer, value: "other", verdict: "network-wall harmless loses" },
  "ingress[0].podLabels": { from: peer, value: { app: "b" }, verdict: "network-wall harmless loses" },
  "ingress[0].ports": { from: peer, value: [8080, 9090], verdict: "network-wall harmless loses" },
  "egress.internet": { value: false },
  "egress.deny": { value: ["203.0.113.0/24"] },
  "egress.allow[0].cidr": { from: allowed, value: "10.1.0.0/16" },
  "egress.allow[0].ports": { from: allowed, value: [444], verdict: "network-wall harmless loses" },
  "egress.dns": { value: ["10.0.0.53/32"], verdict: "network-wall harmless" },
};
