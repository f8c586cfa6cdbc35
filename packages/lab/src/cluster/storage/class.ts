import type { KubeObject } from "../../kube/object.ts";

/** The name under which the lab's own provisioner answers for classes. */
export const provisioner = "drawbridge.local/local-path";

/** The default class: a folder of the node per claim, made when the first pod wants it, removed with the claim. */
export const storageClass: KubeObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "local-path",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
  allowVolumeExpansion: true,
};
