import { at } from "../finding.ts";

/** The pod template among the inputs of each kind of workload. */
export function templateOf(inputs: unknown, kind: string): unknown {
  if (kind === "Pod") return inputs;
  if (kind === "CronJob") return at(inputs, "spec", "jobTemplate", "spec", "template");
  return at(inputs, "spec", kind === "Sandbox" ? "podTemplate" : "template");
}
