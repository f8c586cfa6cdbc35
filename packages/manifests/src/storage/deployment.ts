import type { Container } from "../common/kinds.ts";
import { prefix } from "../common/labels.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { podScheduling } from "../common/scheduling.ts";
import { restrictedPod } from "../common/security.ts";
import { deployment } from "../common/workload.ts";
import { withoutSidecar } from "../istio/data-plane.ts";
import { credentialDufs, tokenDufs } from "./dufs.ts";
import { nodeGroupScheduling, sharedGroup } from "./node-group.ts";
import type { AccessorPlan, StoragePlan } from "./plan.ts";
import { tokenCheck, tokenCheckVolume } from "./token-check.ts";

/** Marks of what a running accessor does not read again, by name; another mark restarts it. */
export type RestartMarks = Readonly<Record<string, Placed<string>>>;

/** One pod that serves the volume's files. */
export function accessorDeployment(
  plan: StoragePlan,
  accessor: AccessorPlan,
  marks: RestartMarks,
): Manifest<"Deployment"> {
  const scheduling = nodeGroupScheduling(sharedGroup([plan]));
  return deployment({
    ...plan,
    name: plan.names.accessor,
    replicas: 1,
    podLabels: {
      ...plan.selector,
      ...scheduling.labels,
      ...withoutSidecar,
      ...plan.podLabels,
    },
    podAnnotations: { ...restartAnnotations(marks), ...plan.podAnnotations },
    pod: compact({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // dufs does not heed the signal to end, so running downloads have this long.
      terminationGracePeriodSeconds: 10,
      securityContext: restrictedPod(plan.owner.uid, plan.owner.gid),
      ...podScheduling(plan.scheduling, { selector: plan.selector, podAffinity: scheduling.podAffinity }),
      containers: containers(plan, accessor),
      volumes: [
        { name: "storage", persistentVolumeClaim: { claimName: plan.names.claim } },
        ...(accessor.jwt === undefined ? [] : [tokenCheckVolume(plan)]),
      ],
    }),
  });
}

function restartAnnotations(marks: RestartMarks): Record<string, Placed<string>> {
  return Object.fromEntries(Object.entries(marks).map(([name, mark]) => [`${prefix}/${name}`, mark]));
}

function containers(plan: StoragePlan, accessor: AccessorPlan): Container[] {
  const { credentialPort, tokenPort } = accessor;
  return [
    ...(credentialPort === undefined ? [] : [credentialDufs(plan, accessor, credentialPort)]),
    ...(tokenPort === undefined ? [] : [tokenDufs(plan, accessor, tokenPort), tokenCheck(plan, accessor)]),
  ];
}
