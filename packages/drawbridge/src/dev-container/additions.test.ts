/** What the caller puts into the pod: it stands beside ours, and never in place of it. */
import { describe, expect, it } from "vitest";
import { cases } from "../kit/faults.fixture.ts";
import type { DevContainerInput } from "./args.ts";
import { aliceKey, faultsOf, gateway, templateOf } from "./plan.fixture.ts";

it("sees of the home's claim what the container sees", () => {
  const volumeMounts = [
    { name: "home", mountPath: "/home/jovyan" },
    { name: "home", mountPath: "/cache", subPath: ".cache" },
  ];
  const { spec } = templateOf({ pod: { initContainers: [{ name: "clone", image: "git:1", volumeMounts }] } });
  expect(spec.initContainers.at(-1)?.volumeMounts).toEqual([
    { name: "home", mountPath: "/home/jovyan", subPath: ".drawbridge-home" },
    { name: "home", mountPath: "/cache", subPath: ".drawbridge-home/.cache" },
  ]);
});

describe("invalid additions", () => {
  it.each(cases`
    { pod: { labels: { "app.kubernetes.io/instance": "x", "drawbridge.dev/team": "x", "sidecar.istio.io/inject": "true" }, annotations: { "karpenter.sh/do-not-disrupt": "false" } } }
      → pod.annotations["karpenter.sh/do-not-disrupt"]: is set by drawbridge
      → pod.labels["app.kubernetes.io/instance"]: is set by drawbridge
      → pod.labels["drawbridge.dev/team"]: is set by drawbridge
      → pod.labels["sidecar.istio.io/inject"]: is set by drawbridge
    { pod: { volumes: [{ name: "home", emptyDir: {} }, { name: "a", emptyDir: {}, configMap: { name: "c" } }, { name: "b" }, { name: "c", emptyDir: {} }, { name: "c", emptyDir: {} }] } }
      → pod.volumes[0].name: home is the container's own
      → pod.volumes[1]: needs exactly one of persistentVolumeClaim, configMap, secret, csi, ephemeral, emptyDir, projected, and downwardAPI
      → pod.volumes[2]: needs exactly one of persistentVolumeClaim, configMap, secret, csi, ephemeral, emptyDir, projected, and downwardAPI
      → pod.volumes[4].name: c is used twice
    { pod: { volumes: [{ name: "a", hostPath: { path: "/" } }, { name: "b", nfs: {} }] } }
      → pod.volumes[0]: unknown key "hostPath"
      → pod.volumes[1]: unknown key "nfs"
    { pod: { volumes: [{ name: "a", emptyDir: {} }] }, mounts: [{ volumeName: "b", mountPath: "/b" }, { volumeName: "a", mountPath: "/etc/drawbridge/x" }, { volumeName: "home", mountPath: "/h" }] }
      → mounts[0].volumeName: b is not a volume of this pod
      → mounts[1].mountPath: /etc/drawbridge/x overlaps /etc/drawbridge, which the container needs
      → mounts[2].volumeName: home is not a volume of this pod
    { pod: { initContainers: [{ name: "dev", image: "a:1" }, { name: "x", image: "a:1", securityContext: { privileged: true } }], sidecars: [{ name: "y", image: "a:latest" }, { name: "y", image: "a:1", securityContext: { runAsUser: 0 } }] } }
      → pod.initContainers[0].name: dev is one of the pod's own containers
      → pod.initContainers[1].securityContext: unknown key "privileged"
      → pod.sidecars[0].image: "a:latest" is not a pinned image
      → pod.sidecars[1].securityContext.runAsUser: 0 is out of range
    { env: { C: "a\nb", D: "d" }, envValueFrom: { A: {}, B: { secretKeyRef: { name: "s", key: "k", versoin: 1 } }, D: { fieldRef: { fieldPath: "status.podIP" } } }, envFrom: [{ prefix: "P_" }] }
      → env.C: has a line break, which cannot be passed into an SSH session
      → envFrom[0]: needs exactly one of secretRef and configMapRef
      → envValueFrom.A: needs exactly one of secretKeyRef, configMapKeyRef, fieldRef, and resourceFieldRef
      → envValueFrom.B.secretKeyRef: unknown key "versoin"
      → envValueFrom.D: is set in env too
    { serviceAccount: { name: "a", annotations: { b: "c" } } }
      → serviceAccount.annotations: apply to an account that is created here
    { pod: { volumes: [{ name: "a", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] } }
      → pod.volumes[0].projected: gives out a token of the Kubernetes API
    { pod: { volumes: [{ name: "a", projected: { sources: [{ serviceAccountToken: { path: "t", audience: null } }] } }] } }
      → pod.volumes[0].projected: gives out a token of the Kubernetes API
    { pod: { volumes: [{ name: "a", projected: { sources: [{ serviceAccountToken: { path: "t", audience: "" } }] } }] } }
      → pod.volumes[0].projected: gives out a token of the Kubernetes API
  `)("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });

  it("knows every volume and container of its own, in whatever mode", () => {
    const everything: Partial<DevContainerInput> = {
      persist: { paths: ["/opt"] },
      mounts: [
        { claimName: "a", mountPath: "/a" },
        { storage: { name: "m", namespace: "team-a", claimName: "m" }, mountPath: "/m" },
        { secretName: "s", mountPath: "/s" },
      ],
      trustedCa: { configMapName: "ca" },
      ssh: { userCa: { keys: [aliceKey] } },
      access: {
        gateway,
        frp: {
          external: {
            serverAddr: "frp.frp.svc.cluster.local",
            domain: "ssh.example.com",
            unverifiedTls: true,
          },
          address: "frp.example.com",
          token: "x".repeat(32),
        },
      },
    };
    const modes = [
      { mode: "image" },
      { mode: "injected", image: "b:1" },
      { mode: "sidecar", image: "b:1" },
    ] as const;
    const specs = modes.map((ssh) => templateOf({ ...everything, ssh }).spec);
    const named = (items: readonly { name: string }[]) => items.map(({ name }) => name);
    const volumes = [...new Set(specs.flatMap((spec) => named(spec.volumes)))];
    const containers = [
      ...new Set(specs.flatMap((spec) => named([...spec.containers, ...spec.initContainers]))),
    ];
    expect(volumes.length).toBeGreaterThan(12);
    expect(containers.sort()).toEqual([
      "accounts",
      "dev",
      "frpc",
      "home-folder",
      "seed",
      "sshd",
      "sshd-bundle",
    ]);
    expect(faultsOf({ pod: { volumes: volumes.map((name) => ({ name, emptyDir: {} })) } }).length).toBe(
      volumes.length,
    );
    expect(faultsOf({ pod: { sidecars: containers.map((name) => ({ name, image: "a:1" })) } }).length).toBe(
      containers.length,
    );
  });
});
