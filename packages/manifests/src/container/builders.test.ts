import { describe, expect, it } from "vitest";
import { hostService } from "../host/objects.ts";
import { deriveHostKey } from "../ssh/host-key.ts";
import { authorizedKeysConfigMap } from "../sshd/authorized-keys-config-map.ts";
import { hostKeySecret } from "../sshd/host-key-secret.ts";
import { containerDisruptionBudget } from "./disruption-budget.ts";
import { environmentList } from "./environment.ts";
import { homeClaim } from "./home.ts";
import { containerResources, placement, sharedMemoryPart } from "./machine.ts";
import { persistClaim, persistPart } from "./persist.ts";
import { bobKey, gateway, planOf, seed } from "./plan.fixture.ts";
import { statefulSet } from "./stateful-set.ts";
import { primaryUrl } from "./urls.ts";

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
  it("claims a home with a fixed name, for which nobody waits", () => {
    expect(homeClaim(planOf({ home: { size: "50Gi", storageClassName: "fast" } }))).toEqual({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...named("dev1-home"), annotations: { "pulumi.com/skipAwait": "true" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "fast",
        resources: { requests: { storage: "50Gi" } },
      },
    });
  });

  it("claims a second volume for persisted paths", () => {
    const plan = planOf({ persist: ["/opt/conda"], persistVolume: { accessMode: "ReadWriteMany" } });
    expect(persistClaim(plan)).toEqual({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...named("dev1-persist"), annotations: { "pulumi.com/skipAwait": "true" } },
      spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "20Gi" } } },
    });
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
    const plan = planOf({ userCa: { keys: [bobKey] } });
    expect(authorizedKeysConfigMap(plan, "keys\n", "ca\n")).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: named("dev1-authorized-keys"),
      data: { authorized_keys: "keys\n", user_ca_keys: "ca\n", principals: "jovyan\n" },
    });
    const others = planOf({ userCa: { keys: [bobKey], principals: ["dev", "ops"] } });
    expect(authorizedKeysConfigMap(others, "", "ca\n").data).toEqual({
      authorized_keys: "",
      user_ca_keys: "ca\n",
      principals: "dev\nops\n",
    });
    expect(authorizedKeysConfigMap(planOf(), "keys\n").data).toEqual({ authorized_keys: "keys\n" });
  });

  it("keeps the host key, and the next one during a rotation, in a Secret", () => {
    expect(hostKeySecret(planOf(), "public\nnext public", "private", "next")).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        ...named("dev1-host-key"),
        annotations: { "drawbridge.dev/public-keys": "public\nnext public" },
      },
      type: "Opaque",
      data: { ssh_host_ed25519_key: "cHJpdmF0ZQ==", ssh_host_ed25519_key_next: "bmV4dA==" },
    });
    expect(hostKeySecret(planOf(), "public", "private").data).toEqual({
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

describe("ways in", () => {
  const web = { name: "http", port: 8080 };
  const board = { name: "tb", port: 6006 };
  const ports = [web, board];

  it("names sshd and the declared ports in a headless Service", () => {
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

  it("gives the primary port's address", () => {
    const primary = [{ ...web, primary: true, scheme: "https" as const }, board];
    expect(primaryUrl(planOf({ access: { gateway }, ports: primary }))).toBe(
      "https://dev1.team-a.dev.example.com:8080",
    );
    expect(primaryUrl(planOf({ ports: primary }))).toBe("https://dev1.team-a.svc.cluster.local:8080");
    expect(primaryUrl(planOf({ ports }))).toBeUndefined();
  });
});

describe("staying put", () => {
  it.each([
    ["never", 0],
    ["allowed", 1],
  ] as const)("eviction %s lets %d pods go", (eviction, maxUnavailable) => {
    expect(containerDisruptionBudget(planOf({ eviction }))).toEqual({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: named("dev1"),
      spec: {
        maxUnavailable,
        selector: { matchLabels: selector },
        unhealthyPodEvictionPolicy: "AlwaysAllow",
      },
    });
  });

  it("warns terminals, and not at all with 0 s", () => {
    const main = (seconds: number) => {
      const { spec } = statefulSet(planOf({ stopWarningSeconds: seconds }));
      return JSON.stringify(spec);
    };
    expect(main(20)).toContain("stops in 20 s");
    expect(main(0)).not.toContain("preStop");
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
    expect(
      placement(
        planOf({
          gpu: { count: 1, product: "T4" },
          scheduling: {
            nodeSelector: { pool: "gpu" },
            tolerations: [{ key: "nvidia.com/gpu" }, { key: "team", value: "a", effect: "NoSchedule" }],
            affinity: { nodeAffinity },
            priorityClassName: "high",
            runtimeClassName: "nvidia",
          },
        }),
      ),
    ).toEqual({
      nodeSelector: { pool: "gpu", "nvidia.com/gpu.product": "T4" },
      tolerations: [
        { key: "nvidia.com/gpu", operator: "Exists" },
        { key: "team", operator: "Equal", value: "a", effect: "NoSchedule" },
      ],
      affinity: { nodeAffinity },
      priorityClassName: "high",
      runtimeClassName: "nvidia",
    });
  });
});

describe("the environment", () => {
  it("comes from proxy and authorities, and from what is declared over them", () => {
    const { environment } = planOf({
      proxy: { http: "http://proxy:3128", except: [".corp"] },
      trustedCa: { configMapName: "ca", key: "bundle.pem" },
      env: { HTTPS_PROXY: "http://other:1", PIP_CERT: "/x" },
    });
    const bundle = "/etc/drawbridge/ca/bundle.pem";
    const none = "localhost,127.0.0.1,.svc,.cluster.local,.corp";
    expect(environment).toEqual({
      HOME: "/home/jovyan",
      USER: "jovyan",
      SSL_CERT_FILE: bundle,
      REQUESTS_CA_BUNDLE: bundle,
      NODE_EXTRA_CA_CERTS: bundle,
      GIT_SSL_CAINFO: bundle,
      CURL_CA_BUNDLE: bundle,
      AWS_CA_BUNDLE: bundle,
      PIP_CERT: "/x",
      HTTP_PROXY: "http://proxy:3128",
      http_proxy: "http://proxy:3128",
      HTTPS_PROXY: "http://other:1",
      https_proxy: "http://proxy:3128",
      NO_PROXY: none,
      no_proxy: none,
    });
  });

  it("has one order, however it is written", () => {
    const node = { fieldRef: { fieldPath: "spec.nodeName" } };
    const listOf = (env: Record<string, string>, envValueFrom: Record<string, object>) => {
      const { environment, envValueFrom: sources } = planOf({ env, envValueFrom });
      return environmentList(environment, sources).map(({ name }) => name);
    };
    const names = ["HOME", "USER", "A", "B", "X", "Y"];
    expect(listOf({ B: "", A: "" }, { Y: node, X: node })).toEqual(names);
    expect(listOf({ A: "", B: "" }, { X: node, Y: node })).toEqual(names);
  });

  it("reaches the container as it is written, dollar signs included", () => {
    expect(environmentList({ A: "$(B) $C $$" }, {})).toEqual([{ name: "A", value: "$$(B) $$C $$$$" }]);
  });
});
