/** Containers inside the container: podman, whose API answers docker's own command too, started beside sshd. */
import { posix } from "node:path";
import { engineSh, engineStartSh } from "../../generated/programs.ts";
import { type Input, whenSettled } from "../../kit/input.ts";
import { filled } from "../../kit/program.ts";
import type { SshdPlan } from "./plan.ts";
import { sshdPaths } from "./sshd-config.ts";

/** The folder of images, volumes and containers. It is a persisted path: an overlay cannot lie on the image's own one. */
export const engineStorage = "/var/lib/containers";

/** Name of the script in sshd's ConfigMap. */
export const engineFile = "engine";

const socket = "/run/podman/podman.sock";

/** podman asks the engine instead of starting a second one as another user; docker's own builder needs a dockerd. */
export const engineEnvironment = { CONTAINER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: "0" } as const;

export function engineStart(isRoot: boolean): string {
  return filled(engineStartSh, {
    SH: isRoot ? "sh" : "sudo -n sh",
    CONFIG: sshdPaths.config,
    ENGINE: engineFile,
  });
}

export function engineScript({ user: { uid, gid } }: Pick<SshdPlan, "user">): Input<string> {
  return whenSettled({ UID: uid, GID: gid }, (known) =>
    filled(engineSh, { SOCKET: socket, SOCKET_FOLDER: posix.dirname(socket), ...known }),
  );
}
