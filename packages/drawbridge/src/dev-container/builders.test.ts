import { describe, expect, it } from "vitest";
import { deriveHostKey } from "../host/keys/host-key.ts";
import { hostService } from "../host/objects.ts";
import { sshdManifests } from "../host/sshd/files.ts";
import { containerResources, placement, sharedMemoryPart } from "./machine.ts";
import { aliceKey, bobKey, hostKey, objectsOf, planOf, seed, templateOf } from "./plan.fixture.ts";
import { statefulSet } from "./stateful-set.ts";
import { persistPart } from "./volumes.ts";

const labels = {
  "app.kubernetes.io/component": "dev-container",
  "app.kubernetes.io/instance": "dev1",
  "app.kubernetes.io/managed-by": "drawbridge",
  "app.kubernetes.io/name": "dev-container",
  "app.kubernetes.io/part-of": "drawbridge",
};
const selector = {
  "app.kubernetes.io/component": "dev-container",
  "app.kubernetes.io/instance": "dev1",
};
const named = (name: string) => ({ name, namespace: "team-a", labels });

it("keeps everything but the pod of a container that is switched off", () => {
  const on = statefulSet(planOf());
  const off = statefulSet(planOf({ running: false }));
  expect(on.spec).toMatchObject({ replicas: 1, podManagementPolicy: "Parallel" });
  expect(off).toEqual({ ...on, spec: { ...(on.spec as object), replicas: 0 } });
});

describe("volumes", () => {
  const claim = (name: string, spec: object) => ({
    kept: true,
    manifest: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...named(`dev1-${name}`), annotations: { "pulumi.com/skipAwait": "true" } },
      spec,
    },
  });

  it("claims a home with a fixed name, for which nobody waits", () => {
    const home = { size: "50Gi", storageClassName: "fast" };
    expect(objectsOf({ home }).home).toEqual(
      claim("home", {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "fast",
        resources: { requests: { storage: "50Gi" } },
      }),
    );
  });

  it("claims a second volume for persisted paths", () => {
    const persistVolume = { accessMode: "ReadWriteMany" } as const;
    expect(objectsOf({ persist: ["/opt/conda"], persistVolume }).persist).toEqual(
      claim("persist", {
        accessModes: ["ReadWriteMany"],
        resources: { requests: { storage: "20Gi" } },
      }),
    );
  });

  it("seeds persisted paths in the user's image before the container starts", () => {
    const part = persistPart(planOf({ persist: ["/opt/conda", "/srv"] }));
    expect(part.volumes).toEqual([{ name: "persist", persistentVolumeClaim: { claimName: "dev1-persist" } }]);
    expect(part.mounts).toEqual([
      { name: "persist", mountPath: "/opt/conda", subPath: "data/opt/conda" },
      { name: "persist", mountPath: "/srv", subPath: "data/srv" },
    ]);
    const [container] = part.initContainers as unknown as {
      command: string[];
      image: string;
      volumeMounts: unknown;
    }[];
    expect(container?.command.filter((word) => !word.includes("\n"))).toEqual([
      "sh",
      "-c",
      "seed",
      "/opt/conda",
      "/srv",
    ]);
    expect(container?.volumeMounts).toEqual([{ name: "persist", mountPath: "/drawbridge-persist" }]);
    expect(persistPart(planOf())).toEqual({});
  });

  it("seeds with the bundle's shell where the image may have none", () => {
    const part = persistPart(planOf({ persist: ["/srv"], ssh: { mode: "injected", image: "b:1" } }));
    const [container] = part.initContainers as unknown as { command: string[]; volumeMounts: unknown }[];
    expect(container?.command.slice(0, 2)).toEqual(["/drawbridge/bin/busybox", "sh"]);
    expect(container?.volumeMounts).toEqual([
      { name: "persist", mountPath: "/drawbridge-persist" },
      { name: "drawbridge", mountPath: "/drawbridge", readOnly: true },
    ]);
  });
});

