/** Fields of a pod of which this version knows what they give; a pod with another is not judged. */

export const podFields = (
  "activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy enableServiceLinks " +
  "ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride imagePullSecrets " +
  "initContainers nodeName nodeSelector os overhead preemptionPolicy priority priorityClassName readinessGates resources " +
  "restartPolicy runtimeClassName schedulerName schedulingGates securityContext serviceAccount serviceAccountName " +
  "setHostnameAsFQDN shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations topologySpreadConstraints volumes"
).split(" ");

// https://github.com/kubernetes-sigs/agent-sandbox
export const sandboxFields = [
  "podTemplate",
  "replicas",
  "shutdownPolicy",
  "shutdownTime",
  "volumeClaimTemplates",
];
