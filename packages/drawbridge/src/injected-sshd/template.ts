/** A pod template with an sshd in it: what another's controller gets, who knows nothing of it. */

import { connectPart } from "../host/egress/connect.ts";
import { egressEnvironment } from "../host/egress/environment.ts";
import type { EgressPlan } from "../host/egress/plan.ts";
import { egressAnnotation } from "../host/egress/token.ts";
import { frpcPart } from "../host/frpc/part.ts";
import { besideTheImage, bundlePart, profileMount } from "../host/sshd/bundle.ts";
import { sessionsValidFromAnnotation, sshdMarks } from "../host/sshd/files.ts";
import { sshdVolumes } from "../host/sshd/volumes.ts";
import { type Input, known } from "../kit/input.ts";
import { sshdLabel } from "../kubernetes/labels.ts";
import { compact } from "../kubernetes/manifest.ts";
import { joinParts, readable } from "../kubernetes/pod.ts";
import { lowPorts } from "../kubernetes/security.ts";
import { type PodTemplate, type TemplateContainer, targetIndex } from "./args.ts";
import type { InjectedSshdPlan } from "./plan.ts";

/**
 * The template with the sshd's volumes, init containers and marks, started in the container by a hook beside the
 * program that runs there. Command, probes, ports and everything that is not named here stay.
 * @param hostKeys hash of the public host keys, which sshd reads at start
 * @param egressMark the mark of the token for hosts by name, for the same reason
 */
export function templateWithSshd(
  plan: InjectedSshdPlan,
  template: PodTemplate,
  hostKeys: Input<string>,
  egressMark?: Input<string>,
) {
  const { metadata = {}, spec = {} } = template;
  const { containers = [], initContainers = [], volumes = [], securityContext = {} } = spec;
  const index = targetIndex(containers, plan.containerName);
  const { user, byName } = plan;
  // The accounts are made of the image's own.
  const inPod = { ...plan, image: containers[index]?.image as Input<string> };
  const part = joinParts([
    bundlePart(inPod),
    sshdVolumes(inPod),
    frpcPart(plan),
    ...(byName ? [connectPart(plan.name)] : []),
  ]);
  const sysctls = lowPorts([plan.ssh.port], [...(securityContext.sysctls ?? [])]);
  // The pod's context may say nothing of users, and then an image's own user would be theirs.
  const asUser = { runAsNonRoot: true, runAsUser: user.uid, runAsGroup: user.gid };
  const seccompProfile = { type: "RuntimeDefault" };
  const withSshd = (container: TemplateContainer) => ({
    ...container,
    ...(byName && { env: [...outward(byName, container), ...(container.env ?? [])] }),
    lifecycle: { ...container.lifecycle, postStart: besideTheImage(plan.homePath) },
    volumeMounts: [...(container.volumeMounts ?? []), ...part.mounts, profileMount],
    ...(securityContext.runAsUser === undefined && {
      securityContext: { runAsUser: user.uid, ...container.securityContext },
    }),
  });
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [sshdLabel]: plan.name },
      annotations: {
        ...metadata.annotations,
        ...sshdMarks(plan, hostKeys),
        ...compact({
          [sessionsValidFromAnnotation]: plan.ssh.sessionsValidFrom,
          [egressAnnotation]: egressMark,
        }),
      },
    },
    spec: {
      ...spec,
      ...("sysctls" in sysctls && { securityContext: { ...securityContext, ...sysctls } }),
      initContainers: [
        ...initContainers,
        ...part.initContainers.map((one) => ({
          ...one,
          securityContext: { ...(one.securityContext as object), ...asUser, seccompProfile },
        })),
      ],
      containers: containers.map((container, place) => (place === index ? withSshd(container) : container)),
      volumes: [...volumes, ...part.volumes.map((volume) => readable(volume, securityContext.fsGroup))],
    },
  };
}

/** The way out by name; what the template declares itself stays. */
function outward(byName: EgressPlan, { env = [] }: TemplateContainer) {
  const declared = env.map(({ name }) => known(name) ?? "");
  return egressEnvironment(byName, [], new Set(declared));
}
