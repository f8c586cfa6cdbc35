import type { Mount, PodPart } from "../common/pod.ts";
import type { DevContainerPlan } from "./plan.ts";
import { sshdImagePart } from "./sshd-image.ts";
import { sshdInjectedPart } from "./sshd-injected.ts";
import { imageCommand, sshdSidecarPart } from "./sshd-sidecar.ts";

/**
 * The part that brings sshd, by mode.
 * @param shared mounts that a sshd in a container of its own shares with the main one
 */
export function sshdPart(plan: DevContainerPlan, shared: readonly Mount[]): PodPart {
  switch (plan.ssh.mode) {
    case "image":
      return sshdImagePart(plan);
    case "injected":
      return sshdInjectedPart(plan);
    case "sidecar":
      return sshdSidecarPart(plan, shared);
    case "none":
      return { main: imageCommand(plan) };
  }
}
