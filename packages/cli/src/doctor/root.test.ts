import { describe, expect, it } from "vitest";
import type { Kube } from "../sshpod/kube.ts";
import { KubeError } from "../sshpod/kube.ts";
import { nodeRequirement, rootRequirements, storageRequirement, versionRequirement } from "./root.ts";

const node = (kernelVersion: string, containerRuntimeVersion: string, userNamespaces?: boolean) => ({
  metadata: { name: "n1" },
  status: {
    nodeInfo: { kernelVersion, containerRuntimeVersion },
    ...(userNamespaces === undefined
      ? {}
      : { runtimeHandlers: [{ name: "", features: { userNamespaces } }, { name: "gvisor" }] }),
  },
});
const storageClass = (provisioner: string, isDefault = "true") => ({
  metadata: { name: "disk", annotations: { "storageclass.kubernetes.io/is-default-class": isDefault } },
  provisioner,
});

describe("what root inside needs of a cluster", () => {
  it("is Kubernetes 1.33", () => {
    expect(versionRequirement({ major: "1", minor: "33+" })).toEqual({
      step: "API server",
      ok: true,
      text: "Kubernetes 1.33+",
    });
    expect(versionRequirement({ major: "1", minor: "32" })).toEqual({
      step: "API server",
      ok: false,
      text: "Kubernetes 1.32 drops hostUsers unless its feature gate UserNamespacesSupport is on; upgrade to 1.33 or later",
    });
  });

  it("is a kernel and a runtime on every node", () => {
    expect(nodeRequirement(node("6.12.0-amd64", "containerd://2.1.4", true))).toEqual({
      step: "node n1",
      ok: true,
      text: "Linux 6.12.0-amd64, containerd 2.1.4",
    });
    const text = (...args: Parameters<typeof node>) => nodeRequirement(node(...args)).text;
    expect(text("6.1.132", "containerd://1.7.27", false)).toBe(
      "its kernel 6.1.132 has no idmapped mounts of tmpfs; take a node image with Linux 6.3 or later; its runtime containerd 1.7.27 has no user namespaces; take containerd 2.0 or later; its kubelet says that the runtime has no user namespaces; take runc 1.2, crun 1.9 or later",
    );
    expect(text("6.3.0", "cri-o://1.24.1")).toBe(
      "its runtime cri-o 1.24.1 has no user namespaces; take cri-o 1.25 or later",
    );
    expect(text("6.3.0", "docker://20.10.0")).toBe(
      "nothing is known here about its runtime docker://20.10.0; try one pod",
    );
    expect(nodeRequirement(node("6.3.0", "cri-o://1.33.0")).ok).toBe(true);
    expect(nodeRequirement(node("5.19.0", "cri-o://1.33.0")).ok).toBe(false);
  });

  it("is a disk for homes", () => {
    expect(storageRequirement([storageClass("ebs.csi.aws.com")])).toEqual([
      { step: "StorageClass disk", ok: true, text: "ebs.csi.aws.com" },
    ]);
    expect(storageRequirement([storageClass("efs.csi.aws.com")])).toEqual([
      {
        step: "StorageClass disk",
        ok: false,
        text: "volumes of efs.csi.aws.com are of a network file system, which mostly has no idmapped mounts; set home.storageClassName to one with a disk",
      },
    ]);
    expect(storageRequirement([storageClass("efs.csi.aws.com", "false")])).toEqual([]);
  });

  it("says what it may not look at, which is not ok", async () => {
    const answers: Record<string, unknown> = {
      "/version": { major: "1", minor: "36" },
      "/apis/storage.k8s.io/v1/storageclasses": { items: [storageClass("ebs.csi.aws.com")] },
    };
    const get = async (path: string) => {
      if (path in answers) return answers[path];
      throw new KubeError(403, "forbidden");
    };
    expect(await rootRequirements({ get } as unknown as Kube)).toEqual([
      { step: "API server", ok: true, text: "Kubernetes 1.36" },
      {
        step: "nodes",
        ok: false,
        text: "this account may not list them; ask the platform team to run drawbridge doctor --root",
      },
      { step: "StorageClass disk", ok: true, text: "ebs.csi.aws.com" },
    ]);
    const broken = async () => {
      throw new KubeError(500, "broken");
    };
    await expect(rootRequirements({ get: broken } as unknown as Kube)).rejects.toThrow("broken");
  });
});
