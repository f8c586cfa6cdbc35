/** The ways in and out of a container. */
import { bob, gateway } from "./container-base.ts";
import type { FieldEdits } from "./edit.ts";

const token = "only-for-tests-token-0123456789abcdef";

const frp = {
  serverAddr: "frps.example.com",
  connectHost: "frp.example.com",
  domainSuffix: "ssh.example.com",
  unverifiedTls: true,
  token,
};
const frpEdit = (change: object, verdict: string, before: object = {}) => ({
  from: { access: { frp: { ...frp, ...before } } },
  to: { access: { frp: { ...frp, ...before, ...change } } },
  verdict,
});
const gatewayEdit = (change: object, verdict: string) => ({
  to: { access: { gateway: { ...gateway, ...change } } },
  verdict,
});
const ca = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const verified = { caBundle: ca, unverifiedTls: undefined };
const ownServer = { authorizer: { namespace: "frp", serviceAccountName: "frp" } };
const port = { ports: [{ name: "web", port: 8080 }] };
const peer = { ingress: [{ namespace: "web", podLabels: { app: "a" }, ports: [8080] }] };
const allowed = { egress: { allow: [{ cidr: "10.0.0.0/8", ports: [443] }] } };

export const containerNetworkEdits: FieldEdits = {
  "access.gateway.name": gatewayEdit({ name: "gw2" }, "network-wall harmless gains loses"),
  "access.gateway.namespace": gatewayEdit({ namespace: "gw2" }, "network-wall harmless gains loses"),
  "access.gateway.domain": gatewayEdit({ domain: "other.example.com" }, "harmless gains loses"),
  "access.gateway.plainPort": gatewayEdit({ plainPort: 8080 }, "unchanged"),
  "access.gateway.tlsPort": gatewayEdit({ tlsPort: 443 }, "unchanged"),
  "access.gateway.mutualTls": gatewayEdit({ tlsPort: 443, mutualTls: true }, "unchanged"),
  "access.gateway.address": gatewayEdit({ address: "192.0.2.8" }, "unchanged"),
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
  "access.primaryPort": { from: port, to: { access: { primaryPort: "web" } } },
  "access.scheme": {
    from: { ...port, access: { primaryPort: "web" } },
    to: { access: { scheme: "https" } },
    verdict: "unchanged",
  },
  "access.frp.enabled": frpEdit({ enabled: false }, "restarts loses"),
  "access.frp.username": frpEdit({ username: "jovyan" }, "unchanged"),
  "access.frp.authorizedKeys": frpEdit({ authorizedKeys: [bob] }, "harmless gains"),
  // frpc alone restarts, without its pod, when its file has changed.
  "access.frp.serverAddr": frpEdit({ serverAddr: "other.example.com" }, "harmless"),
  "access.frp.serverPort": frpEdit({ serverPort: 7001 }, "harmless"),
  "access.frp.serverName": frpEdit({ serverName: "other.example.com" }, "harmless", verified),
  "access.frp.caBundle": frpEdit({ caBundle: ca.replace("MIIB", "MIIC") }, "harmless", verified),
  "access.frp.unverifiedTls": frpEdit({ caBundle: undefined, unverifiedTls: true }, "restarts", verified),
  "access.frp.connectHost": frpEdit({ connectHost: "other.example.com" }, "unchanged"),
  "access.frp.connectPort": frpEdit({ connectPort: 1338 }, "unchanged"),
  "access.frp.connectTls": frpEdit({ connectTls: true }, "unchanged"),
  "access.frp.domainSuffix": frpEdit({ domainSuffix: "other.example.com" }, "harmless"),
  "access.frp.clientDomain": frpEdit({ clientDomain: "own.ssh.example.com" }, "harmless"),
  "access.frp.token": frpEdit({ token: "another-token-0123456789abcdef0123456789" }, "harmless"),
  "access.frp.authorizer.namespace": frpEdit(
    { authorizer: { ...ownServer.authorizer, namespace: "other" } },
    "cluster-rights network-wall harmless loses",
    ownServer,
  ),
  "access.frp.authorizer.serviceAccountName": frpEdit(
    { authorizer: { ...ownServer.authorizer, serviceAccountName: "other" } },
    "cluster-rights network-wall harmless loses",
    ownServer,
  ),
  "access.frp.image": frpEdit({ image: "fatedier/frpc:v0.71.0" }, "restarts"),
  "access.sshpod.users": { to: { access: { sshpod: { users: ["alice"] } } } },
  "access.sshpod.groups": {
    from: { access: { sshpod: { users: ["alice"] } } },
    to: { access: { sshpod: { groups: ["team-a"] } } },
    verdict: "harmless gains",
  },
  "ports[0].name": { from: port, to: { ports: [{ name: "api", port: 8080 }] } },
  "ports[0].port": { from: port, to: { ports: [{ name: "web", port: 8081 }] } },
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
    verdict: "network-wall harmless",
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
