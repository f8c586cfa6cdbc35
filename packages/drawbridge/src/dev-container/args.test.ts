import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, faultsOf, gateway, manyPorts, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };
const http = { name: "http", port: 8080 };

/** A right value of each field by itself: stacks/config/wrong-types.test.ts. */
describe("valid arguments", () => {
  it.each<[string, Record<string, unknown>]>([
    ["the required ones", {}],
    ["a digest", { image: `x@sha256:${"0".repeat(64)}` }],
    ["no sshd and no keys", { ssh: { mode: "none" }, authorizedKeys: [], hostKey: undefined }],
    ["a CA instead of keys", { authorizedKeys: [], userCa: { keys: [bobKey], principals: ["dev@team-a"] } }],
    ["a key that is known later", { authorizedKeys: [Promise.resolve("x")] }],
    ["a host key of one's own", { hostKey: { privateKey: "-----BEGIN…" } }],
    ["an environment", { env: { A: "1", _B: "$(x) \"'\\ #%" } }],
    ["as many ports as a Service of a team has", { ports: manyPorts(15) }],
    [
      "as many ports through the gateway as a route has rules",
      { ports: manyPorts(7, { throughGateway: true }), access: { gateway } },
    ],
  ])("%s", (_, args) => {
    expect(faultsOf(args)).toEqual([]);
  });
});

