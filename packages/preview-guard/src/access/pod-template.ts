/** Path of the pod template in each kind of workload. */
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

const lists = ["containers", "initContainers", "ephemeralContainers"];
const containerGroups = ["securityContext", "ports", "env", "envFrom"];

/** Groups and lists of which a preview shows one text: what is in them, nobody knows. By their paths. */
export function unseenGroups(inputs: Inputs, kind: string): Readonly<Record<string, unknown>> {
  const groups: Record<string, unknown> = { spec: inputs.spec };
  if (kind === "CronJob") {
    groups.jobTemplate = at(inputs, "spec", "jobTemplate");
    groups["jobTemplate.spec"] = at(inputs, "spec", "jobTemplate", "spec");
  }
  const template = templateOf(inputs, kind);
  const spec = at(template, "spec");
  groups.template = template;
  groups["template.metadata"] = at(template, "metadata");
  groups["template.metadata.annotations"] = at(template, "metadata", "annotations");
  groups["template.spec"] = spec;
  for (const list of lists) {
    groups[list] = at(spec, list);
    for (const [place, container] of listAt(spec, list).entries()) {
      const path = `${list}[${place}]`;
      groups[path] = container;
      for (const group of containerGroups) groups[`${path}.${group}`] = at(container, group);
      for (const from of ["ports", "env", "envFrom"])
        for (const [index, one] of listAt(container, from).entries()) {
          groups[`${path}.${from}[${index}]`] = one;
          groups[`${path}.${from}[${index}].valueFrom`] = at(one, "valueFrom");
        }
    }
  }
  return Object.fromEntries(Object.entries(groups).filter(([, value]) => typeof value === "string"));
}

/** Whether the sshd of an InjectedSshd is in it, by the init container that brings the program. */
export function hasInjectedSshd(template: unknown): boolean {
  return listAt(template, "spec", "initContainers").some((one) => at(one, "name") === "sshd-bundle");
}

export function containersOf(spec: unknown): Inputs[] {
  return lists.flatMap((list) => listAt(spec, list).map((one) => mapAt(one)));
}
