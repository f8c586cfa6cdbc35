/**
 * Names that a sshd brings into a pod; a template that has one of them already cannot take it. A test compares them with
 * what the builders make.
 */
import { sshdMountPaths } from "../sshd/bundle.ts";

export const ownNames: { readonly volumes: readonly string[]; readonly containers: readonly string[] } = {
  volumes: ["drawbridge", "sshd-config", "authorized-keys", "host-key", "sshd-run", "frpc", "frpc-run"],
  containers: ["sshd-bundle", "accounts", "frpc"],
};

/** Nothing may be mounted there or below. */
export const ownMountPaths = [...sshdMountPaths, "/etc/passwd", "/etc/group"];
