/** What tests of a gateway's life ask of its proxies, of the control plane and of many sessions at once. */
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import {
  apply,
  type CounterSession,
  eventually,
  getObject,
  kubectl,
  type Laptop,
} from "../../../scripts/lib/lab/lab.ts";
import { systemPid } from "../lab/processes.ts";
import { inlineEnvoyFilter, namingRoute } from "../seed-design.ts";

/** The label selector of a gateway's pods, as kubectl writes it. */
export const podsOf = (gateway: string) => `app.kubernetes.io/instance=${gateway}`;

/** Seed 002's filter for one container's port 22, merged into the listener of a gateway in its own namespace. */
export async function addSeedRoute(gateway: string, container: string, team: string): Promise<void> {
  const host = `${container}.${team}.svc.cluster.local`;
  const filter = inlineEnvoyFilter(container, gateway, selectorLabels("ssh-gateway", gateway), host, 22);
  await apply(namingRoute(container, gateway, host, 22), filter);
}

/** The ssh_config block of a container behind such a filter. */
export function seedBlock(alias: string, address: string, container: string, team: string): string {
  return [
    `Host ${alias}`,
    ` HostName ${container}.${team}.svc.cluster.local`,
    " User jovyan",
    ` ProxyCommand proxytunnel -q -p ${address}:80 -d %h:22`,
    "",
  ].join("\n");
}

/**
 * Opens sessions that count, ten at a time: a login costs much more than a session.
 * @param everyMs how often each counts, 500 ms by default; each time, its shell starts a `sleep`
 */
export async function openCounters(
  laptop: Laptop,
  host: string,
  count: number,
  everyMs = 500,
): Promise<CounterSession[]> {
  const sessions: CounterSession[] = [];
  while (sessions.length < count) {
    const size = Math.min(10, count - sessions.length);
    const group = Array.from({ length: size }, () => laptop.openCounter(host, everyMs));
    sessions.push(...group);
    await Promise.all(group.map((session) => session.reached(2, 120)));
  }
  return sessions;
}

export async function closeAll(sessions: readonly CounterSession[]): Promise<void> {
  await Promise.all(sessions.map((session) => session.close()));
}

/** A pod of a gateway. */
interface ProxyPod {
  readonly name: string;
  /** When it was told to stop, in milliseconds; Kubernetes keeps whole seconds. */
  readonly stoppedAt: number | undefined;
}

/** A gateway's pods, those that are stopping among them. */
export async function proxyPods(gateway: string): Promise<ProxyPod[]> {
  type Metadata = { name: string; deletionTimestamp?: string; deletionGracePeriodSeconds?: number };
  const pods = ["-n", gateway, "pods", "-l", podsOf(gateway)];
  const { items } = await getObject<{ items: { metadata: Metadata }[] }>(pods);
  return items.map(({ metadata: { name, deletionTimestamp, deletionGracePeriodSeconds = 0 } }) => ({
    name,
    // The stamp is the end of the grace period.
    stoppedAt:
      deletionTimestamp === undefined
        ? undefined
        : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000,
  }));
}

/** How many tunnels stand in a pod, by its audit log. */
export async function tunnelsIn(gateway: string, pod: string): Promise<number> {
  const log = await kubectl(["-n", gateway, "logs", pod, "--tail=-1"]);
  const open = new Set<number>();
  for (const line of log.split("\n").filter((text) => text.startsWith('{"authority"'))) {
    const { event, connection } = JSON.parse(line) as { event: string; connection: number };
    if (event === "DownstreamTunnelSuccessfullyEstablished") open.add(connection);
    if (event === "DownstreamEnd") open.delete(connection);
  }
  return open.size;
}

/** Kills the lab's istiod and waits until its successor works. */
export async function restartIstiod(): Promise<void> {
  const old = await systemPid("pilot-discovery");
  process.kill(old, "SIGKILL");
  await eventually("another istiod", async () => (await systemPid("pilot-discovery")) !== old);
  await istiodAnswers();
}

/** Waits until istiod answers the API server's webhooks. */
export async function istiodAnswers(): Promise<void> {
  const route = {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: "probe", namespace: "default" },
    spec: { hosts: ["probe"], http: [{ route: [{ destination: { host: "probe" } }] }] },
  };
  await eventually(
    "istiod's check of routes",
    async () => (await kubectl(["apply", "--dry-run=server", "-f", "-"], JSON.stringify(route))) !== "",
    120,
  );
}
