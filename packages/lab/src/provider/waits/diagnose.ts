import type { KubeClient } from "../kubernetes/client.ts";
import { at, type KubeObject, listAt, stringAt } from "../kubernetes/object.ts";
import type { Json } from "../values/property.ts";

const LAST_EVENTS = 5;

/**
 * What the cluster says about an object that did not become ready: the state of its pods' containers and the last
 * events of the object and its pods, as lines to add to an error. Empty where there is nothing to say, or where the
 * user may not look.
 */
export async function diagnose(client: KubeClient, object: KubeObject): Promise<string> {
  const namespace = object.metadata.namespace;
  if (namespace === undefined) return "";
  // The error that brought us here matters more than one on the way to explaining it.
  const pods = await podsOf(client, object).catch(() => []);
  const events = await Promise.all(
    [object, ...pods].map((about) => eventsOf(client, about, namespace).catch(() => [])),
  );
  const last = events
    .flat()
    .sort((one, other) => timeOf(one).localeCompare(timeOf(other)))
    .slice(-LAST_EVENTS);
  return [...pods.flatMap(troubles), ...last.map(line)].map((text) => `\n  - ${text}`).join("");
}

async function podsOf(client: KubeClient, object: KubeObject): Promise<KubeObject[]> {
  if (object.kind === "Pod") return [];
  const labels = at(object, "spec", "selector", "matchLabels") ?? at(object, "spec", "selector");
  if (typeof labels !== "object" || labels === null) return [];
  const pairs = Object.entries(labels).filter(([, value]) => typeof value === "string");
  if (pairs.length === 0) return [];
  const labelSelector = pairs.map(([name, value]) => `${name}=${String(value)}`).join(",");
  const selection = { apiVersion: "v1", kind: "Pod", namespace: object.metadata.namespace, labelSelector };
  return (await client.list(selection)).items;
}

async function eventsOf(client: KubeClient, about: KubeObject, namespace: string): Promise<KubeObject[]> {
  const fieldSelector = `involvedObject.kind=${about.kind},involvedObject.name=${about.metadata.name}`;
  return (await client.list({ apiVersion: "v1", kind: "Event", namespace, fieldSelector })).items;
}

/** Containers of a pod that wait for something or ended badly. */
function troubles(pod: KubeObject): string[] {
  const statuses = ["initContainerStatuses", "containerStatuses"].flatMap((list) =>
    listAt(pod, "status", list),
  );
  return statuses.flatMap((status) => {
    const where = `pod ${pod.metadata.name}, container ${stringAt(status, "name")}`;
    const wait = at(status, "state", "waiting");
    if (wait !== undefined) return [`${where}: ${words(wait)}`];
    const ended = at(status, "state", "terminated") ?? at(status, "lastState", "terminated");
    const code = at(ended, "exitCode");
    return typeof code === "number" && code !== 0
      ? [`${where}: ended with exit code ${code} (${words(ended)})`]
      : [];
  });
}

function words(state: Json | undefined): string {
  return [stringAt(state, "reason"), stringAt(state, "message")].filter(Boolean).join(": ");
}

function line(event: KubeObject): string {
  const about = `${stringAt(event, "involvedObject", "kind")} ${stringAt(event, "involvedObject", "name")}`;
  return `${about}: ${stringAt(event, "reason")}: ${stringAt(event, "message")}`;
}

function timeOf(event: KubeObject): string {
  return (
    stringAt(event, "lastTimestamp") ??
    stringAt(event, "eventTime") ??
    stringAt(event, "metadata", "creationTimestamp") ??
    ""
  );
}
