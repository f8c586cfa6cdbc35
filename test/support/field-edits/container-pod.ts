import { image } from "./container-base.ts";
import type { FieldEdit, FieldEdits } from "./edit.ts";
import { podMetadataEdits } from "./pod-metadata.ts";

const volumes = [
  { name: "scratch", emptyDir: {} },
  { name: "more", emptyDir: {} },
];
const mount = { name: "scratch", mountPath: "/scratch" };
const mounted = { volumes, volumeMounts: [mount] };
const mountEdit = (change: object, verdict: string): FieldEdit => ({
  from: mounted,
  to: { volumeMounts: [{ ...mount, ...change }] },
  verdict,
});
const helper = { name: "helper", image };
const secret = { envFrom: [{ secretRef: { name: "database" } }] };

/** Edits of what a container's pod holds besides ours. What a driver's volume or a patch may open is the guard's own test. */
export const containerPodEdits: FieldEdits = {
  "volumes[0]": {
    from: mounted,
    to: { volumes: [{ name: "scratch", secret: { secretName: "git" } }, volumes[1]] },
  },
  "volumeMounts[0].name": mountEdit({ name: "more" }, "restarts"),
  "volumeMounts[0].mountPath": mountEdit({ mountPath: "/other" }, "restarts"),
  "volumeMounts[0].subPath": mountEdit({ subPath: "inner" }, "restarts"),
  "volumeMounts[0].readOnly": mountEdit({ readOnly: true }, "restarts"),
  "initContainers[0]": {
    from: { initContainers: [helper] },
    to: { initContainers: [{ ...helper, ...secret }] },
  },
  "sidecars[0]": {
    from: { sidecars: [{ ...helper, ...secret }] },
    to: { sidecars: [helper] },
  },
  ...podMetadataEdits(),
  patches: {
    to: { patches: { home: { spec: { volumeName: "somebody-elses" } } } },
    verdict: "volume-borrowed volume-lost harmless",
  },
};
