/** The files by which programs reach hosts by name that heed no variable: a ProxyCommand for ssh, and settings of Maven. */
import { connectSh } from "../../generated/programs.ts";
import { joinName } from "../../kubernetes/names.ts";
import type { PodPart } from "../../kubernetes/pod.ts";
import { mavenSettings } from "./maven.ts";
import type { EgressPlan } from "./plan.ts";

const folder = "/etc/drawbridge/egress";
const [connect, maven] = ["connect", "maven.xml"];

export const fileVariables = [
  // For git's ssh; by its configuration a person's own ssh does the same.
  { name: "GIT_SSH_COMMAND", value: `ssh -o ProxyCommand='${folder}/${connect} %h %p'` },
  { name: "MAVEN_ARGS", value: `-gs ${folder}/${maven}` },
];

/** Name of the ConfigMap with them. */
export const connectName = (name: string) => joinName(name, "egress");
export const connectFiles = (plan: EgressPlan) => ({ [connect]: connectSh, [maven]: mavenSettings(plan) });

export const connectPart = (name: string): PodPart => ({
  volumes: [{ name: "egress", configMap: { name: connectName(name), defaultMode: 0o555 } }],
  mounts: [{ name: "egress", mountPath: folder, readOnly: true }],
});
