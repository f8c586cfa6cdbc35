import type { ApiClient } from "./client.ts";
import type { KubeObject } from "./watch.ts";

/** Tells the owner of an object, in its namespace, why something did not happen; `kubectl describe` shows it. */
export async function warn(
  api: ApiClient,
  about: KubeObject & { kind: string; apiVersion: string },
  reason: string,
  message: string,
): Promise<void> {
  const { name = "", namespace = "default", uid = "" } = about.metadata ?? {};
  const now = new Date().toISOString();
  await api.post(`/api/v1/namespaces/${namespace}/events`, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid },
    type: "Warning",
    reason,
    message,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    source: { component: "drawbridge-lab" },
  });
}
