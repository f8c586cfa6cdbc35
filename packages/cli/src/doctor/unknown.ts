/** Containers that this laptop knows from no stack, such as after a first `pulumi up` that failed: as the cluster has them. */
import { partSelector } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { Step } from "../faults.ts";
import { podState } from "../list/container-state.ts";
import { isForbidden, type Kube } from "../sshpod/kube.ts";
import type { Finding } from "./finding.ts";

interface Labelled {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** A container with its namespace, and what its pod shows. */
interface FoundContainer extends Finding {
  readonly name: string;
  readonly namespace: string;
}

/** @param name of one container; undefined for all. An account that may not look everywhere looks into its own namespace. */
export async function containersInCluster(name: string | undefined, kube: Kube): Promise<FoundContainer[]> {
  const instance = name === undefined ? "" : `,app.kubernetes.io/instance=${name}`;
  const labels = `app.kubernetes.io/managed-by=drawbridge,${partSelector("dev-container")}${instance}`;
  const list = (place: string) =>
    kube.get<{ items: Labelled[] }>(
      `/apis/apps/v1/${place}statefulsets?labelSelector=${encodeURIComponent(labels)}`,
    );
  const { items } = await list("").catch((error: unknown) => {
    if (isForbidden(error)) return list(`namespaces/${kube.namespace}/`);
    throw error;
  });
  return Promise.all(
    items.map(async ({ metadata: { name: workload, namespace, labels: own } }) => {
      const pod = `${workload}-0`;
      const state = await podState({ ways: [{ way: "sshpod", pod, namespace }] }, async () => kube);
      const ready = state?.conditions.find(({ type }) => type === "PodReady");
      return {
        name: own?.["app.kubernetes.io/instance"] ?? workload,
        namespace,
        step: Step.pod,
        ok: ready?.status === true,
        text: ready?.status ? `${pod} is ready` : (ready?.message ?? `${pod} cannot be looked at`),
      };
    }),
  );
}
