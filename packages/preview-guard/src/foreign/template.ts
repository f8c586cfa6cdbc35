/** Path of the pod template in each kind of workload. */
import { at } from "../finding.ts";

export function templateOf(inputs: unknown, kind: string): unknown {
  if (kind === "Pod") return inputs;
  if (kind === "CronJob") return at(inputs, "spec", "jobTemplate", "spec", "template");
  return at(inputs, "spec", kind === "Sandbox" ? "podTemplate" : "template");
}
