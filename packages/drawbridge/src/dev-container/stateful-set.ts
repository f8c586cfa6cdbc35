import { connectPart } from "../host/egress/connect.ts";
import { egressAnnotation } from "../host/egress/token.ts";
import { frpcPart } from "../host/frpc/part.ts";
import { idleAnnotation } from "../host/idle/objects.ts";
import { bundlePart } from "../host/sshd/bundle.ts";
import { sessionsValidFromAnnotation, sshdMarks } from "../host/sshd/files.ts";
import { type Input, ifThere, whenKnown } from "../kit/input.ts";
import type { PodSpec } from "../kubernetes/kinds.ts";
import { compact, ifAny, type Manifest, metadataOf, skipAwait } from "../kubernetes/manifest.ts";
import { passedOn } from "../kubernetes/passed-on.ts";
import { joinParts, pulledWith, readable } from "../kubernetes/pod.ts";
import { lowPorts, pingSysctl } from "../kubernetes/security.ts";
import { helpersPart, volumesPart } from "./additions.ts";
import { devContainerFields } from "./args.ts";
import { podFields } from "./args-pod.ts";
import { containerVariables, secretEnvAnnotation } from "./environment.ts";
import { containerResources, placement, sharedMemoryPart } from "./machine.ts";
import type { DevContainerPlan } from "./plan.ts";
import { containerSecurity, podSecurity } from "./root.ts";
import { sshdPart } from "./sshd.ts";
import { storagePart, storageScheduling } from "./storages.ts";
import {
  homeFolderPart,
  homePart,
  mountsPart,
  persistPart,
  secretFilesPart,
  trustedCaPart,
} from "./volumes.ts";

/**
 * One replica with a stable pod name: no two pods on one volume, and rights can be given by that name.
 * @param hostKeys the mark of the public host keys: sshd reads its keys at start, so new ones roll the pod
 * @param copied a hash of key files and idle settings where they are copied at start, so that a change rolls the pod
 * @param secretEnv the mark of the secret variables, so that a change of one rolls the pod
 * @param egressMark the mark of the token for hosts by name, for the same reason
 */
export function statefulSet(
  plan: DevContainerPlan,
  hostKeys?: Input<string>,
  copied?: Input<string>,
  secretEnv?: Input<string>,
  egressMark?: Input<string>,
): Manifest<"StatefulSet"> {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: metadataOf(
      plan.names.workload,
      plan,
      ifAny({ ...(plan.wait ? {} : skipAwait), ...idleAnnotation(plan) }),
    ),
    spec: compact({
      // Off and on again keeps the pod's name and volumes. If the container may sleep, the culler sets the number.
      replicas: plan.running ? (plan.idle === undefined ? 1 : undefined) : 0,
      // Otherwise a pod that never gets ready, say with a wrong image, would hold up its successor. This is immutable.
      podManagementPolicy: "Parallel",
      serviceName: plan.names.workload,
      selector: { matchLabels: plan.selector },
      template: {
        metadata: {
          labels: { ...plan.labels, ...storageScheduling(plan.storage).labels, ...plan.podLabels },
          annotations: {
            "kubectl.kubernetes.io/default-container": "dev",
            ...(plan.hasSshd ? sshdMarks(plan, hostKeys, copied) : {}),
            ...compact({
              [secretEnvAnnotation]: secretEnv,
              [egressAnnotation]: egressMark,
              [sessionsValidFromAnnotation]: plan.ssh.sessionsValidFrom,
            }),
            ...evictionAnnotations(plan),
            ...plan.podAnnotations,
          },
        },
        spec: podSpec(plan),
      },
    }),
  };
}

function evictionAnnotations({ eviction }: DevContainerPlan): Record<string, Input<string>> {
  const ifNever = (value: string) =>
    ifThere(whenKnown(eviction, (policy) => (policy === "never" ? value : undefined)));
  return compact({
    "cluster-autoscaler.kubernetes.io/safe-to-evict": ifNever("false"),
    "karpenter.sh/do-not-disrupt": ifNever("true"),
  }) as Record<string, Input<string>>;
}

function podSpec(plan: DevContainerPlan): PodSpec {
  const shared = [
    homePart(plan),
    mountsPart(plan),
    volumesPart(plan),
    storagePart(plan.storage),
    secretFilesPart(plan),
    trustedCaPart(plan),
    ...(plan.byName?.hasFiles ? [connectPart(plan.name)] : []),
  ];
  const { volumes, mounts, initContainers, main } = joinParts([
    ...shared,
    sharedMemoryPart(plan),
    ...(plan.ssh.mode === "injected" ? [bundlePart(plan)] : []),
    homeFolderPart(plan),
    persistPart(plan),
    sshdPart(plan, joinParts(shared).mounts),
    // After sshd, which must start first where it has a container of its own.
    frpcPart(plan),
    helpersPart(plan),
  ]);
  const sysctls = lowPorts(plan.hasSshd ? [plan.ssh.port] : [], [], plan.root ? [pingSysctl] : []);
  return {
    automountServiceAccountToken: plan.serviceAccount.token,
    enableServiceLinks: false,
    ...compact({ serviceAccountName: plan.names.serviceAccount }),
    ...pulledWith(plan.imagePullSecrets),
    ...passedOn("pod", podFields, plan),
    ...placement(plan),
    ...(plan.root ? { hostUsers: false } : {}),
    securityContext: { ...podSecurity(plan), ...sysctls },
    ...(initContainers.length > 0 ? { initContainers } : {}),
    containers: [
      {
        name: "dev",
        ...passedOn("container", devContainerFields, plan),
        ...compact(containerVariables(plan, plan.names.secretEnv)),
        resources: containerResources(plan),
        securityContext: containerSecurity(plan),
        ...main,
        volumeMounts: mounts,
      },
    ],
    volumes: volumes.map((volume) => readable(volume, plan.fsGroup)),
  };
}
