/** Pods that know nothing of SSH. */
import { imageRef } from "../../../packages/lab/src/index.ts";

/** A container that only sleeps, of an image with nothing but busybox. */
export function busybox(name: string, changes: object = {}): object {
  return {
    name,
    image: imageRef("busybox"),
    imagePullPolicy: "IfNotPresent",
    command: ["sleep", "100000"],
    env: [{ name: "GREETING", value: `a "b" \\c` }],
    ...changes,
  };
}

export function busyboxPod(namespace: string, name: string, containers: object[], spec: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: { terminationGracePeriodSeconds: 0, containers, ...spec },
  };
}
