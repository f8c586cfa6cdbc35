/** The company's NFS server by way of a claim, and secrets from a vault by way of a CSI driver. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import { base } from "./base.ts";

export default function program() {
  const shared = { accessModes: ["ReadWriteMany"], storageClassName: "" };
  const volume = new k8s.core.v1.PersistentVolume("datasets", {
    spec: {
      ...shared,
      capacity: { storage: "1Ti" },
      nfs: { server: "nfs.example.com", path: "/datasets" },
      claimRef: { namespace: "team-a", name: "datasets" },
    },
  });
  const claim = new k8s.core.v1.PersistentVolumeClaim("datasets", {
    metadata: { name: "datasets", namespace: "team-a" },
    spec: { ...shared, volumeName: volume.metadata.name, resources: { requests: { storage: "1Ti" } } },
  });
  new DevContainer("dev1", {
    ...base(),
    mounts: [{ claimName: claim.metadata.name, mountPath: "/datasets", readOnly: true }],
    pod: {
      volumes: [
        {
          name: "vault",
          csi: {
            driver: "secrets-store.csi.k8s.io",
            readOnly: true,
            volumeAttributes: { secretProviderClass: "team-a" },
          },
        },
      ],
    },
    volumeMounts: [{ name: "vault", mountPath: "/vault", readOnly: true }],
  });
}
