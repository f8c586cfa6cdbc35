import { describe, expect, it } from "vitest";
import { faultsOf, gateway, manyPorts } from "./plan.fixture.ts";

const http = { name: "http", port: 8080 };

describe("invalid arguments of volumes, machine and network", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      "a class for an adopted claim",
      { home: { claimName: "old", storageClassName: "fast" } },
      ["home.storageClassName: class-of-existing-claim"],
    ],
    ["a size in words", { home: { size: "20 GB" } }, ["home.size: not-a-quantity"]],
    [
      "an access mode nobody can write with",
      { home: { accessMode: "ReadOnlyMany" } },
      ["home.accessMode: not-one-of"],
    ],
    ["a persisted path inside home", { persist: ["/home/jovyan/.cache"] }, ["persist[0]: path-inside-home"]],
    ["a persisted home", { persist: ["/home/jovyan"] }, ["persist[0]: path-hides-home"]],
    ["persisted paths in each other", { persist: ["/opt", "/opt/conda"] }, ["persist[1]: path-meets-other"]],
    [
      "a mount over home's parent",
      { mounts: [{ claimName: "a", mountPath: "/home" }] },
      ["mounts[0].mountPath: path-hides-home"],
    ],
    [
      "a mount over the machinery",
      {
        mounts: [
          { claimName: "a", mountPath: "/etc" },
          { claimName: "b", mountPath: "/dev/shm" },
        ],
      },
      ["mounts[0].mountPath: path-meets-own", "mounts[1].mountPath: path-meets-own"],
    ],
    [
      "a claim mounted twice",
      {
        mounts: [
          { claimName: "a", mountPath: "/a" },
          { claimName: "a", mountPath: "/b" },
        ],
      },
      ["mounts[1].claimName: claim-mounted-twice"],
    ],
    [
      "a secret over a mount",
      {
        mounts: [{ claimName: "a", mountPath: "/a" }],
        secretFiles: [{ secretName: "s", mountPath: "/a/s" }],
      },
      ["secretFiles[0].mountPath: path-meets-other"],
    ],
    ["too little memory", { resources: { memory: "32Mi" } }, ["resources.memory: memory-too-small"]],
    [
      "shared memory as large as memory",
      { resources: { memory: "1Gi" }, sharedMemory: "1024Mi" },
      ["sharedMemory: shared-memory-too-large"],
    ],
    [
      "a limit below the request",
      { resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } },
      ["resources.limits.cpu: limit-below-request"],
    ],
    [
      "CPU in both forms",
      { resources: { cpu: "2", requests: { cpu: "1" }, limits: { cpu: "4" } } },
      [
        "resources.limits.cpu: resource-set-by-short-form",
        "resources.requests.cpu: resource-set-by-short-form",
      ],
    ],
    [
      "memory without a limit",
      { resources: { requests: { memory: "1Gi" } } },
      ["resources.requests.memory: memory-without-limit"],
    ],
    [
      "a GPU and a disk given twice",
      {
        gpu: { count: 1 },
        ephemeralStorage: "1Gi",
        resources: { limits: { "nvidia.com/gpu": "1", "ephemeral-storage": "2Gi" } },
      },
      [
        'resources.limits["ephemeral-storage"]: resource-set-elsewhere',
        'resources.limits["nvidia.com/gpu"]: resource-set-elsewhere',
      ],
    ],
    [
      "a resource that no node has",
      { resources: { requests: { cpus: "1" } } },
      ["resources.requests.cpus: not-a-resource-name"],
    ],
    [
      "a spread over nothing, and an affinity to nothing known",
      { scheduling: { topologySpreadConstraints: [{}], affinity: { podAffinty: {} } } },
      ["scheduling.affinity: unknown-key", "scheduling.topologySpreadConstraints[0].topologyKey: missing"],
    ],
    ["no GPU at all", { gpu: { count: 0 } }, ["gpu.count: out-of-range"]],
    ["a GPU without a count", { gpu: { product: "T4" } }, ["gpu.count: missing"]],
    [
      "another taint effect",
      { scheduling: { tolerations: [{ key: "a", effect: "Never" }] } },
      ["scheduling.tolerations[0].effect: not-one-of"],
    ],
    ["a variable's name", { env: { "A-B": "1" } }, ['env["A-B"]: not-a-variable-name']],
    ["a value with a line break", { env: { A: "x\ny" } }, ["env.A: line-break-in-variable"]],
    ["a script without interpreter", { startupScript: "echo hi" }, ["startupScript: not-a-script"]],
    ["credentials in the proxy", { proxy: { http: "http://u:pw@p" } }, ["proxy.http: not-a-proxy-address"]],
    ["a port of sshd", { ports: [{ name: "web", port: 22 }] }, ["ports[0].port: port-taken"]],
    ["a name given twice", { ports: [http, { name: "http", port: 1 }] }, ["ports[1].name: port-name-twice"]],
    ["sshd's name", { ports: [{ name: "ssh", port: 1 }] }, ["ports[0].name: port-name-reserved"]],
    ["a long port name", { ports: [{ name: "a".repeat(16), port: 1 }] }, ["ports[0].name: not-a-port-name"]],
    [
      "a port through no gateway",
      { ports: [{ ...http, throughGateway: true }] },
      ["ports[0].throughGateway: port-without-gateway"],
    ],
    ["more ports than a Service of a team has", { ports: manyPorts(32) }, ["ports: too-many-ports"]],
    [
      "more ports through the gateway than a route has rules",
      {
        ports: [{ ...http, primary: true }, ...manyPorts(7, { throughGateway: true })],
        access: { gateway },
      },
      ["ports: too-many-ports-through-gateway"],
    ],
    [
      "two primary ports",
      {
        ports: [
          { ...http, primary: true },
          { name: "db", port: 5432, primary: true },
        ],
      },
      ["ports[1].primary: primary-twice"],
    ],
    ["nobody for the Kubernetes API", { access: { sshpod: {} } }, ["access.sshpod: sshpod-names-nobody"]],
    ["nobody as a peer", { ingress: [{ ports: [1] }] }, ["ingress[0]: ingress-names-nobody"]],
    ["a peer without ports", { ingress: [{ namespace: "ci", ports: [] }] }, ["ingress[0].ports: no-port"]],
    [
      "a network without its length",
      { egress: { allow: [{ cidr: "10.0.0.1" }] } },
      ["egress.allow[0].cidr: not-a-network"],
    ],
    ["neither on nor off", { running: "no" }, ["running: wrong-type"]],
    ["another policy", { eviction: "sometimes" }, ["eviction: not-one-of"]],
    ["a warning longer than the grace", { stopWarningSeconds: 58 }, ["stopWarningSeconds: warning-too-long"]],
  ])("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });
});