describe("identity", () => {
  it("writes keys, CA and principals into one live folder", () => {
    const keysOf = (principals?: string[]) =>
      sshdManifests(planOf({ userCa: { keys: [bobKey], ...(principals && { principals }) } }), hostKey);
    const data = { authorized_keys: `${aliceKey}\n`, user_ca_keys: `${bobKey}\n` };
    expect(keysOf().authorizedKeys).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: named("dev1-authorized-keys"),
      data: { ...data, principals: "jovyan\n" },
    });
    expect(keysOf(["dev", "ops"]).authorizedKeys.data).toEqual({ ...data, principals: "dev\nops\n" });
    expect(sshdManifests(planOf(), hostKey).authorizedKeys.data).toEqual({
      authorized_keys: `${aliceKey}\n`,
    });
  });

  it("keeps the host key, and the next one during a rotation, in a Secret", () => {
    const next = { ...hostKey, nextPrivateKey: "next", publicKeys: ["public", "next public"] };
    expect(sshdManifests(planOf(), next).hostKey).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        ...named("dev1-host-key"),
        annotations: { "drawbridge.dev/public-keys": "public\nnext public" },
      },
      type: "Opaque",
      data: { ssh_host_ed25519_key: "cHJpdmF0ZQ==", ssh_host_ed25519_key_next: "bmV4dA==" },
    });
    expect(sshdManifests(planOf(), hostKey).hostKey.data).toEqual({
      ssh_host_ed25519_key: "cHJpdmF0ZQ==",
    });
  });

  it("derives another key per generation, and the same for a container that moved", () => {
    const [one, two] = [1, 2].map(
      (generation) => deriveHostKey(seed, planOf().hostIdentity as string, generation).publicKey,
    );
    expect(one).not.toBe(two);
    const moved = planOf({ namespace: "team-b", name: "box", hostKey: { seed, identity: "team-a/dev1" } });
    expect(deriveHostKey(seed, moved.hostIdentity as string).publicKey).toBe(one);
  });
});

it("names sshd and the declared ports in a headless Service", () => {
  const ports = [
    { name: "http", port: 8080 },
    { name: "tb", port: 6006 },
  ];
  expect(hostService(planOf({ ports }), planOf({ ports }).ports)).toEqual({
    apiVersion: "v1",
    kind: "Service",
    metadata: named("dev1"),
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector,
      ports: [
        { name: "tcp-ssh", port: 22, targetPort: 22, protocol: "TCP" },
        { name: "tcp-http", port: 8080, targetPort: 8080, protocol: "TCP" },
        { name: "tcp-tb", port: 6006, targetPort: 6006, protocol: "TCP" },
      ],
    },
  });
});

describe("staying put", () => {
  it.each([
    ["never", 0],
    ["allowed", 1],
  ] as const)("eviction %s lets %d pods go", (eviction, maxUnavailable) => {
    expect(objectsOf({ eviction }).disruption.manifest).toEqual({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: {
        ...named("dev1"),
        annotations: { "pulumi.com/deletionPropagationPolicy": "background" },
      },
      spec: {
        maxUnavailable,
        selector: { matchLabels: selector },
        unhealthyPodEvictionPolicy: "AlwaysAllow",
      },
    });
  });

  it("warns terminals, and not at all with 0 s", () => {
    expect(JSON.stringify(templateOf({ stopWarningSeconds: 20 }))).toContain("stops in 20 s");
    expect(JSON.stringify(templateOf({ stopWarningSeconds: 0 }))).not.toContain("preStop");
  });
});

describe("the machine", () => {
  it("sets memory, disk and GPUs aside in full and leaves CPU open", () => {
    const gpu = { count: 2, resource: "nvidia.com/mig-1g.10gb" };
    expect(containerResources(planOf())).toEqual({
      requests: { cpu: "1", memory: "2Gi" },
      limits: { memory: "2Gi" },
    });
    const fixed = { memory: "8Gi", "ephemeral-storage": "30Gi", "nvidia.com/mig-1g.10gb": "2" };
    expect(
      containerResources(
        planOf({
          resources: { requests: { cpu: "2" }, limits: { cpu: "4" }, memory: "8Gi" },
          ephemeralStorage: "30Gi",
          gpu,
        }),
      ),
    ).toEqual({
      requests: { cpu: "2", ...fixed },
      limits: { cpu: "4", ...fixed },
    });
  });

  it("gives half the memory to /dev/shm unless told otherwise", () => {
    const shm = (size: string) => [{ name: "shm", emptyDir: { medium: "Memory", sizeLimit: size } }];
    expect(sharedMemoryPart(planOf({ resources: { memory: "3Gi" } })).volumes).toEqual(shm("1536Mi"));
    expect(sharedMemoryPart(planOf({ sharedMemory: "64Mi" })).volumes).toEqual(shm("64Mi"));
  });

  it("chooses the node", () => {
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: "topology.kubernetes.io/zone", operator: "In" as const, values: ["eu-1a", "eu-1b"] },
            ],
          },
        ],
      },
    };
    expect(placement(planOf())).toEqual({});
    const tolerations = [
      { key: "nvidia.com/gpu", operator: "Exists" as const },
      { key: "team", value: "a", effect: "NoExecute" as const, tolerationSeconds: 60 },
    ];
    expect(
      placement(
        planOf({
          gpu: { count: 1, product: "T4" },
          scheduling: {
            nodeSelector: { pool: "gpu" },
            tolerations,
            affinity: { nodeAffinity },
            priorityClassName: "high",
            runtimeClassName: "nvidia",
          },
        }),
      ),
    ).toEqual({
      nodeSelector: { pool: "gpu", "nvidia.com/gpu.product": "T4" },
      tolerations,
      affinity: { nodeAffinity },
      priorityClassName: "high",
      runtimeClassName: "nvidia",
    });
  });
});
