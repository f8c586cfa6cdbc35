/** Whether the namespaces of teams have their labels: drawbridge sets none on a namespace that others make. */
import { teamLabel } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { clusterName } from "@drawbridge-iac/drawbridge/src/kubernetes/names";
import { isForbidden, type Kube } from "../sshpod/kube.ts";
import type { Requirement } from "./finding.ts";

interface Named {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

const enforce = "pod-security.kubernetes.io/enforce";

/** API paths of what only a team's namespace has: the NetworkPolicy of a Team, or a container. */
const traces = [
  "/apis/networking.k8s.io/v1/networkpolicies?labelSelector=app.kubernetes.io%2Fcomponent%3Dteam",
  "/apis/apps/v1/statefulsets?labelSelector=app.kubernetes.io%2Fcomponent%3Ddev-container",
];

const bindings =
  "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings?labelSelector=app.kubernetes.io%2Fcomponent%3Dteam";

export async function teamRequirements(kube: Kube): Promise<Requirement[]> {
  try {
    const list = async (path: string) => (await kube.get<{ items: Named[] }>(path)).items;
    const [bound = [], namespaces, ...found] = await Promise.all(
      [bindings, "/api/v1/namespaces", ...traces].map(list),
    );
    const policies = new Set(bound.map(({ metadata }) => metadata.name));
    const ofTeams = new Set(found.flat().map(({ metadata }) => metadata.namespace));
    return (namespaces ?? [])
      .filter(({ metadata }) => ofTeams.has(metadata.name))
      .map((namespace) => ({
        step: `namespace ${namespace.metadata.name}`,
        ...requirementOf(namespace, policies.has(clusterName("team", namespace.metadata.name, "pods"))),
      }));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const text =
      "unknown: this account may not list namespaces, network policies, stateful sets and admission policy bindings of the cluster; ask the platform team to run drawbridge doctor --teams";
    return [{ step: "teams", ok: false, text }];
  }
}

/** @param hasRoot whether a Team with `root` brought its policy on pods, which stands in for Pod Security */
function requirementOf({ metadata }: Named, hasRoot: boolean): Omit<Requirement, "step"> {
  const { name, labels = {} } = metadata;
  const level = labels[enforce] ?? "";
  const missing = new Map<string, string>();
  if (labels[teamLabel] !== name) {
    const effect =
      "no admission policy judges what is written in it, and the gateway takes no routes from it";
    missing.set(`${teamLabel}=${name}`, effect);
  }
  if (level !== "restricted" && level !== "baseline" && !(hasRoot && level === "privileged")) {
    missing.set(`${enforce}=restricted`, "no pod is refused but by the policies for a team with root");
  }
  if (missing.size === 0) return { ok: true, text: `is marked as a team's, with Pod Security "${level}"` };
  const faults = [...missing].map(([label, effect]) => `lacks ${label}, so ${effect}`);
  const command = `kubectl label --overwrite namespace ${name} ${[...missing.keys()].join(" ")}`;
  return { ok: false, text: `${faults.join("; ")}; set it: ${command}` };
}
