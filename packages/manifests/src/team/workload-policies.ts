/** What a team's workloads may ask of the cluster's controllers and its scheduler, at the cost of others' pods. */
import type { AdmissionPolicy } from "../common/admission.ts";
import { noDnsNames } from "../common/dns-names.ts";

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
  ],
};

const antiAffinity =
  "variables.pod.?affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution";

/** CEL: whether who asks may write the status of pods everywhere: a node (which makes pods from files) or an administrator. */
const runsPods = "authorizer.group('').resource('pods').subresource('status').check('update').allowed()";

/**
 * Judges templates too, whose authors read the answer; a controller would only write it into an Event. A ReplicaSet repeats
 * its Deployment's template, so it is judged only when it is made: an older one must still be scaled down.
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
      // A pod that is scheduled has one; no change of a pod gives it another.
      expression: `!has(variables.pod.nodeName) || (request.resource.resource == 'pods' && request.operation == 'UPDATE') || ${runsPods}`,
      message:
        "a team's pod has no nodeName: the scheduler chooses its node, which keeps to what others' pods ask; use nodeSelector or affinity",
    },
    noDnsNames,
  ],
};

export const workloadPolicies: readonly AdmissionPolicy[] = [replicasPolicy, podsPolicy];