describe("faults of arguments", () => {
  it.each<[string | string[], Record<string, unknown>]>([
    [": unknown-key", { nmae: "x" }],
    ["namespace: missing", { namespace: undefined }],
    ["image: not-a-pinned-image", { image: "ubuntu" }],
    ["image: not-a-pinned-image", { image: "ubuntu:latest" }],
    ["image: image-in-capitals", { image: "Ubuntu:22.04" }],
    ["image: image-in-capitals", { image: "MyOrg/app:1" }],
    ["image: image-in-capitals", { image: "registry.example.com:5000/Team/app:1" }],
    ["imagePullPolicy: not-one-of", { imagePullPolicy: "Sometimes" }],
    ["ssh.mode: not-one-of", { ssh: { mode: "inject" } }],
    [
      ["ssh.loginGraceSeconds: out-of-range", "ssh.maxStartups: out-of-range"],
      { ssh: { loginGraceSeconds: 0, maxStartups: 1 } },
    ],
    ["ssh.image: ssh-image-missing", { ssh: { mode: "injected" } }],
    ["ssh.image: ssh-image-missing", { ssh: { mode: "sidecar" } }],
    ["ssh.image: ssh-image-unused", { ssh: { image: "x:1" } }],
    ["command: command-replaces-sshd", { command: ["x"] }],
    ["args: args-without-command", { ssh: bundle, args: ["x"] }],
    ["runImageCommand: image-command-without-injected", { runImageCommand: true }],
    ["runImageCommand: image-command-and-command", { ssh: bundle, runImageCommand: true, command: ["x"] }],
    ["access.gateway: gateway-without-sshd", { ssh: { mode: "none" }, access: { gateway } }],
    ["startupScript: startup-script-without-sshd", { ssh: { mode: "none" }, startupScript: "#!/bin/sh" }],
    ["access: no-way-in", { access: { frp: { enabled: false } } }],
    ["user.name: root-user-without-root", { user: { name: "root", uid: 0, gid: 0 } }],
    ["authorizedKeys: no-authorized-key", { authorizedKeys: [] }],
    ["authorizedKeys[0]: private-key", { authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] }],
    ["authorizedKeys[1]: key-twice", { authorizedKeys: [aliceKey, `restrict ${aliceKey}`] }],
    ["userCa.keys: no-ca-key", { userCa: { keys: [] } }],
    [
      [0, 1, 2]
        .map((index) => `userCa.keys[${index}]: not-a-public-key`)
        .concat("userCa.keys[3]: no-key-line"),
      {
        userCa: {
          keys: [
            ...["cert-authority", "restrict", 'expiry-time="20300101"'].map(
              (option) => `${option} ${bobKey}`,
            ),
            "# alice has no key",
          ],
        },
      },
    ],
    ["userCa.principals[0]: not-a-principal", { userCa: { keys: [bobKey], principals: ["a b"] } }],
    ["hostKey: host-key-missing", { hostKey: undefined }],
    ["hostKey: host-key-sources", { hostKey: {} }],
    ["hostKey: host-key-sources", { hostKey: { seed, privateKey: "x" } }],
    ["hostKey.next: host-key-sources", { hostKey: { seed, next: {} } }],
    ["hostKey.seed: too-short", { hostKey: { seed: "hunter2" } }],
    [
      "home.storageClassName: class-of-existing-claim",
      { home: { claimName: "old", storageClassName: "fast" } },
    ],
    ["home.size: not-a-quantity", { home: { size: "20 GB" } }],
    ["home.accessMode: not-one-of", { home: { accessMode: "ReadOnlyMany" } }],
    ["persist[0]: path-inside-home", { persist: ["/home/jovyan/.cache"] }],
    ["persist[0]: path-hides-home", { persist: ["/home/jovyan"] }],
    ["persist[1]: path-meets-other", { persist: ["/opt", "/opt/conda"] }],
    ["mounts[0].mountPath: path-hides-home", { mounts: [{ claimName: "a", mountPath: "/home" }] }],
    [
      ["mounts[0].mountPath: path-meets-own", "mounts[1].mountPath: path-meets-own"],
      {
        mounts: [
          { claimName: "a", mountPath: "/etc" },
          { claimName: "b", mountPath: "/dev/shm" },
        ],
      },
    ],
    [
      "mounts[1].claimName: claim-mounted-twice",
      {
        mounts: [
          { claimName: "a", mountPath: "/a" },
          { claimName: "a", mountPath: "/b" },
        ],
      },
    ],
    [
      "secretFiles[0].mountPath: path-meets-other",
      {
        mounts: [{ claimName: "a", mountPath: "/a" }],
        secretFiles: [{ secretName: "s", mountPath: "/a/s" }],
      },
    ],
    ["resources.memory: memory-too-small", { resources: { memory: "32Mi" } }],
    [
      ["resources.limits.memory: size-too-small", "resources.requests.memory: size-too-small"],
      { resources: { requests: { memory: "512m" }, limits: { memory: "1024" } } },
    ],
    [
      ["sidecars[0].resources.memory: size-too-small", "ssh.resources.memory: size-too-small"],
      {
        sidecars: [{ name: "x", image: "x:1", resources: { memory: "512m" } }],
        ssh: { mode: "sidecar", image: "x:1", resources: { memory: "512m" } },
      },
    ],
    [
      ["egress.deny[0]: denies-every-address", "egress.deny[1]: denies-every-address"],
      { egress: { deny: ["0.0.0.0/0", "::/0", "0.0.0.0/1"] } },
    ],
    ["sharedMemory: shared-memory-too-large", { resources: { memory: "1Gi" }, sharedMemory: "1024Mi" }],
    [
      "resources.limits.cpu: limit-below-request",
      { resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } },
    ],
    [
      [
        "resources.limits.cpu: resource-set-by-short-form",
        "resources.requests.cpu: resource-set-by-short-form",
      ],
      { resources: { cpu: "2", requests: { cpu: "1" }, limits: { cpu: "4" } } },
    ],
    ["resources.requests.memory: memory-without-limit", { resources: { requests: { memory: "1Gi" } } }],
    [
      [
        'resources.limits["ephemeral-storage"]: resource-set-elsewhere',
        'resources.limits["nvidia.com/gpu"]: resource-set-elsewhere',
      ],
      {
        gpu: { count: 1 },
        ephemeralStorage: "1Gi",
        resources: { limits: { "nvidia.com/gpu": "1", "ephemeral-storage": "2Gi" } },
      },
    ],
    ["resources.requests.cpus: not-a-resource-name", { resources: { requests: { cpus: "1" } } }],
    [
      ["scheduling.affinity: unknown-key", "scheduling.topologySpreadConstraints[0].topologyKey: missing"],
      { scheduling: { topologySpreadConstraints: [{}], affinity: { podAffinty: {} } } },
    ],
    ["gpu.count: out-of-range", { gpu: { count: 0 } }],
    ["gpu.count: missing", { gpu: { product: "T4" } }],
    [
      "scheduling.tolerations[0].effect: not-one-of",
      { scheduling: { tolerations: [{ key: "a", effect: "Never" }] } },
    ],
    ['env["A-B"]: not-a-variable-name', { env: { "A-B": "1" } }],
    ["env.A: line-break-in-variable", { env: { A: "x\ny" } }],
    ["startupScript: not-a-script", { startupScript: "echo hi" }],
    ["proxy.http: not-a-proxy-address", { proxy: { http: "http://u:pw@p" } }],
    ["ports[0].port: port-taken", { ports: [{ name: "web", port: 22 }] }],
    ["ports[1].name: port-name-twice", { ports: [http, { name: "http", port: 1 }] }],
    ["ports[0].name: port-name-reserved", { ports: [{ name: "ssh", port: 1 }] }],
    ["ports[0].name: not-a-port-name", { ports: [{ name: "a".repeat(16), port: 1 }] }],
    ["ports[0].throughGateway: port-without-gateway", { ports: [{ ...http, throughGateway: true }] }],
    ["ports: too-many-ports", { ports: manyPorts(16) }],
    [
      "ports: too-many-ports-through-gateway",
      {
        ports: [{ ...http, primary: true }, ...manyPorts(7, { throughGateway: true })],
        access: { gateway },
      },
    ],
    [
      "ports[1].primary: primary-twice",
      {
        ports: [
          { ...http, primary: true },
          { name: "db", port: 5432, primary: true },
        ],
      },
    ],
    ["access.sshpod: sshpod-names-nobody", { access: { sshpod: {} } }],
    ["ingress[0]: ingress-names-nobody", { ingress: [{ ports: [1] }] }],
    ["ingress[0].ports: no-port", { ingress: [{ namespace: "ci", ports: [] }] }],
    ["egress.allow[0].cidr: not-a-network", { egress: { allow: [{ cidr: "10.0.0.1" }] } }],
    ["running: wrong-type", { running: "no" }],
    ["eviction: not-one-of", { eviction: "sometimes" }],
    ["stopWarningSeconds: warning-too-long", { stopWarningSeconds: 58 }],
  ])("%s", (faults, args) => {
    expect(faultsOf(args)).toEqual([faults].flat());
  });

  it("come all at once", () => {
    expect(faultsOf({ image: "x", authorizedKeys: [], persist: ["/home"], ssh: { port: 0 } })).toHaveLength(
      4,
    );
  });
});
