/** Edits of a container's ways in and out. */
import { bob, gateway } from "./container-base.ts";
import type { FieldEdits } from "./edit.ts";

const token = "only-for-tests-token-0123456789abcdef";

const ca = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const names = { serverAddr: "frps.example.com", domain: "ssh.example.com" };
const elsewhere = {
  external: { ...names, unverifiedTls: true },
  connectAddress: "frp.example.com",
  token,
};
const ours = {
  server: { ...names, caBundle: ca, authorizer: { namespace: "frp", serviceAccountName: "frp" } },
  connectAddress: "frp.example.com",
  token,
};
const changed = (before: object, after: object, verdict: string) => ({
  from: { access: { frp: before } },
  to: { access: { frp: after } },
  verdict,
});
const frpEdit = (change: object, verdict: string) => changed(elsewhere, { ...elsewhere, ...change }, verdict);
const externalEdit = (change: object, verdict: string, before: object = {}) => {
  const external = { ...elsewhere.external, ...before };
  return changed({ ...elsewhere, external }, { ...elsewhere, external: { ...external, ...change } }, verdict);
};
const serverEdit = (change: object, verdict: string) =>
  changed(ours, { ...ours, server: { ...ours.server, ...change } }, verdict);
const accountEdit = (change: object) =>
  serverEdit({ authorizer: { ...ours.server.authorizer, ...change } }, "cluster-rights harmless loses");
const gatewayEdit = (change: object, verdict: string) => ({
  to: { access: { gateway: { ...gateway, ...change } } },
  verdict,
});
const verified = { caBundle: ca, unverifiedTls: undefined };
const port = { ports: [{ name: "web", port: 8080 }] };
const peer = { ingress: [{ namespace: "web", podLabels: { app: "a" }, ports: [8080] }] };
const allowed = { egress: { allow: [{ cidr: "10.0.0.0/8", ports: [443] }] } };

