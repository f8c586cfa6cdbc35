/** What ssh needs to reach hosts by name: a program, as its ProxyCommand. */
import { connectSh } from "../../generated/programs.ts";
import { joinName } from "../../kubernetes/names.ts";
import type { PodPart } from "../../kubernetes/pod.ts";

const folder = "/etc/drawbridge/egress";
const file = "connect";

/** For git's ssh; by its configuration a person's own ssh does the same. */
export const sshVariable = {
  name: "GIT_SSH_COMMAND",
  value: `ssh -o ProxyCommand='${folder}/${file} %h %p'`,
};

/** Name of the ConfigMap with it. */
export const connectName = (name: string) => joinName(name, "egress");
export const connectFiles = { [file]: connectSh };

export const connectPart = (name: string): PodPart => ({
  volumes: [{ name: "egress", configMap: { name: connectName(name), defaultMode: 0o555 } }],
  mounts: [{ name: "egress", mountPath: folder, readOnly: true }],
});
