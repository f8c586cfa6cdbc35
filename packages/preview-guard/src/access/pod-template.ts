/** Where a pod stands in each kind of workload. */
import { at } from "../finding.ts";
import { type Inputs, listAt, mapAt } from "../objects.ts";

export function templateOf(inputs: Inputs | undefined, kind: string): unknown {
  if (kind === "Pod") return inputs;
  if (kind === "CronJob") return at(inputs, "spec", "jobTemplate", "spec", "template");
  return at(inputs, "spec", kind === "Sandbox" ? "podTemplate" : "template");
}

export function podSpecOf(inputs: Inputs | undefined, kind: string): Inputs {
  return mapAt(templateOf(inputs, kind), "spec");
}

/** Whether the sshd of an InjectedSshd is in it, by the init container that brings the program. */
export function hasInjectedSshd(template: unknown): boolean {
  return listAt(template, "spec", "initContainers").some((one) => at(one, "name") === "sshd-bundle");
}

export function containersOf(spec: unknown): Inputs[] {
  return ["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    listAt(spec, list).map((one) => mapAt(one)),
  );
}
