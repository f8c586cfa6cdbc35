/** What the egress gateway refused a container lately, as the cluster has it. */
import { egressGrantName } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { CliError } from "../faults.ts";
import { type Kube, KubeError } from "../sshpod/kube.ts";

/** A container, or another host with hosts by name. */
export interface Container {
  readonly name: string;
  readonly namespace: string;
}

/** What was refused, and how often lately. */
export interface Denial {
  /** When it was refused last. */
  readonly time: string;
  /** What was asked for, such as `CONNECT crates.io:443`. */
  readonly what: string;
  /** Why, with what to do. */
  readonly reason: string;
  readonly times: number;
}

interface Gateway {
  readonly name: string;
  readonly namespace: string;
}

interface Binding {
  readonly subjects?: readonly Gateway[];
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Whom the container's grant is for; undefined where it has none. */
export async function gatewayOf(kube: Kube, { name, namespace }: Container): Promise<Gateway | undefined> {
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings/${egressGrantName(name)}`;
  const binding = await kube.get<Binding>(path).catch((error: unknown) => {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  });
  return binding?.subjects?.[0];
}

export async function podsOf(kube: Kube, { name, namespace }: Gateway): Promise<readonly Pod[]> {
  const labels = Object.entries(selectorLabels("egress-gateway", name)).map((pair) => pair.join("="));
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(labels.join(","))}`;
  return (await kube.get<{ items: Pod[] }>(path)).items;
}

export const isReady = ({ status }: Pod) =>
  status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;

/** How far the log is read: so many lines of each proxy. */
const lines = 20_000;

/** The refusals of one container in its gateway's log, the last one first. */
export async function denialsOf(kube: Kube, container: Container): Promise<Denial[]> {
  const gateway = await gatewayOf(kube, container);
  if (gateway === undefined)
    throw new CliError(
      `${container.namespace}/${container.name} names no hosts, so no egress gateway refuses it any; what its network is, egress of its stack says`,
    );
  return denialsAt(kube, gateway, await podsOf(kube, gateway), container);
}

export async function denialsAt(
  kube: Kube,
  { namespace }: Gateway,
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
  return [...all.values()].sort((one, other) => (one.time < other.time ? 1 : -1));
}

/** The authorizer's lines (packages/controllers) that are about this container; others may stand between them. */
function refusalsIn(log: string, { name, namespace }: Container) {
  return log.split("\n").flatMap((line) => {
    const { time, container, outcome, what, reason } = parsed(line);
    const isOurs = container === `${namespace}/${name}` && outcome === "refused";
    return isOurs && time && what && reason ? [{ time, what, reason }] : [];
  });
}

function parsed(line: string): Partial<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(line);
    const texts = Object.entries(read ?? {}).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
