/** What a team's workloads may ask of the cluster's controllers and its scheduler, at the cost of others' pods. */
import { most } from "../istio/team-limits.ts";
import { type AdmissionPolicy, noDnsNames } from "../kubernetes/admission.ts";
import { prefix } from "../kubernetes/labels.ts";

const mostReplicas = 100;

/** A StatefulSet of 2,147,483,647 pods takes 17 GiB of the controller manager, which then manages nothing for anybody. */
const replicasPolicy: AdmissionPolicy = {
  name: "team-replicas",
  requests: [
    { apiGroup: "apps", resources: ["deployments", "replicasets", "statefulsets", "*/scale"] },
    { apiGroup: "", resources: ["replicationcontrollers", "replicationcontrollers/scale"] },
  ],
  inTeams: true,
  rules: [
    {
      expression: `object.spec.?replicas.orValue(1) <= ${mostReplicas}`,
      message: `a workload of a team's namespace may have at most ${mostReplicas} replicas: the cluster's controllers hold all of them in memory`,
    },
    {
      expression: "object.spec.?revisionHistoryLimit.orValue(0) >= 0",
      message:
        "a revisionHistoryLimit is 0 or more: a negative one ends the controller manager of Kubernetes before 1.31.5 and 1.32.1",
    },
  ],
};

const antiAffinity =
  "variables.pod.?affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution";

/** Beginnings of taints that keep teams away: from control planes, and from the nodes of shared programs. */
const keptTaints = ["node-role.kubernetes.io/", `${prefix}/`];

/** CEL: what the kubelet calls for the container `one`. */
const calls = `[${["livenessProbe", "readinessProbe", "startupProbe", "lifecycle.?postStart", "lifecycle.?preStop"].map((field) => `one.?${field}`).join(", ")}]`;

/** CEL: whether the requester may write all pods' status: a node (it makes pods from files) or an administrator. */
const runsPods = "authorizer.group('').resource('pods').subresource('status').check('update').allowed()";

/**
 * Judges templates too, so that their authors read the refusal, which a controller would only write into an Event. A
 * ReplicaSet repeats its Deployment's template, so it is judged only when it is made: one made before the policy must
 * still be scaled down.
 */
const podsPolicy: AdmissionPolicy = {
  name: "team-pods",
  requests: [
    { apiGroup: "", resources: ["pods", "replicationcontrollers"] },
    { apiGroup: "apps", resources: ["daemonsets", "deployments", "statefulsets"] },
    { apiGroup: "apps", resources: ["replicasets"], operations: ["CREATE"] },
    { apiGroup: "batch", resources: ["cronjobs", "jobs"] },
  ],
  inTeams: true,
  variables: [
    {
      name: "pod",
      expression:
        "object.spec.?jobTemplate.?spec.?template.?spec.or(object.spec.?template.?spec).orValue(object.spec)",
    },
    {
      name: "calls",
      expression: `(variables.pod.?containers.orValue([]) + variables.pod.?initContainers.orValue([])).map(one, ${calls})`,
    },
  ],
  rules: [
    {
      expression: `${antiAffinity}.orValue([]).all(term, !has(term.namespaceSelector) && term.?namespaces.orValue([]).all(name, name == request.namespace))`,
      message:
        "a team's pod must not keep away from pods of other namespaces: none of those would be scheduled where it is",
    },
    {
      expression: "!variables.pod.?priorityClassName.orValue('').startsWith('system-')",
      message:
        "a team's pod may not have a priority of the cluster's own: others' pods would be ended to make room for it",
    },
    {
      expression: `variables.pod.?tolerations.orValue([]).all(one, one.?key.orValue('') != '' && !['${keptTaints.join("', '")}'].exists(taint, one.?key.orValue('').startsWith(taint)))`,
      message: `a team's pod tolerates taints by their keys, and none of ${keptTaints.join(" and ")}: those nodes are for the cluster and its gateways`,
    },
    {
      // Probes pass every NetworkPolicy. Pod Security refuses hosts too since 1.34, but not in namespaces with engines.
      expression:
        "variables.calls.all(call, call.all(to, to.?httpGet.?host.orValue('') == '' && to.?tcpSocket.?host.orValue('') == ''))",
      message:
        "probes and hooks of a team's pod have no host: the node would call it, its own loopback address too",
    },
    {
      // A scheduled pod has a nodeName, and no update gives it another.
      expression: `!has(variables.pod.nodeName) || (request.resource.resource == 'pods' && request.operation == 'UPDATE') || ${runsPods}`,
      message:
        "a team's pod has no nodeName: the scheduler chooses its node, which keeps to what others' pods ask; use nodeSelector or affinity",
    },
    {
      expression: `variables.pod.?containers.orValue([]).size() + variables.pod.?initContainers.orValue([]).size() <= ${most.containers}`,
      message: `a team's pod may have at most ${most.containers} containers, initContainers included: the status of each is written many times over`,
    },
    noDnsNames,
  ],
};

export const workloadPolicies: readonly AdmissionPolicy[] = [replicasPolicy, podsPolicy];
