/** Whether the namespaces of teams have their labels: drawbridge sets none on a namespace that others make. */
import { teamLabel } from "@drawbridge-iac/manifests";
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

/** Where an object shows that its namespace is a team's: the policy of a Team, or a container. */
const traces = [
  "/apis/networking.k8s.io/v1/networkpolicies?labelSelector=app.kubernetes.io%2Fcomponent%3Dteam",
  "/apis/apps/v1/statefulsets?labelSelector=app.kubernetes.io%2Fcomponent%3Ddev-container",
];

export async function teamRequirements(kube: Kube): Promise<Requirement[]> {
  try {
    const list = async (path: string) => (await kube.get<{ items: Named[] }>(path)).items;
    const [namespaces, ...found] = await Promise.all(["/api/v1/namespaces", ...traces].map(list));
    const ofTeams = new Set(found.flat().map(({ metadata }) => metadata.namespace));
    return (namespaces ?? [])
      .filter(({ metadata }) => ofTeams.has(metadata.name))
      .map((namespace) => ({ step: `namespace ${namespace.metadata.name}`, ...requirementOf(namespace) }));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const text =
      "unknown: this account may not list namespaces, network policies and stateful sets of the cluster; ask the platform team to run drawbridge doctor --teams";
    return [{ step: "teams", ok: false, text }];
  }
}

function requirementOf({ metadata }: Named): Omit<Requirement, "step"> {
  const { name, labels = {} } = metadata;
  const level = labels[enforce] ?? "";
  const missing = [
    ...(labels[teamLabel] === name
      ? []
      : [
          `${teamLabel}=${name}, without which no policy judges what is written in it and the gateway takes no routes`,
        ]),
    ...(level === "restricted" || level === "baseline"
      ? []
      : [`${enforce}=restricted, without which only the policies for a team with root refuse a pod`]),
  ];
  return missing.length === 0
    ? { ok: true, text: `is marked as a team's, with Pod Security "${level}"` }
    : { ok: false, text: `lacks ${missing.join(", and ")}; set it by kubectl label namespace ${name}` };
}
