/** A container's objects as a file, to start it without Pulumi. */
import { kubectl, listOf } from "../../../scripts/lib/lab/lab.ts";

const kinds = [
  "persistentvolumeclaim",
  "configmap",
  "secret",
  "networkpolicy",
  "service",
  "poddisruptionbudget",
  "virtualservice",
  "statefulset",
];

interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** The container's objects as someone would write them into a file: without what the cluster has added. */
export async function containerObjects(namespace: string, name: string): Promise<string> {
  const label = `app.kubernetes.io/instance=${name}`;
  const list = await kubectl(["-n", namespace, "get", kinds.join(","), "-l", label, "-o", "json"]);
  const { items } = JSON.parse(list) as { items: Stored[] };
  const written = items.map(({ status: _, ...object }) => ({ ...clean(object as Stored) }));
  return listOf(written);
}

function clean({ metadata, ...rest }: Stored): Stored {
  const { name, namespace, labels, annotations } = metadata;
  const object = { ...rest, metadata: { name, namespace, labels, annotations } };
  // The volume that a claim was given is gone when the file is applied again.
  if (rest.kind === "PersistentVolumeClaim") {
    const { volumeName: _, ...spec } = rest.spec as unknown as Record<string, unknown>;
    return { ...object, spec, metadata: { name, namespace, labels } } as Stored;
  }
  return object as Stored;
}
