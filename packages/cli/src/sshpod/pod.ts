/** Which pod and which container a host name means, and whether it can be entered now. */

import type { PodReport } from "@drawbridge-iac/drawbridge/src/dev-container/phase";
import type { SshpodHost } from "@drawbridge-iac/drawbridge/src/host/ways/sshpod-host";
import type { LabelSelector } from "@drawbridge-iac/drawbridge/src/kubernetes/selector";
import { CliError } from "../faults.ts";
import { type Kube, KubeError } from "./kube.ts";

/** A container that can be entered. */
export interface Place {
  readonly namespace: string;
  readonly pod: string;
  /** Changes when a pod is replaced by another of the same name. */
  readonly podUid: string;
  readonly container: string;
  /** Whether no other container sees the `/tmp` of this one. */
  readonly ownTmp: boolean;
}

interface ContainerSpec {
  name: string;
  ports?: { name?: string; containerPort: number }[];
  restartPolicy?: string;
  volumeMounts?: { name: string; mountPath: string }[];
}

/** The part of a Pod object that is looked at. */
export interface Pod {
  metadata: {
    name: string;
    uid: string;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    annotations?: Record<string, string>;
  };
  spec: {
    containers: ContainerSpec[];
    initContainers?: ContainerSpec[];
    ephemeralContainers?: ContainerSpec[];
    volumes?: { name: string; emptyDir?: object }[];
  };
  status?: NonNullable<PodReport["status"]> & { podIP?: string };
}

export async function findPlace(kube: Kube, host: SshpodHost): Promise<Place> {
  const { namespace, pod } = await findPod(kube, host);
  const { name, uid } = pod.metadata;
  const container = chooseContainer(pod, host.container);
  if (!canEnter(pod, container)) {
    throw new CliError(
      `container ${container} of pod ${namespace}/${name} does not run: ${stateOf(pod)}; see: kubectl -n ${namespace} describe pod ${name}`,
    );
  }
  return { namespace, pod: name, podUid: uid, container, ownTmp: hasOwnTmp(pod, container) };
}

/** A pod with an sshd of its own: ports are the pod's, whichever of its containers listens. */
export async function findOwnSshd(kube: Kube, host: SshpodHost): Promise<Pick<Place, "namespace" | "pod">> {
  const { namespace, pod } = await findPod(kube, host);
  checkRuns(pod, namespace);
  return { namespace, pod: pod.metadata.name };
}

function checkRuns(pod: Pod, namespace: string): void {
  const { name } = pod.metadata;
  const { containers, initContainers = [] } = pod.spec;
  if ([...containers, ...initContainers].some((one) => canEnter(pod, one.name))) return;
  throw new CliError(
    `pod ${namespace}/${name} does not run: ${stateOf(pod)}; see: kubectl -n ${namespace} describe pod ${name}`,
  );
}

async function findPod(kube: Kube, host: SshpodHost) {
  const namespace = host.namespace ?? kube.namespace;
  const pod =
    host.kind === "pod"
      ? await read<Pod>(kube, `pod ${host.name}`, namespace, podPath(namespace, host.name))
      : await pickPod(kube, namespace, host);
  return { namespace, pod };
}

/** @param name left out for all of the namespace */
export const podPath = (namespace: string, name?: string) =>
  `/api/v1/namespaces/${namespace}/pods${name === undefined ? "" : `/${name}`}`;

const groups = { deployment: "apps/v1", job: "batch/v1" } as const;

async function pickPod(kube: Kube, namespace: string, host: SshpodHost): Promise<Pod> {
  const kind = host.kind as keyof typeof groups;
  const what = `${kind} ${host.name}`;
  const path = `/apis/${groups[kind]}/namespaces/${namespace}/${kind}s/${host.name}`;
  const owner = await read<{ spec: { selector: LabelSelector } }>(kube, what, namespace, path);
  const pods = await podsOf(kube, what, namespace, selectorText(owner.spec.selector));
  const pod = choosePod(pods);
  if (pod === undefined) {
    throw new CliError(
      `${what} in namespace ${namespace} has no running pod (${statesOf(pods) || "it has no pods"}); see: kubectl -n ${namespace} describe ${kind} ${host.name}`,
    );
  }
  return pod;
}

/**
 * The oldest ready pod, so that the several connections of an editor meet in one pod; where none is ready, the
 * oldest with a container that runs, since that may be just what someone wants to look into.
 */
export function choosePod(pods: readonly Pod[]): Pod | undefined {
  const age = (pod: Pod) => `${pod.metadata.creationTimestamp ?? ""} ${pod.metadata.name}`;
  const oldest = (some: readonly Pod[]) => some.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0];
  const running = pods.filter((pod) => pod.spec.containers.some(({ name }) => canEnter(pod, name)));
  return oldest(running.filter(isReady)) ?? oldest(running);
}

