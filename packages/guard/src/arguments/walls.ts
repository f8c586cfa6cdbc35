/** What an edit of an argument may cross, by the group and name of its row; it holds for what is below it too. */
import type { AccessRule, Effect } from "../effect.ts";
import type { Judging, Wall } from "./judging.ts";
import { authorityEffects, keyEffects, loginName, principals } from "./logins.ts";
import { networks, peers } from "./networks.ts";
import { account, connectionLimits, frps, limits, membersOf, preparation, sleep } from "./places.ts";
import * as sets from "./sets.ts";

const wall = (rule: AccessRule, more: Omit<Wall, "rule"> = {}): Wall => ({ rule, ...more });
const when = (rule: AccessRule, value: unknown): Wall => wall(rule, { at: (given) => given === value });
/** Another platform's part in the place of the one that was there. */
const another = (rule: AccessRule): Wall => wall(rule, { edit: true, isName: true });
const judged = (rule: AccessRule, judge: (judging: Judging) => readonly Effect[]): Wall =>
  wall(rule, { judge });
const patched = (rule: AccessRule, rest?: (judging: Judging) => readonly Effect[]): Wall =>
  judged(rule, sets.patch(rule, rest));
/** Judged in the whole of a preview: identities.ts, images.ts. */
const apart = (rule: AccessRule): Wall => judged(rule, () => []);
const reached = (...ports: number[]) => judged("network-wall", networks("network-wall", ports));

/** Arguments that protect something, by component: what is open if one is left out. */
export const covers: Readonly<Record<string, readonly [rule: AccessRule, opens: string]>> = {
  "FrpServer.connectTls": ["gateway-opened", "whoever its LoadBalancer lets in reaches frps, in clear text"],
  "StorageProxy.tls": ["gateway-opened", "passwords and files go in clear text"],
  "StorageProxy.dnsName": ["gateway-opened", "it answers whatever name it is called by"],
};

