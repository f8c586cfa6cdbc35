/** What etcd holds, and objects that are as large as the policies let them be. */
import type { ApiObject, ApiUser } from "../support/attacks/api-user.ts";
import type { Place } from "../support/attacks/attack.ts";
import { configMap, countedObjects } from "../support/attacks/heavy.ts";
import { metadata } from "../support/attacks/kubernetes.ts";

async function ask(etcd: string, path: string, body: object): Promise<{ header: { revision: string } }> {
  const response = await fetch(`${etcd}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd's ${path}: ${await response.text()}`);
  return (await response.json()) as { header: { revision: string } };
}

/** The size of etcd's file, with whatever history it holds. */
export async function etcdBytes(etcd: string): Promise<number> {
  const text = await (await fetch(`${etcd}/metrics`)).text();
  return Number(/^etcd_mvcc_db_total_size_in_bytes (\S+)$/m.exec(text)?.[1]);
}

/** The same once it holds the newest version of each object alone, and no free room. */
export async function compactedBytes(etcd: string): Promise<number> {
  const { header } = await ask(etcd, "kv/range", { key: Buffer.from("none").toString("base64") });
  await ask(etcd, "kv/compaction", { revision: header.revision, physical: true });
  await ask(etcd, "maintenance/defragment", {});
  return etcdBytes(etcd);
}

type Spec = Record<string, unknown>;
interface WithTemplate {
  readonly template?: Spec & { metadata?: Spec };
  readonly jobTemplate?: { readonly spec: WithTemplate };
}

/** The object with that much in it, where its controller repeats it. */
function padded(one: ApiObject, bytes: number): ApiObject {
  const text = "x".repeat(bytes);
  if (one.kind === "ConfigMap") return { ...one, data: { text } };
  if (one.kind === "Secret") return { ...one, data: { file: "A".repeat(bytes - (bytes % 4)) } };
  const copy = structuredClone(one) as ApiObject & { template?: Spec; spec?: WithTemplate };
  const template = copy.spec?.jobTemplate?.spec.template ?? copy.spec?.template;
  const holder = (template ?? copy) as { metadata?: Spec };
  holder.metadata = { ...holder.metadata, annotations: { note: text } };
  return copy;
}

/** The object under another name, which its pods have for a label. */
export const numbered = (one: ApiObject, number: number): ApiObject => {
  const name = `own-${10_000 + number}`;
  const own = JSON.parse(JSON.stringify(one).replaceAll('"app":"own"', `"app":"${name}"`)) as ApiObject;
  return { ...own, metadata: { ...own.metadata, name } };
};

const quota = (place: Place): ApiObject => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: metadata(place, "owner"),
  spec: { hard: { "count/csistoragecapacities.storage.k8s.io": "0" } },
});
const secret = (place: Place): ApiObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: metadata(place, "owner"),
  type: "Opaque",
});
/** An object of each kind that a team's quota counts; workloads first, of which controllers make others. */
export function eachCounted(place: Place): ApiObject[] {
  const counted = countedObjects(place);
  const later = ["ReplicaSet", "ControllerRevision", "LimitRange"];
  const isLater = ({ kind }: ApiObject) => later.includes(kind);
  return [
    ...[...counted.filter((one) => !isLater(one)), configMap(place, ""), secret(place)],
    ...[...counted.filter(isLater), quota(place)],
  ];
}

/** The largest of its kind that this user may make: the API server says how large that is. */
export async function largest(user: ApiUser, one: ApiObject): Promise<(number: number) => ApiObject> {
  const probe = ["ConfigMap", "Secret"].includes(one.kind) ? 400_000 : 100_000;
  const { message } = await user.post(numbered(padded(one, probe), 0));
  const [, may, takes] = /may take (\d+) bytes in etcd, and this one takes (\d+)/.exec(message) ?? [];
  if (takes === undefined) throw new Error(`a ${one.kind} of ${probe} bytes: ${message || "accepted"}`);
  // Some room for what differs between two of them.
  const fits = padded(one, probe - (Number(takes) - Number(may)) - 100);
  return (number) => numbered(fits, number);
}