export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** Whether the container runs; the probe that keeps Services away from a pod does not keep its owner out. */
export function canEnter(pod: Pod, container: string): boolean {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const status = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === container);
  return pod.metadata.deletionTimestamp === undefined && status?.state?.running !== undefined;
}

/** How a pod is, in words. */
export function stateOf(pod: Pod): string {
  if (pod.metadata.deletionTimestamp !== undefined) return "it is being deleted";
  const states = (pod.status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const reason = state?.waiting?.reason ?? state?.terminated?.reason;
    return reason === undefined ? [] : [`container ${name} ${reason}`];
  });
  const scheduled = pod.status?.conditions?.find((condition) => condition.type === "PodScheduled");
  if (scheduled?.status === "False") states.push(scheduled.message ?? "not scheduled to a node");
  return [`phase ${pod.status?.phase ?? "unknown"}`, ...states].join(", ");
}

export const statesOf = (pods: readonly Pod[]) =>
  pods.map((pod) => `${pod.metadata.name}: ${stateOf(pod)}`).join("; ");

/** Whether `/tmp` is the container's own file system, or a volume that lives and dies with the pod and is mounted once. */
export function hasOwnTmp(pod: Pod, container: string): boolean {
  const { containers, initContainers = [], ephemeralContainers = [], volumes = [] } = pod.spec;
  const all = [...containers, ...initContainers, ...ephemeralContainers];
  const mounts = (one: ContainerSpec | undefined) => one?.volumeMounts ?? [];
  const at = mounts(all.find(({ name }) => name === container)).find(
    ({ mountPath }) => mountPath.replace(/\/+$/, "") === "/tmp",
  );
  if (at === undefined) return true;
  const isEmptyDir = volumes.some(({ name, emptyDir }) => name === at.name && emptyDir !== undefined);
  return isEmptyDir && all.flatMap(mounts).filter(({ name }) => name === at.name).length === 1;
}

/** The named container, else the only one, else the one that the pod itself names as its default. */
export function chooseContainer(pod: Pod, wanted: string | undefined): string {
  const sidecars = (pod.spec.initContainers ?? []).filter(
    (container) => container.restartPolicy === "Always",
  );
  const main = pod.spec.containers.map((container) => container.name);
  const all = [...main, ...sidecars.map((container) => container.name)];
  const where = `pod ${pod.metadata.name}`;
  if (wanted !== undefined) {
    if (all.includes(wanted)) return wanted;
    throw new CliError(`${where} has no container ${JSON.stringify(wanted)}; it has: ${all.join(", ")}`);
  }
  const marked = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (marked !== undefined && main.includes(marked)) return marked;
  const [only] = main;
  if (only !== undefined && main.length === 1) return only;
  throw new CliError(
    `${where} has several containers: ${main.join(", ")}; say which by putting container--NAME. in front of the host name`,
  );
}

export function selectorText(selector: LabelSelector): string {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === "Exists") return key;
    if (operator === "DoesNotExist") return `!${key}`;
    return `${key} ${operator === "In" ? "in" : "notin"} (${values.join(",")})`;
  });
  return [...labels, ...expressions].join(",");
}

/** What to do about a name that is not found, and about a missing right. */
const byHostName = {
  names: "add namespace--NAME or context--NAME to the host name",
  right: "ask for the sshpod Role of this container",
};

/** The pods with these labels. @param what they belong to */
export async function podsOf(
  kube: Kube,
  what: string,
  namespace: string,
  labelSelector: string,
  cures = byHostName,
): Promise<Pod[]> {
  const path = `${podPath(namespace)}?${new URLSearchParams({ labelSelector })}`;
  return (await read<{ items: Pod[] }>(kube, `pods of ${what}`, namespace, path, cures)).items;
}

export async function read<T>(
  kube: Kube,
  what: string,
  namespace: string,
  path: string,
  cures = byHostName,
): Promise<T> {
  try {
    return await kube.get<T>(path);
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    if (error.status === 404) {
      throw new CliError(
        `there is no ${what} in namespace ${namespace} of context ${kube.context}; check both names, or ${cures.names}`,
      );
    }
    if (error.status === 403) {
      throw new CliError(
        `your account may not read ${what} in namespace ${namespace}: ${error.said}; ${cures.right}`,
      );
    }
    if (error.status === 401) {
      throw new CliError(
        `the cluster of context ${kube.context} refuses your credentials; log in to it again`,
      );
    }
    throw error;
  }
}