export const walls: Readonly<Record<string, Wall>> = {
  // Who may log in.
  "DevContainerArgs.authorizedKeys": judged("unnamed-key", keyEffects),
  "InjectedSshdArgs.authorizedKeys": judged("unnamed-key", keyEffects),
  "DevContainerFrpArgs.authorizedKeys": judged("unnamed-key", keyEffects),
  "DevContainerHostKeyArgs.identity": apart("secret-taken"),
  "DevContainerUserCaArgs.keys": judged("foreign-ca", authorityEffects),
  "DevContainerUserCaArgs.principals": judged("foreign-ca", principals),
  "DevContainerUserArgs.name": judged("foreign-ca", loginName),
  "InjectedSshdUserArgs.name": judged("foreign-ca", loginName),
  "DevContainerAccessArgs.allowIdentities": judged(
    "certificate-dropped",
    sets.identities("certificate-dropped"),
  ),
  "InjectedSshdAccessArgs.allowIdentities": judged(
    "certificate-dropped",
    sets.identities("certificate-dropped"),
  ),
  "SshRouteAccessArgs.allowIdentities": judged("certificate-dropped", sets.identities("certificate-dropped")),
  "SubjectsArgs.users": judged("cluster-rights", sets.subjects),
  "SubjectsArgs.groups": judged("cluster-rights", sets.subjects),
  "TeamDeployersArgs.serviceAccounts": judged("cluster-rights", sets.accounts),
  // What a container is, and may reach.
  "DevContainerArgs.root": when("pod-privileges", true),
  "DevContainerArgs.containersInside": when("pod-privileges", true),
  "DevContainerServiceAccountArgs.name": judged("cluster-rights", account),
  "DevContainerServiceAccountArgs.create": judged("cluster-rights", account),
  "DevContainerServiceAccountArgs.token": when("pod-privileges", true),
  "DevContainerServiceAccountArgs.annotations": wall("cluster-rights"),
  "DevContainerArgs.ingress": judged("network-wall", peers),
  "DevContainerEgressArgs.allow": judged(
    "network-wall",
    networks("network-wall", undefined, { isPublicFine: true }),
  ),
  "DevContainerEgressArgs.deny": judged(
    "network-wall",
    networks("network-wall", undefined, { isPublicFine: true, isDenied: true }),
  ),
  "DevContainerEgressArgs.dns": reached(53),
  "DevContainerArgs.idle": judged("cluster-rights", sleep),
  "DevContainerArgs.volumes": judged("volume-borrowed", sets.volumes),
  "DevContainerArgs.sidecars": judged("pod-privileges", sets.podParts),
  "DevContainerArgs.initContainers": judged("pod-privileges", sets.podParts),
  "PodMetadataArgs.podAnnotations": judged("pod-privileges", sets.annotations("pod-privileges")),
  "DevContainerPatchesArgs.home": patched("volume-borrowed", sets.claimPatch),
  "DevContainerPatchesArgs.persist": patched("volume-borrowed", sets.claimPatch),
  "DevContainerPatchesArgs.workload": patched("pod-privileges", sets.podParts),
  "DevContainerPatchesArgs.service": patched("gateway-opened"),
  // By an annotation a tool copies a Secret elsewhere, or grants a Role to others.
  ...Object.fromEntries(
    ["disruption", "network", "authorizedKeys", "hostKey", "sshd", "route", "sshpod", "sshpodBinding"].map(
      (object) => [`DevContainerPatchesArgs.${object}`, patched("foreign-object")],
    ),
  ),
  // Parts of the platform, to which they are let in.
  "SshGatewayRefArgs.name": another("network-wall"),
  "SshGatewayRefArgs.namespace": another("network-wall"),
  "SshGatewayRefArgs.selector": another("network-wall"),
  "SshGatewayIdleRefArgs.namespace": another("cluster-rights"),
  "SshGatewayIdleRefArgs.cullerServiceAccountName": another("cluster-rights"),
  "SshGatewayIdleRefArgs.activatorServiceAccountName": another("cluster-rights"),
  "DevContainerExternalFrpArgs.serverAddr": judged("route-wall", frps),
  "FrpServerRefArgs.serverAddr": judged("route-wall", frps),
  "FrpServerRefArgs.authorizer": another("cluster-rights"),
  "StorageProxyRefArgs.name": another("network-wall"),
  "StorageProxyRefArgs.namespace": another("network-wall"),
  // Pods of somebody else's. A template is judged where it is put.
  "InjectedSshdArgs.podTemplate": judged("pod-privileges", () => []),
  "SshRouteArgs.name": another("network-wall"),
  "SshRouteArgs.podLabels": another("network-wall"),
  "SshRouteArgs.networkPolicy": wall("network-wall", { at: (given) => given !== "allow-gateway" }),
  "InjectedSshdArgs.name": another("network-wall"),
  "InjectedSshdArgs.networkPolicy": wall("network-wall", { at: (given) => given !== "allow-gateway" }),
  // Storages.
  "StorageAccessorArgs.prepare": judged("write-credential", preparation),
  "StorageBrowseArgs.credentials": judged("write-credential", sets.credentials),
  "StorageJwtArgs.issuer": judged("foreign-ca", sets.issuer),
  "StorageJwtArgs.jwks": judged("foreign-ca", sets.issuer),
  "StorageJwtArgs.claim": judged("foreign-ca", sets.issuer),
  "StorageJwtArgs.audiences": judged("foreign-ca", sets.issuer),
  "StorageJwtArgs.write": wall("write-credential", { edit: true, at: (given) => given === true }),
  // Gateways, frp servers and storage proxies.
  "SshGatewayArgs.image": apart("cluster-rights"),
  "SshGatewayIdleArgs.image": apart("cluster-rights"),
  "FrpServerArgs.image": apart("cluster-rights"),
  "FrpServerAuthorizerArgs.image": apart("cluster-rights"),
  "StorageProxyArgs.image": apart("cluster-rights"),
  "SshGatewayArgs.name": another("wall-removed"),
  "SshGatewayArgs.namespace": another("wall-removed"),
  "SshGatewayArgs.domain": another("wall-removed"),
  "SshGatewayArgs.createNamespace": when("wall-removed", false),
  "SshGatewayArgs.admissionPolicy": when("wall-removed", false),
  "SshGatewayArgs.rejectEarlyConnectData": when("wall-removed", false),
  "SshGatewayArgs.audit": when("wall-removed", false),
  "SshGatewayArgs.connectionLimits": judged("wall-removed", connectionLimits),
  "SshGatewayArgs.allowIdentities": judged("gateway-opened", sets.identities("gateway-opened")),
  "SshGatewayExistingArgs.namespace": another("wall-removed"),
  "SshGatewayExistingArgs.selector": another("gateway-opened"),
  "SshGatewayListenersArgs.plain": judged("certificate-dropped", sets.plainListener),
  "SshGatewayTlsListenerArgs.clientCa": judged("foreign-ca", sets.certificateAuthority),
  "SshGatewayEgressArgs.dns": reached(53),
  "SshGatewayEgressArgs.istiod": reached(443, 15012),
  "SshGatewayEgressArgs.apiServer": reached(443, 6443),
  "SshGatewayEgressArgs.outsideHosts": reached(22),
  "SshGatewayEgressArgs.teamPods": when("network-wall", true),
  "SshGatewayGpuMetricsArgs.namespace": another("network-wall"),
  "LoadBalancerArgs.preset": judged("gateway-opened", sets.preset),
  "LoadBalancerArgs.scope": when("gateway-opened", "public"),
  "LoadBalancerArgs.sourceRanges": judged(
    "gateway-opened",
    networks("gateway-opened", undefined, { isEmptyAll: true }),
  ),
  "LoadBalancerArgs.annotations": judged("gateway-opened", sets.annotations("gateway-opened")),
  "FrpServerArgs.name": another("wall-removed"),
  "FrpServerArgs.namespace": another("wall-removed"),
  "FrpServerArgs.createNamespace": when("wall-removed", false),
  "FrpServerArgs.exposeServerPort": when("network-wall", true),
  "FrpServerArgs.metricsNamespaces": wall("network-wall"),
  "FrpServerConnectTlsArgs.gateway": another("network-wall"),
  "FrpServerEgressArgs.apiServer": reached(443, 6443),
  "StorageProxyArgs.name": another("wall-removed"),
  "StorageProxyArgs.namespace": another("wall-removed"),
  "StorageProxyArgs.createNamespace": when("wall-removed", false),
  "StorageProxyEgressArgs.dns": reached(53),
  "CertManagerArgs.repository": wall("cluster-rights"),
  // Teams.
  "TeamMembersArgs.namespace": judged("cluster-rights", membersOf),
  "TeamArgs.quota": judged("wall-removed", limits),
  "TeamArgs.etcdSize": judged("wall-removed", limits),
  "TeamLimitsArgs.max": judged("wall-removed", limits),
  "TeamArgs.namespace": another("network-wall"),
  "TeamArgs.createNamespace": wall("network-wall", { edit: true, at: (given) => given === false }),
  "TeamArgs.root": wall("pod-security-lowered", { edit: true }),
  "TeamRootArgs.allowedServiceAccountNames": judged("pod-security-lowered", sets.accountsOfRoot),
  "TeamRootArgs.containersInside": wall("pod-security-lowered", {
    edit: true,
    at: (given) => given === true,
  }),
  "TeamArgs.allowedPrivateNetworks": judged("network-wall", networks("network-wall")),
  "TeamArgs.outsideHosts": judged("route-wall", networks("route-wall", [22])),
};
