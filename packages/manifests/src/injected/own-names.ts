/** What a sshd brings into a pod; a template that has one of these already cannot take it. A test holds the lists to the parts. */
import { sshdMountPaths } from "../sshd/bundle.ts";

export const ownNames: { readonly volumes: readonly string[]; readonly containers: readonly string[] } = {
  volumes: ["drawbridge", "sshd-config", "authorized-keys", "host-key", "sshd-run", "frpc", "frpc-run"],
  containers: ["sshd-bundle", "accounts", "frpc"],
};

/** Nothing may be mounted there or below. */
export const ownMountPaths = [...sshdMountPaths, "/etc/passwd", "/etc/group"];
