import { hashOf } from "../common/hash.ts";
import { prefix } from "../common/labels.ts";
import { compact, type Manifest, skipAwait } from "../common/manifest.ts";
import { lowPortSysctls, restrictedContainer, restrictedPod } from "../common/security.ts";
import { homePart } from "./home.ts";
import type { DevContainerPlan } from "./plan.ts";
import { joinParts } from "./pod-part.ts";
import { sshdConfig } from "./sshd-config.ts";
import { sshdImagePart } from "./sshd-image.ts";

/** One replica with a stable pod name: no two pods on one volume, and rights can be given by that name. */
export function statefulSet(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: compact({
      name: plan.names.workload,
      namespace: plan.namespace,
      labels: plan.labels,
      annotations: plan.wait ? undefined : { ...skipAwait },
    }),
    spec: {
      replicas: 1,
      serviceName: plan.names.workload,
      selector: { matchLabels: plan.selector },
      template: {
        metadata: {
          labels: plan.labels,
          annotations: {
            // sshd reads its configuration at start, so a changed one must roll the pod; keys must not.
            [`${prefix}/sshd-config`]: hashOf(sshdConfig(plan)),
            "kubectl.kubernetes.io/default-container": "dev",
            ...evictionAnnotations(plan),
          },
        },
        spec: podSpec(plan),
      },
    },
  };
}

function evictionAnnotations(plan: DevContainerPlan): Record<string, string> {
  return plan.eviction === "never"
    ? { "cluster-autoscaler.kubernetes.io/safe-to-evict": "false", "karpenter.sh/do-not-disrupt": "true" }
    : {};
}

function podSpec(plan: DevContainerPlan): Record<string, unknown> {
  const { volumes, mounts, initContainers, main } = joinParts([homePart(plan), sshdImagePart(plan)]);
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext: {
      ...restrictedPod(plan.user.uid, plan.user.gid),
      sysctls: lowPortSysctls([plan.sshd.port]),
    },
    initContainers,
    containers: [
      {
        name: "dev",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        env: Object.entries(plan.environment).map(([name, value]) => ({ name, value })),
        resources: {
          requests: { cpu: plan.resources.cpu, memory: plan.resources.memory },
          limits: { memory: plan.resources.memory },
        },
        securityContext: restrictedContainer,
        ...main,
        volumeMounts: mounts,
      },
    ],
    volumes,
  };
}