export const containerNetworkEdits: FieldEdits = {
  "access.gateway.version": gatewayEdit({ version: 1 }, "unchanged"),
  "access.gatewayAddress": { to: { access: { gatewayAddress: "192.0.2.8" } }, verdict: "unchanged" },
  "access.gateway.name": gatewayEdit({ name: "gw2" }, "network-wall harmless loses"),
  "access.gateway.namespace": gatewayEdit({ namespace: "gw2" }, "network-wall harmless loses"),
  "access.gateway.domain": gatewayEdit({ domain: "other.example.com" }, "harmless gains loses"),
  "access.gateway.plainPort": gatewayEdit({ plainPort: 8080 }, "unchanged"),
  "access.gateway.tlsPort": gatewayEdit({ tlsPort: 443 }, "unchanged"),
  "access.gateway.mutualTls": gatewayEdit({ tlsPort: 443, mutualTls: true }, "unchanged"),
  "access.gateway.address": gatewayEdit({ address: "192.0.2.8" }, "unchanged"),
  "access.gateway.teamPods": gatewayEdit({ teamPods: true }, "unchanged"),
  "access.gateway.outsideHosts": gatewayEdit({ outsideHosts: true }, "unchanged"),
  "access.gateway.selector": gatewayEdit({ selector: { app: "gw" } }, "network-wall harmless loses"),
  "access.allowIdentities": {
    from: { access: { gateway: { ...gateway, tlsPort: 443, mutualTls: true } } },
    to: {
      access: {
        gateway: { ...gateway, plainPort: undefined, tlsPort: 443, mutualTls: true },
        allowIdentities: ["spiffe://example.com/user/alice"],
      },
    },
  },
  "access.frp.enabled": frpEdit({ enabled: false }, "restarts loses"),
  "access.frp.username": frpEdit({ username: "jovyan" }, "unchanged"),
  "access.frp.authorizedKeys": frpEdit({ authorizedKeys: [bob] }, "harmless gains"),
  // frpc alone restarts, without its pod, when its file has changed.
  "access.frp.external.serverAddr": externalEdit({ serverAddr: "other.example.com" }, "route-wall harmless"),
  "access.frp.external.serverPort": externalEdit({ serverPort: 7001 }, "harmless gains loses"),
  "access.frp.external.serverName": externalEdit({ serverName: "other.example.com" }, "harmless", verified),
  "access.frp.external.caBundle": externalEdit(
    { caBundle: ca.replace("MIIB", "MIIC") },
    "harmless",
    verified,
  ),
  "access.frp.external.unverifiedTls": externalEdit(
    { caBundle: undefined, unverifiedTls: true },
    "restarts",
    verified,
  ),
  "access.frp.external.connectPort": externalEdit({ connectPort: 1338 }, "unchanged"),
  "access.frp.external.connectTls": externalEdit({ connectTls: true }, "unchanged"),
  "access.frp.external.domain": externalEdit({ domain: "other.example.com" }, "harmless"),
  "access.frp.server.version": serverEdit({ version: 1 }, "unchanged"),
  "access.frp.server.serverAddr": serverEdit({ serverAddr: "other.example.com" }, "route-wall harmless"),
  "access.frp.server.serverPort": serverEdit({ serverPort: 7001 }, "harmless"),
  "access.frp.server.serverName": serverEdit({ serverName: "other.example.com" }, "harmless"),
  "access.frp.server.caBundle": serverEdit({ caBundle: ca.replace("MIIB", "MIIC") }, "harmless"),
  "access.frp.server.connectAddress": serverEdit({ connectAddress: "other.example.com" }, "unchanged"),
  "access.frp.server.connectPort": serverEdit({ connectPort: 1338 }, "unchanged"),
  "access.frp.server.connectTls": serverEdit({ connectTls: true }, "unchanged"),
  "access.frp.server.domain": serverEdit({ domain: "other.example.com" }, "harmless"),
  "access.frp.server.authorizer.namespace": accountEdit({ namespace: "other" }),
  "access.frp.server.authorizer.serviceAccountName": accountEdit({ serviceAccountName: "other" }),
  "access.frp.connectAddress": frpEdit({ connectAddress: "other.example.com" }, "unchanged"),
  "access.frp.customDomain": frpEdit({ customDomain: "own.ssh.example.com" }, "harmless"),
  "access.frp.token": frpEdit({ token: "another-token-0123456789abcdef0123456789" }, "harmless"),
  "access.frp.image": frpEdit({ image: "fatedier/frpc:v0.71.0" }, "restarts"),
  "access.sshpod.users": { to: { access: { sshpod: { users: ["alice"] } } } },
  "access.sshpod.groups": {
    from: { access: { sshpod: { users: ["alice"] } } },
    to: { access: { sshpod: { groups: ["team-a"] } } },
    verdict: "harmless gains",
  },
  "ports[0].name": { from: port, to: { ports: [{ name: "api", port: 8080 }] } },
  "ports[0].port": { from: port, to: { ports: [{ name: "web", port: 8081 }] } },
  "ports[0].scheme": {
    from: { ports: [{ ...port.ports[0], primary: true }] },
    to: { ports: [{ ...port.ports[0], primary: true, scheme: "https" }] },
    verdict: "unchanged",
  },
  "ports[0].primary": { from: port, to: { ports: [{ ...port.ports[0], primary: true }] } },
  "ports[0].throughGateway": {
    from: port,
    to: { ports: [{ name: "web", port: 8080, throughGateway: true }] },
  },
  "ingress[0].namespace": {
    from: peer,
    to: { ingress: [{ ...peer.ingress[0], namespace: "other" }] },
    verdict: "network-wall harmless loses",
  },
  "ingress[0].podLabels": {
    from: peer,
    to: { ingress: [{ ...peer.ingress[0], podLabels: { app: "b" } }] },
    verdict: "network-wall harmless loses",
  },
  "ingress[0].ports": {
    from: peer,
    to: { ingress: [{ ...peer.ingress[0], ports: [8080, 9090] }] },
    verdict: "network-wall harmless loses",
  },
  "egress.internet": { to: { egress: { internet: false } } },
  "egress.deny": { to: { egress: { deny: ["203.0.113.0/24"] } } },
  "egress.allow[0].cidr": {
    from: allowed,
    to: { egress: { allow: [{ cidr: "10.1.0.0/16", ports: [443] }] } },
  },
  "egress.allow[0].ports": {
    from: allowed,
    to: { egress: { allow: [{ cidr: "10.0.0.0/8", ports: [444] }] } },
    verdict: "network-wall harmless loses",
  },
  "egress.dns": { to: { egress: { dns: ["10.0.0.53/32"] } }, verdict: "network-wall harmless" },
};
