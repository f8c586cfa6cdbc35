import { withoutSidecar } from "../istio/data-plane.ts";
import { text } from "../kit/input.ts";
import type { Container, Volume } from "../kubernetes/kinds.ts";
import { prefix } from "../kubernetes/labels.ts";
import { compact, ifAny, type Manifest, metadataOf, skipAwait } from "../kubernetes/manifest.ts";
import { nodeGroupScheduling, sharedGroup } from "../kubernetes/node-group.ts";
import { literalEnv, pulledWith, secretSources, sourcedEnv } from "../kubernetes/pod.ts";
import { podResources } from "../kubernetes/resources.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { restrictedContainer, restrictedPod } from "../kubernetes/security.ts";
import type { StoragePrepareParsed } from "./args.ts";
import type { StoragePlan } from "./plan.ts";

const sourcePath = "/from";

/** Fills the volume once. A finished Job stays, so that its state can be read; another revision is another Job. */
export function prepareJob(plan: StoragePlan, prepare: StoragePrepareParsed): Manifest<"Job"> {
  const labels = { ...plan.labels, [`${prefix}/role`]: "prepare" };
  // A copy reads a second volume, so it runs on the node of that one and the new volume follows.
  const { copyFrom } = prepare;
  const scheduling = nodeGroupScheduling(sharedGroup([...(copyFrom === undefined ? [] : [copyFrom]), plan]));
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadataOf(plan.names.prepare, { ...plan, labels }, plan.wait ? undefined : { ...skipAwait }),
    spec: {
      backoffLimit: prepare.backoffLimit,
      activeDeadlineSeconds: prepare.activeDeadlineSeconds,
      template: {
        metadata: compact({
          labels: {
            ...labels,
            ...scheduling.labels,
            ...withoutSidecar,
            ...plan.podLabels,
          },
          annotations: ifAny(plan.podAnnotations),
        }),
        spec: compact({
          // A failed pod stays, so that its log tells why.
          restartPolicy: "Never",
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: restrictedPod(plan.owner.uid, plan.owner.gid),
          ...pulledWith(plan.imagePullSecrets),
          ...podScheduling(plan.scheduling, { selector: labels, podAffinity: scheduling.podAffinity }),
          containers: [container(plan, prepare)],
          volumes: volumes(plan, prepare),
        }),
      },
    },
  };
}

function container(plan: StoragePlan, prepare: StoragePrepareParsed): Container {
  const copies = prepare.copyFrom !== undefined;
  return compact({
    name: "prepare",
    image: prepare.image,
    imagePullPolicy: prepare.imagePullPolicy,
    // Links are copied as links. Times are not kept: only the owner of a volume's root may set its time.
    command: copies ? ["cp", "-R", "-P", `${sourcePath}/.`, text`${prepare.mountPath}/`] : prepare.command,
    args: copies ? undefined : prepare.args,
    env: ifAny([
      ...literalEnv(prepare.env),
      ...sourcedEnv(secretSources(plan.names.prepareEnv, prepare.secretEnv)),
    ]),
    workingDir: prepare.mountPath,
    resources: podResources(prepare.resources),
    securityContext: restrictedContainer,
    volumeMounts: [
      { name: "storage", mountPath: prepare.mountPath },
      ...(copies ? [{ name: "source", mountPath: sourcePath, readOnly: true }] : []),
    ],
  });
}

function volumes(plan: StoragePlan, prepare: StoragePrepareParsed): Volume[] {
  const own = { name: "storage", persistentVolumeClaim: { claimName: plan.names.claim } };
  if (prepare.copyFrom === undefined) return [own];
  return [
    own,
    { name: "source", persistentVolumeClaim: { claimName: prepare.copyFrom.claimName, readOnly: true } },
  ];
}
