/** The kinds of objects that the guard knows, with their judges. */
import { at, withSshd } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import { accountDeciding, accountEffects, secretEffects } from "./account.ts";
import { policyEffects } from "./admission.ts";
import type { AccessContext, KindJudge } from "./context.ts";
import { sliceDeciding, sliceEffects, sliceUnknownFields } from "./endpoint-slice.ts";
import { filterEffects } from "./envoy-filter.ts";
import { frpServerEffects, grantEffects } from "./frp.ts";
import { authorizationEffects, clientCaEffects, gatewayEffects } from "./istio.ts";
import { holdsKeys, keyEffects } from "./keys.ts";
import { namespaceDeciding, namespaceEffects } from "./namespace.ts";
import { networkPolicyEffects } from "./network-policy.ts";
import { unknownKeys } from "./placeholder.ts";
import { podDeciding, podEffects, podUnknownFields } from "./pod.ts";
import { bindingEffects, roleEffects } from "./rbac.ts";
import { routeDeciding, routeEffects, routeUnknownFields } from "./route.ts";
import { serviceDeciding, serviceEffects, serviceUnknownFields } from "./service.ts";
import { sshdEffects } from "./sshd.ts";
import { fileServerEffects, storageEffects } from "./storage.ts";
import { claimDeciding, claimEffects } from "./volume.ts";

const nothing: KindJudge = { deciding: () => ({}), effects: () => [] };
const spec = (inputs: Inputs) => ({ spec: at(inputs, "spec") });

const networkPolicy: KindJudge = {
  deciding: spec,
  effects: networkPolicyEffects,
  unknownFields: (inputs) => [
    ...unknownKeys(mapAt(inputs, "spec"), ["podSelector", "policyTypes", "ingress", "egress"], "spec"),
    ...["ingress", "egress"].flatMap((direction) =>
      listAt(inputs, "spec", direction).flatMap((rule) => [
        ...unknownKeys(rule, ["from", "to", "ports"], `spec.${direction}`),
        ...["from", "to"].flatMap((side) =>
          listAt(rule, side).flatMap((peer) =>
            unknownKeys(peer, ["podSelector", "namespaceSelector", "ipBlock"], `spec.${direction}.${side}`),
          ),
        ),
        ...listAt(rule, "ports").flatMap((port) =>
          unknownKeys(port, ["port", "endPort", "protocol"], `spec.${direction}.ports`),
        ),
      ]),
    ),
  ],
};

const ruleFields = ["apiGroups", "resources", "resourceNames", "verbs", "nonResourceURLs"];
const role: KindJudge = {
  deciding: (inputs) => ({ rules: inputs.rules, aggregationRule: inputs.aggregationRule }),
  effects: roleEffects,
  unknownFields: (inputs) => [
    ...unknownKeys(inputs, ["apiVersion", "kind", "metadata", "rules"], "the Role"),
    ...listAt(inputs, "rules").flatMap((rule) => unknownKeys(rule, ruleFields, "rules")),
  ],
};

const binding: KindJudge = {
  deciding: (inputs) => ({ roleRef: inputs.roleRef, subjects: inputs.subjects }),
  effects: bindingEffects,
};

const pod: KindJudge = {
  deciding: podDeciding,
  unknownFields: podUnknownFields,
  effects: (pair: ObjectPair, context: AccessContext) => [
    ...podEffects(pair, context),
    ...fileServerEffects(pair, context),
  ],
};

const configMap: KindJudge = {
  deciding: (inputs, pair) => {
    const { authorized_keys, user_ca_keys, principals, sshd_config } = mapAt(inputs, "data");
    return holdsKeys(inputs) || isOf(pair, ...withSshd)
      ? { authorized_keys, user_ca_keys, principals, sshd_config }
      : {};
  },
  effects: (pair, context) => [
    ...(holdsKeys(pair.before) || holdsKeys(pair.after) ? keyEffects(pair, context) : []),
    ...sshdEffects(pair),
    ...grantEffects(pair),
  ],
};

const service: KindJudge = {
  deciding: serviceDeciding,
  unknownFields: serviceUnknownFields,
  effects: serviceEffects,
};
const route: KindJudge = {
  deciding: routeDeciding,
  unknownFields: routeUnknownFields,
  effects: routeEffects,
};
const policy: KindJudge = { deciding: spec, effects: policyEffects };

const kubernetesKinds: Readonly<Record<string, KindJudge>> = {
  "networking.k8s.io/NetworkPolicy": networkPolicy,
  "rbac.authorization.k8s.io/Role": role,
  "rbac.authorization.k8s.io/ClusterRole": role,
  "rbac.authorization.k8s.io/RoleBinding": binding,
  "rbac.authorization.k8s.io/ClusterRoleBinding": binding,
  "core/ConfigMap": configMap,
  "core/Namespace": { deciding: namespaceDeciding, effects: namespaceEffects },
  "core/Service": service,
  "core/ServiceAccount": { deciding: accountDeciding, effects: accountEffects },
  "core/Secret": { deciding: (inputs) => ({ type: inputs.type }), effects: secretEffects },
  "core/PersistentVolumeClaim": { deciding: claimDeciding, effects: claimEffects },
  "core/Pod": pod,
  "apps/StatefulSet": pod,
  "apps/Deployment": pod,
  "apps/DaemonSet": pod,
  "batch/Job": pod,
  "batch/CronJob": pod,
  "agents.x-k8s.io/Sandbox": pod,
  "discovery.k8s.io/EndpointSlice": {
    deciding: sliceDeciding,
    unknownFields: sliceUnknownFields,
    effects: sliceEffects,
  },
  "core/ResourceQuota": nothing,
  "core/LimitRange": nothing,
  "policy/PodDisruptionBudget": nothing,
  "autoscaling/HorizontalPodAutoscaler": nothing,
  "cert-manager.io/Certificate": nothing,
  "cert-manager.io/Issuer": nothing,
  "cert-manager.io/ClusterIssuer": nothing,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": policy,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": policy,
  "networking.istio.io/VirtualService": route,
  "networking.istio.io/Gateway": { deciding: spec, effects: gatewayEffects },
  "networking.istio.io/EnvoyFilter": {
    deciding: spec,
    effects: filterEffects,
    unknownFields: (inputs) =>
      unknownKeys(mapAt(inputs, "spec"), ["workloadSelector", "configPatches"], "spec"),
  },
  "security.istio.io/AuthorizationPolicy": { deciding: spec, effects: authorizationEffects },
};

/** The judge of a resource's kind; undefined for an unknown one. */
export function judgeOf({ type, groupKind, isCustom }: ObjectPair): KindJudge | undefined {
  if (type === "drawbridge:index:StorageAccessor") return { ...nothing, effects: storageEffects };
  if (type === "drawbridge:index:SshGateway") return { ...nothing, effects: clientCaEffects };
  if (type === "drawbridge:index:FrpServer") return { ...nothing, effects: frpServerEffects };
  // Components and providers are no objects of the cluster.
  if (!isCustom || type.startsWith("pulumi:") || type.startsWith("drawbridge:index:")) return nothing;
  return groupKind === undefined ? undefined : kubernetesKinds[groupKind];
}
