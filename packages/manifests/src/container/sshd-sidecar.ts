import type { Container } from "../common/kinds.ts";
import type { Mount, PodPart } from "../common/pod.ts";
import { podResources } from "../common/resources.ts";
import { sessionResources } from "../sshd/args.ts";
import { sshdProbes } from "../sshd/probes.ts";
import { terminalWarning } from "../sshd/stop.ts";
import { sshdVolumes } from "../sshd/volumes.ts";
import { environmentList } from "./environment.ts";
import type { DevContainerPlan } from "./plan.ts";
import { containerSecurity } from "./root.ts";
import { envSources } from "./secret-env.ts";
import { imageListens } from "./sshd-image.ts";

/**
 * sshd in a container of its own beside the application: same network and volumes, own file system, own life.
 * When the application restarts, sessions stay.
 * @param shared mounts of the main container that sessions see too: home, volumes, files
 */
export function sshdSidecarPart(plan: DevContainerPlan, shared: readonly Mount[]): PodPart {
  const { volumes, mounts } = sshdVolumes(plan);
  return {
    volumes,
    initContainers: [
      {
        name: "sshd",
        image: plan.ssh.image,
        imagePullPolicy: plan.imagePullPolicy,
        restartPolicy: "Always",
        env: environmentList(plan.environment, envSources(plan, plan)),
        ...(plan.envFrom.length > 0 ? { envFrom: plan.envFrom } : {}),
        ports: [{ name: "ssh", containerPort: plan.ssh.port, protocol: "TCP" }],
        ...sshdProbes(imageListens, plan.ssh.port),
        ...terminalWarning(plan, ["sh"]),
        resources: podResources(plan.ssh.resources, sessionResources),
        securityContext: containerSecurity(plan),
        volumeMounts: [...shared, ...mounts],
      },
    ],
    main: imageCommand(plan),
  };
}

/** What the main container runs when sshd is not in it: the image's own command, or what replaces it. */
export function imageCommand(plan: DevContainerPlan): Partial<Container> {
  return {
    ...(plan.command.length > 0 ? { command: plan.command } : {}),
    ...(plan.args.length > 0 ? { args: plan.args } : {}),
  };
}
