/** Pods that know nothing of SSH, each with another trait that the sshpod way meets. */
import { imageRef } from "../../packages/lab/src/index.ts";
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";

function owner(namespace: string, apiVersion: string, kind: string, name: string, spec: object): object {
  const labels = { app: name };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace },
    spec: {
      ...spec,
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [busybox("main")],
          ...(kind === "Job" ? { restartPolicy: "Never" } : {}),
        },
      },
    },
  };
}

/** The namespace and all that the tests reach in it, or are refused by. */
export function sshpodObjects(namespace: string): object[] {
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    busyboxPod(namespace, "plain", [busybox("main")]),
    busyboxPod(namespace, "somebody", [busybox("main")], {
      securityContext: { runAsUser: 1234, runAsGroup: 1234 },
    }),
    busyboxPod(namespace, "bare", [
      busybox("main", { command: ["sh", "-c", "rm /bin/tar /bin/gzip; exec sleep 100000"] }),
    ]),
    busyboxPod(namespace, "pair", [busybox("one"), busybox("two")]),
    busyboxPod(namespace, "shellless", [
      { name: "main", image: imageRef("pause"), imagePullPolicy: "IfNotPresent" },
    ]),
    busyboxPod(namespace, "unready", [busybox("main", { readinessProbe: { exec: { command: ["false"] } } })]),
    busyboxPod(namespace, "stopped", [
      busybox("main", { image: "none.invalid/none:1", imagePullPolicy: "Never" }),
    ]),
    busyboxPod(namespace, "sealed", [busybox("main", { securityContext: { readOnlyRootFilesystem: true } })]),
    owner(namespace, "apps/v1", "Deployment", "web", {
      replicas: 2,
      selector: { matchLabels: { app: "web" } },
    }),
    owner(namespace, "batch/v1", "Job", "batch", {}),
  ];
}
