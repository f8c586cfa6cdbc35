import { image } from "./container-base.ts";
import type { FieldEdits } from "./edit.ts";
import { podMetadataEdits } from "./pod-metadata.ts";

const mounted = {
  volumes: [
    { name: "scratch", emptyDir: {} },
    { name: "more", emptyDir: {} },
  ],
  volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
};
const helper = { name: "helper", image };
const withSecret = { ...helper, envFrom: [{ secretRef: { name: "database" } }] };

/**
 * Edits of volumes, helpers, metadata and patches; fields that are passed on to the pod are in containers.ts. What a
 * driver's volume or a patch may open is the guard's own test.
 */
export const containerPodEdits: FieldEdits = {
  "volumes[0]": { from: mounted, value: { name: "scratch", secret: { secretName: "git" } } },
  "volumeMounts[0].name": { from: mounted, value: "more", verdict: "restarts" },
  "volumeMounts[0].mountPath": { from: mounted, value: "/other", verdict: "restarts" },
  "volumeMounts[0].subPath": { from: mounted, value: "inner", verdict: "restarts" },
  "volumeMounts[0].readOnly": { from: mounted, value: true, verdict: "restarts" },
  "initContainers[0]": { from: { initContainers: [helper] }, value: withSecret },
  "sidecars[0]": { from: { sidecars: [withSecret] }, value: helper },
  ...podMetadataEdits(),
  patches: {
    value: { home: { spec: { volumeName: "somebody-elses" } } },
    verdict: "volume-borrowed volume-lost harmless",
  },
};
