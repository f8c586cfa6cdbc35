/** What other packages, stacks and tests use, by name. Nothing here is published by itself. */
import description from "../package.json" with { type: "json" };

export { certManagerSchema, planCertManager } from "./cert-manager/args.ts";
export { certManagerObjects, certManagerRelease } from "./cert-manager/objects.ts";
export {
  type AdmissionPolicy,
  admissionPolicy,
  admissionPolicyBinding,
  type PolicyOwner,
} from "./common/admission.ts";
export { argTexts, Effect, groupTexts } from "./common/arg.ts";
export { podMetadata, subjectsSchema } from "./common/args.ts";
export {
  ArgsError,
  formatPath,
  issuesFrom,
  issuesOf,
  parseArgs,
  readArgs,
} from "./common/args-error.ts";
export { clientLimitsSchema, frpClientLimitsSchema } from "./common/client-limits.ts";
export { wakeGreeting } from "./common/contract.ts";
export { hashOf, slowMark, withSortedKeys } from "./common/crypto.ts";
export { type Fault, textOf, type Wrong, wrong } from "./common/fault.ts";
export { imageInRegistry, ownImages, publicImages, registryFault, withRegistry } from "./common/images.ts";
export { everyAddress, type IpRange, overlap, parseCidr, toCidrs } from "./common/ip.ts";
export type { Kind } from "./common/kinds.ts";
export { objectLabels, partSelector, prefix, selectorLabels, sshdLabel, teamLabel } from "./common/labels.ts";
export { compact, deletionPolicy, ifAny, type Manifest } from "./common/manifest.ts";
export { privateNetworks } from "./common/networks.ts";
export { type Declared, declared, type Objects } from "./common/objects.ts";
export { isWithin, networkOf } from "./common/outside-host.ts";
export {
  type Deferred,
  isDeferred,
  known,
  type Placed,
  type Settled,
  text,
  whenAllKnown,
} from "./common/placed.ts";
export { canonicalQuantity, quantityValue } from "./common/quantity.ts";
export { referenceVersion } from "./common/reference.ts";
export { bare, choices, innermost, plainSchemas } from "./common/schema.ts";
export { exposed, isSecretField, secretPaths } from "./common/secret-fields.ts";
export { safeSysctls } from "./common/security.ts";
export type { DevContainerInput } from "./container/args.ts";
export { devContainerSchema } from "./container/args-checks.ts";
export { secretEnvMark, secretEnvOf } from "./container/environment.ts";
export { containerNetworkPolicy } from "./container/network-policy.ts";
export { type ContainerSecrets, type DevContainerObjects, devContainerObjects } from "./container/objects.ts";
export { type EventReport, eventsPath, type PodReport } from "./container/phase.ts";
export { type DevContainerPlan, planDevContainer, primaryUrl } from "./container/plan.ts";
export { statefulSet } from "./container/stateful-set.ts";
export {
  containerStatus,
  type DevContainerCondition,
  type DevContainerStatus,
  podReading,
  switchedOff,
  type WorkloadReport,
  wayConditions,
  workloadReading,
} from "./container/status.ts";
export { homeClaimName } from "./container/volumes.ts";
export { frpServerSchema } from "./frp/args.ts";
export { deriveServerCertificate, type ServerCertificate } from "./frp/certificate.ts";
export {
  frpsFile,
  frpsPaths,
  frpsToml,
  metricsPasswordVariable,
  metricsUser,
  unitsFile,
} from "./frp/configuration.ts";
export { type FrpServerObjects, frpServerObjects } from "./frp/objects.ts";
export { certificateNames, type FrpServerPlan, frpsPorts, planFrpServer } from "./frp/plan.ts";
export { frpServerRef } from "./frp/ref.ts";
export {
  deriveFrpToken,
  deriveMetricsPassword,
  frpTokenHash,
  frpTokenOf,
  type Tokened,
} from "./frp/secrets.ts";
export { frpAccessSchema } from "./frpc/args.ts";
export type { FrpcSecrets } from "./frpc/objects.ts";
export {
  type FrpcPlan,
  frpcNames,
  frpSshCommand,
  frpWay,
  type KnownFrpcPlan,
  planFrpc,
} from "./frpc/plan.ts";
export { frpcCaFile, frpcFile, frpcPath, frpcTokenFile, frpcTokenVariable, frpcToml } from "./frpc/toml.ts";
export { gatewayPolicies } from "./gateway/admission-policy.ts";
export { sshGatewaySchema } from "./gateway/args-checks.ts";
export {
  activatorLeaseBinding,
  activatorLeaseRole,
  type IdleRole,
  idleAccounts,
  idleClusterBinding,
  idleClusterRole,
  idleServiceAccount,
} from "./gateway/idle.ts";
export { gatewayRouting, type SshGatewayObjects, sshGatewayObjects } from "./gateway/objects.ts";
export { type KnownSshGatewayPlan, planSshGateway, type SshGatewayPlan } from "./gateway/plan.ts";
export { gatewayEndpoints, gatewayEndpointsSchema } from "./gateway/ref.ts";
export { hostService } from "./host/objects.ts";
export { gatewayNames, type HostPlan, type KnownHost } from "./host/plan.ts";
export { hostSshTarget } from "./host/target.ts";
export { idleAnnotation, idleGrants } from "./idle/objects.ts";
export { injectedSshdSchema } from "./injected/args-checks.ts";
export { type InjectedSshdObjects, injectedSshdObjects } from "./injected/objects.ts";
export { planInjectedSshd } from "./injected/plan.ts";
export { templateWithSshd } from "./injected/template.ts";
export { namespaceManifest } from "./istio/data-plane.ts";
export type { SshListener as Listener } from "./istio/listeners.ts";
export { hostRoute } from "./istio/ssh-route.ts";
export { defaultQuota } from "./istio/team-limits.ts";
export { sshRouteSchema } from "./route/args.ts";
export { type SshRouteObjects, sshRouteObjects } from "./route/objects.ts";
export { planSshRoute } from "./route/plan.ts";
export { fingerprint, parseAuthorizedKey, soundKey } from "./ssh/authorized-keys.ts";
export { checkedPath } from "./ssh/checked-line.ts";
export { deriveHostKey, type HostKeyed, type HostKeySource, hostKeyOf } from "./ssh/host-key.ts";
export { knownHostsLine, knownHostsText } from "./ssh/known-hosts.ts";
export { keysOf, type People, type Person, peopleSchema } from "./ssh/people.ts";
export {
  changedPeople,
  changesBetween,
  outdatedKeys,
  type PersonChange,
  personChangeText,
} from "./ssh/people-changes.ts";
export { canGo, ProxyProgram, plainProgram, sshCommand, viaOf } from "./ssh/proxy-command.ts";
export { aliasesOf, ideLinks, sshConfigText, sshpodConfigText } from "./ssh/ssh-config.ts";
export { type SshTarget, type SshWay, sshTargetKind, sshTargetSchema } from "./ssh/target.ts";
export { hostKeyMark, publicKeysAnnotation } from "./sshd/files.ts";
export { idleProgram } from "./sshd/idle-agent.ts";
export { sshpodRole, sshpodRoleBinding } from "./sshpod/role.ts";
export { isMap, valueAt } from "./stack/yaml.ts";
export { storageAccessorSchema } from "./storage/args-checks.ts";
export { accessorDeployment } from "./storage/deployment.ts";
export { accessRules } from "./storage/dufs.ts";
export { accessorNetworkPolicy, accessorService } from "./storage/network.ts";
export { type StorageObjects, type StorageSecrets, storageObjects } from "./storage/objects.ts";
export { type AccessorPlan, type KnownStoragePlan, planStorage, type StoragePlan } from "./storage/plan.ts";
export {
  type StorageTarget,
  storageRefSchema,
  storageState,
  storageTargetKind,
  storageTargetSchema,
} from "./storage/ref.ts";
export { type Jwt, tokenCheckConfig } from "./storage/token-check-config.ts";
export { storageProxySchema } from "./storage-proxy/args.ts";
export { type StorageProxyObjects, storageProxyObjects } from "./storage-proxy/objects.ts";
export { type KnownStorageProxyPlan, planStorageProxy, type StorageProxyPlan } from "./storage-proxy/plan.ts";
export { proxyOrigin, storageProxyRefSchema } from "./storage-proxy/ref.ts";
export { planTeam, teamPoliciesSchema, teamRef, teamSchema } from "./team/args.ts";
export { deployerBinding, deployerRole, deployerRules } from "./team/deployer-role.ts";
export { type TeamMembersObjects, teamMembersObjects, teamMembersSchema } from "./team/members.ts";
export { teamDefaultDeny, teamNamespace } from "./team/namespace.ts";
export {
  type TeamObjects,
  type TeamPoliciesObjects,
  teamObjects,
  teamPoliciesObjects,
} from "./team/objects.ts";
export { outsideHostObjects } from "./team/outside-hosts.ts";
export { platformPolicyOwner, teamPolicies } from "./team/policies.ts";
export { rootPolicies, rootPolicyOwner } from "./team/root-policies.ts";

/** The library's version. Components carry it in their inputs: by it the guard knows whose builders made a preview. */
export const libraryVersion: string = description.version;
