import type { PodPart } from "../common/pod.ts";
import { sshdProbes } from "../sshd/probes.ts";
import { terminalWarning } from "../sshd/stop.ts";
import { sshdVolumes } from "../sshd/volumes.ts";
import type { DevContainerPlan } from "./plan.ts";

/** The image's own program that finds a listening port. */
export const imageListens = ["/usr/local/lib/drawbridge/sshd-listens"];

/** The image holds sshd and starts it: the project's devcontainer image or one built on it. */
export function sshdImagePart(plan: DevContainerPlan): PodPart {
  return {
    ...sshdVolumes(plan),
    main: {
      // The image's entry point starts sshd, and these beside it.
      ...(plan.args.length > 0 ? { args: plan.args } : {}),
      ports: [{ name: "ssh", containerPort: plan.ssh.port, protocol: "TCP" }],
      ...sshdProbes(imageListens, plan.ssh.port),
      ...terminalWarning(plan, ["sh"]),
    },
  };
}
