/** What the egress gateway and frp's server refused a container lately, as the cluster has it. */
import { egressGrantName } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import type { AuthorizerEvent } from "@drawbridge-iac/drawbridge/src/host/event";
import { grantName } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { CliError } from "../faults.ts";
import { type Kube, KubeError } from "../sshpod/kube.ts";

/** A container, or another host with hosts by name. */
export interface Container {
  readonly name: string;
  readonly namespace: string;
}

/** What was refused, with what to do, and how often lately. */
export interface Denial extends Required<Pick<AuthorizerEvent, "what" | "reason">> {
  /** When it was refused last. */
  readonly time: string;
  readonly times: number;
}

/** Where an authorizer runs. */
export interface Server {
  readonly part: "egress-gateway" | "frp-server";
  readonly name: string;
  readonly namespace: string;
}

const grants = { "egress-gateway": egressGrantName, "frp-server": grantName };

interface Binding {
  readonly subjects?: readonly Omit<Server, "part">[];
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Whom the container's grant is for; undefined where it has none. */
export async function serverOf(
  kube: Kube,
  { name, namespace }: Container,
  part: Server["part"],
): Promise<Server | undefined> {
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings/${grants[part](name)}`;
  const binding = await kube.get<Binding>(path).catch((error: unknown) => {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  });
  const [subject] = binding?.subjects ?? [];
  return subject && { part, name: subject.name, namespace: subject.namespace };
}

export async function podsOf(kube: Kube, { part, name, namespace }: Server): Promise<readonly Pod[]> {
  const labels = Object.entries(selectorLabels(part, name)).map((pair) => pair.join("="));
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(labels.join(","))}`;
  return (await kube.get<{ items: Pod[] }>(path)).items;
}

export const isReady = ({ status }: Pod) =>
  status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;

/** How far the log is read: so many lines of each proxy. */
const lines = 20_000;

/** The refusals of one container in its servers' logs, the last one first. */
export async function denialsOf(kube: Kube, container: Container): Promise<Denial[]> {
  const parts = ["egress-gateway", "frp-server"] as const;
  const servers = await Promise.all(parts.map((part) => serverOf(kube, container, part)));
  const there = servers.filter((server) => server !== undefined);
  if (there.length === 0)
    throw new CliError(
      `${container.namespace}/${container.name} names no hosts and has no way in by frp, so nothing is refused it by name; what its network is, egress of its stack says`,
    );
  const denials = await Promise.all(
    there.map(async (server) => denialsAt(kube, server, await podsOf(kube, server), container)),
  );
  return denials.flat().sort(lastFirst);
}

const lastFirst = (one: Denial, other: Denial) => (one.time < other.time ? 1 : -1);

export async function denialsAt(
  kube: Kube,
  { namespace }: Server,
  pods: readonly Pod[],
  container: Container,
): Promise<Denial[]> {
  const logs = await Promise.all(
    pods.map(({ metadata: { name } }) =>
      kube.text(`/api/v1/namespaces/${namespace}/pods/${name}/log?container=authorizer&tailLines=${lines}`),
    ),
  );
  const all = new Map<string, Denial>();
  for (const { time, what, reason } of logs.flatMap((log) => refusalsIn(log, container))) {
    const key = `${what} ${reason}`;
    const { time: before = "", times = 0 } = all.get(key) ?? {};
    all.set(key, { time: time > before ? time : before, what, reason, times: times + 1 });
  }
  return [...all.values()].sort(lastFirst);
}

/** The lines that are about this container; others may stand between them. */
function refusalsIn(log: string, { name, namespace }: Container) {
  return log.split("\n").flatMap((line) => {
    const { time, container, outcome, what, reason } = parsed(line);
    const isOurs = container === `${namespace}/${name}` && outcome === "refused";
    return isOurs && time && what && reason ? [{ time, what, reason }] : [];
  });
}

function parsed(line: string): Partial<Record<keyof AuthorizerEvent | "time", string>> {
  try {
    const read: unknown = JSON.parse(line);
    const texts = Object.entries(read ?? {}).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
