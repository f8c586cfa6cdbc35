import type { Lab, LabStatus, NodeStatus } from "./index.ts";
import { toolVersions } from "./tools/index.ts";

const seconds = (value: number) => `${value.toFixed(1)} s`;

/** What a person wants to know when a lab is up: versions, how long each part took, what to do now. */
export function summary(lab: Lab, versions: Readonly<Record<string, string>> = toolVersions()): string {
  const versionOf = (name: string) =>
    (lab.previous ? versions[`previous-${name}`] : undefined) ?? versions[name];
  const named = lab.name === "default" ? "" : ` --name ${lab.name}`;
  return [
    `lab "${lab.name}" ${lab.started ? `was ready after ${seconds(lab.seconds)}` : "is running already"}`,
    ...lab.steps.map(({ name, began, ended }) => `  ${name}: ${seconds(began)} to ${seconds(ended)}`),
    `versions: ${programs.map((name) => `${name} ${versionOf(name)}`).join(", ")}`,
    `next: drawbridge-lab exec${named} -- kubectl get pods -A`,
  ].join("\n");
}

const programs = [
  "kube-apiserver",
  "etcd",
  "containerd",
  "runc",
  "coredns",
  "pilot-discovery",
  "envoy",
  "pulumi",
];

type LabPrograms = NodeStatus["programs"];

/** The answer of `status`. */
export function statusText(status: LabStatus): string {
  if (!("programs" in status)) return `lab "${status.name}" is ${status.phase}`;
  const lines = (programs: LabPrograms, indent: string) =>
    programs.map(
      ({ name, pid, restarts, lastEnd }) =>
        `${indent}${name}: ${pid === undefined ? "down" : "running"}, ${restarts} restarts${lastEnd === undefined ? "" : `, last end: ${lastEnd}`}`,
    );
  return [
    `lab "${status.name}" ${status.phase === "failed" ? `failed: ${status.error}` : `is ${status.phase}`}`,
    ...lines(status.programs, "  "),
    ...status.nodes.flatMap(({ name, state, programs }) => [
      `  ${name} is ${state}`,
      ...lines(programs, "    "),
    ]),
    `kubeconfig: ${status.kubeconfig}`,
  ].join("\n");
}
