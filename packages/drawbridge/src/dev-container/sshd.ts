/** The part of the pod that brings sshd, by mode. */

import { stopSh } from "../generated/programs.ts";
import { sessionResources } from "../host/sshd/args.ts";
import { besideTheImage, bundleFolder, bundleShell, profileMount, sshdStart } from "../host/sshd/bundle.ts";
import { sshdVolumes } from "../host/sshd/volumes.ts";
import { ifThere, joinedLists, listIfAny, text, whenKnown } from "../kit/input.ts";
import { filled } from "../kit/program.ts";
import type { Container } from "../kubernetes/kinds.ts";
import { compact, ifAny } from "../kubernetes/manifest.ts";
import type { Mount, PodPart } from "../kubernetes/pod.ts";
import { podResources } from "../kubernetes/resources.ts";
import { containerVariables } from "./environment.ts";
import type { DevContainerPlan } from "./plan.ts";
import { containerSecurity } from "./root.ts";

/** @param shared mounts of the main container that sessions see too: home, volumes, files */
export function sshdPart(plan: DevContainerPlan, shared: readonly Mount[]): PodPart {
  switch (plan.ssh.mode) {
    case "image":
      return imagePart(plan);
    case "injected":
      return injectedPart(plan);
    case "sidecar":
      return sidecarPart(plan, shared);
    case "none":
      return { main: imageCommand(plan) };
  }
}

/** The image holds sshd and starts it: the project's devcontainer image or one built on it. */
function imagePart(plan: DevContainerPlan): PodPart {
  return {
    ...sshdVolumes(plan),
    main: {
      // The image's entry point starts sshd, and these beside it.
      ...compact({ args: listIfAny(plan.args) }),
      ...listening(plan, imageListens),
      ...terminalWarning(plan, ["sh"]),
    },
  };
}

/**
 * The bundle's sshd runs inside an unmodified image, so the shell sees the application's own files. The bundle
 * itself is a part of its own (sshd/bundle.ts).
 */
function injectedPart(plan: DevContainerPlan): PodPart {
  const { volumes, mounts, initContainers } = sshdVolumes(plan);
  return {
    volumes,
    initContainers,
    mounts: [...mounts, profileMount],
    main: {
      ...(plan.runImageCommand
        ? terminalWarning(plan, bundleShell, besideTheImage())
        : {
            command: joinedLists(sshdStart, joinedLists(plan.command, plan.args)),
            ...terminalWarning(plan, bundleShell),
          }),
      ...listening(plan, [...bundleShell, `${bundleFolder}/bin/sshd-listens`]),
    },
  };
}

/**
 * sshd in a container of its own beside the application: same network and volumes, own file system, own life.
 * When the application restarts, sessions stay.
 */
function sidecarPart(plan: DevContainerPlan, shared: readonly Mount[]): PodPart {
  const { volumes, mounts } = sshdVolumes(plan);
  return {
    volumes,
    initContainers: [
      {
        name: "sshd",
        image: plan.ssh.image,
        imagePullPolicy: plan.imagePullPolicy,
        restartPolicy: "Always",
        ...compact(containerVariables(plan, plan.names.secretEnv)),
        ...listening(plan, imageListens),
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
function imageCommand(plan: DevContainerPlan): Partial<Container> {
  return compact({ command: listIfAny(plan.command), args: listIfAny(plan.args) });
}

/** The image's own program that finds a listening port. */
const imageListens = ["/usr/local/lib/drawbridge/sshd-listens"];

/**
 * sshd's port, and probes by a program that looks for it: a connection would fill sshd's log. A new pod is looked at every
 * second so that `up` ends soon.
 */
function listening({ ssh: { port } }: DevContainerPlan, program: readonly string[]) {
  const probe = { exec: { command: [...program, text`${port}`] } };
  return {
    ports: [{ name: "ssh", containerPort: port, protocol: "TCP" }],
    startupProbe: { ...probe, periodSeconds: 1, failureThreshold: 120 },
    readinessProbe: { ...probe, periodSeconds: 10, failureThreshold: 3 },
  };
}

/**
 * The preStop hook that warns everybody at a terminal (sshd/stop.sh).
 * @param shell the program that runs the hook, by its path in that container
 * @param postStart the other hook, if there is one
 */
function terminalWarning(
  { stopWarningSeconds }: DevContainerPlan,
  shell: readonly string[],
  postStart?: object,
): Pick<Container, "lifecycle"> {
  const lifecycle = whenKnown(stopWarningSeconds, (seconds) => {
    const command = [...shell, "-c", filled(stopSh, { SECONDS: seconds })];
    return ifAny(compact({ preStop: seconds === 0 ? undefined : { exec: { command } }, postStart }));
  });
  return compact({ lifecycle: ifThere(lifecycle) });
}
