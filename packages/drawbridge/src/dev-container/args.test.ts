import { describe, expect, it } from "vitest";
import { deriveHostKey } from "../host/keys/host-key.ts";
import { aliceKey, bobKey, faultsOf, gateway, manyPorts, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };
const http = { name: "http", port: 8080 };

/** A right value of each field by itself: stacks/config/wrong-types.test.ts. */
describe("valid arguments", () => {
  it.each<[string, Record<string, unknown>]>([
    ["the required ones", {}],
    ["a digest", { image: `x@sha256:${"0".repeat(64)}` }],
    ["no sshd and no keys", { ssh: { mode: "none" }, authorizedKeys: [], hostKey: undefined }],
    [
      "a CA instead of keys",
      { authorizedKeys: [], ssh: { userCa: { keys: [bobKey], principals: ["dev@team-a"] } } },
    ],
    ["a key that is known later", { authorizedKeys: [Promise.resolve("x")] }],
    ["a host key of one's own", { hostKey: { privateKey: deriveHostKey(seed, "team-a/dev1").privateKey } }],
    ["an environment", { env: { A: "1", _B: "$(x) \"'\\ #%" } }],
    [
      "fields of the pod",
      {
        envValueFrom: Object.fromEntries(
          [
            "metadata.uid",
            "metadata.labels['app']",
            "metadata.annotations['example.com/a']",
            "status.podIPs",
          ].map((fieldPath, index) => [`A${index}`, { fieldRef: { fieldPath } }]),
        ),
      },
    ],
    ["as many ports as a Service of a team has", { ports: manyPorts(15) }],
    [
      "as many ports through the gateway as a route has rules",
      { ports: manyPorts(7, { throughGateway: true }), access: { gateway } },
    ],
  ])("%s", (_, args) => {
    expect(faultsOf(args)).toEqual([]);
  });
});

const nodeTerms =
  "scheduling.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

describe("faults of arguments", () => {
  it.each<[string | string[], Record<string, unknown>]>([
    [': unknown key "nmae"', { nmae: "x" }],
    ["namespace: is missing", { namespace: undefined }],
    ['image: "ubuntu" is not a pinned image', { image: "ubuntu" }],
    ['image: "ubuntu:latest" is not a pinned image', { image: "ubuntu:latest" }],
    [
      `image: "Ubuntu:22.04" has capitals in the image's name, which no registry takes`,
      { image: "Ubuntu:22.04" },
    ],
    [
      `image: "MyOrg/app:1" has capitals in the image's name, which no registry takes`,
      { image: "MyOrg/app:1" },
    ],
    [
      `image: "registry.example.com:5000/Team/app:1" has capitals in the image's name, which no registry takes`,
      { image: "registry.example.com:5000/Team/app:1" },
    ],
    [
      'imagePullPolicy: "Sometimes" is not one of Always, IfNotPresent, Never',
      { imagePullPolicy: "Sometimes" },
    ],
    ['ssh.mode: "inject" is not one of image, injected, sidecar, none', { ssh: { mode: "inject" } }],
    [
      ["ssh.loginGraceSeconds: 0 is out of range", "ssh.maxStartups: 1 is out of range"],
      { ssh: { loginGraceSeconds: 0, maxStartups: 1 } },
    ],
    ["ssh.image: is missing", { ssh: { mode: "injected" } }],
    ["ssh.image: is missing", { ssh: { mode: "sidecar" } }],
    ['ssh.image: has no effect in mode "image"', { ssh: { image: "x:1" } }],
    ["command: would replace the image's start of sshd", { command: ["x"] }],
    [
      "args: needs a command: the image's own entry point is not started in mode injected",
      { ssh: bundle, args: ["x"] },
    ],
    ['runImageCommand: applies to mode "injected" only, and the mode is "image"', { runImageCommand: true }],
    [
      "runImageCommand: cannot be combined with command or args",
      { ssh: bundle, runImageCommand: true, command: ["x"] },
    ],
    ["access.gateway: has no effect without sshd", { ssh: { mode: "none" }, access: { gateway } }],
    ["startupScript: needs sshd, which starts it", { ssh: { mode: "none" }, startupScript: "#!/bin/sh" }],
    ["access: has no way in, so no login is possible", { access: { frp: { enabled: false } } }],
    [
      "user.name: root needs root: true, which puts the pod into a user namespace",
      { user: { name: "root", uid: 0, gid: 0 } },
    ],
    ["authorizedKeys: has no key, so no login is possible", { authorizedKeys: [] }],
    ["authorizedKeys[0]: is a private key", { authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] }],
    [
      "authorizedKeys[1]: is the same key as authorizedKeys[0]",
      { authorizedKeys: [aliceKey, `restrict ${aliceKey}`] },
    ],
    ["ssh.userCa.keys: has no key", { ssh: { userCa: { keys: [] } } }],
    [
      [0, 1, 2]
        .map((index) => `ssh.userCa.keys[${index}]: is not a public key`)
        .concat("ssh.userCa.keys[3]: is empty or a comment"),
      {
        ssh: {
          userCa: {
            keys: [
              ...["cert-authority", "restrict", 'expiry-time="20300101"'].map(
                (option) => `${option} ${bobKey}`,
              ),
              "# alice has no key",
            ],
          },
        },
      },
    ],
    [
      "ssh.userCa.principals[0]: is not a principal",
      { ssh: { userCa: { keys: [bobKey], principals: ["a b"] } } },
    ],
    ["hostKey: is missing", { hostKey: undefined }],
    [
      "hostKey: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)",
      { hostKey: {} },
    ],
    [
      "hostKey: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)",
      { hostKey: { seed, privateKey: deriveHostKey(seed, "team-a/dev1").privateKey } },
    ],
    [
      "hostKey.next: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)",
      { hostKey: { seed, next: {} } },
    ],
    ["hostKey.seed: is too short", { hostKey: { seed: "hunter2" } }],
    ["hostKey.privateKey: is not an unencrypted ed25519 private key", { hostKey: { privateKey: "hunter2" } }],
    [
      "hostKey.next.privateKey: is not an unencrypted ed25519 private key",
      { hostKey: { seed, next: { privateKey: "" } } },
    ],
    [
      "home.storageClassName: has no effect on the existing claim old",
      { home: { claimName: "old", storageClassName: "fast" } },
    ],
    ['home.size: "20 GB" is not a quantity', { home: { size: "20 GB" } }],
    [
      'home.accessMode: "ReadOnlyMany" is not one of ReadWriteOnce, ReadWriteOncePod, ReadWriteMany',
      { home: { accessMode: "ReadOnlyMany" } },
    ],
    [
      "persist.paths[0]: /home/jovyan/.cache is inside the home /home/jovyan, which is kept anyway",
      { persist: { paths: ["/home/jovyan/.cache"] } },
    ],
    [
      "persist.paths[0]: /home/jovyan would hide the home /home/jovyan",
      { persist: { paths: ["/home/jovyan"] } },
    ],
    [
      "persist.paths[1]: /opt/conda overlaps /opt, which is set too",
      { persist: { paths: ["/opt", "/opt/conda"] } },
    ],
    [
      "mounts[0].mountPath: /home would hide the home /home/jovyan",
      { mounts: [{ claimName: "a", mountPath: "/home" }] },
    ],
    [
      [
        "mounts[0].mountPath: /etc overlaps /etc/drawbridge, which the container needs",
        "mounts[1].mountPath: /dev/shm overlaps /dev, which the container needs",
      ],
      {
        mounts: [
          { claimName: "a", mountPath: "/etc" },
          { claimName: "b", mountPath: "/dev/shm" },
        ],
      },
    ],
    [
      "mounts[1].claimName: a is mounted twice",
      {
        mounts: [
          { claimName: "a", mountPath: "/a" },
          { claimName: "a", mountPath: "/b" },
        ],
      },
    ],
    [
      "mounts[1].mountPath: /a/s overlaps /a, which is set too",
      {
        mounts: [
          { claimName: "a", mountPath: "/a" },
          { secretName: "s", mountPath: "/a/s" },
        ],
      },
    ],
    ["resources.memory: 32Mi is less than 64Mi, too little for a session", { resources: { memory: "32Mi" } }],
    [
      [
        'resources.limits.memory: "1024" is less than 1Mi',
        'resources.requests.memory: "512m" is less than 1Mi',
      ],
      { resources: { requests: { memory: "512m" }, limits: { memory: "1024" } } },
    ],
    [
      [
        'pod.sidecars[0].resources.memory: "512m" is less than 1Mi',
        'ssh.resources.memory: "512m" is less than 1Mi',
      ],
      {
        pod: { sidecars: [{ name: "x", image: "x:1", resources: { memory: "512m" } }] },
        ssh: { mode: "sidecar", image: "x:1", resources: { memory: "512m" } },
      },
    ],
    [
      ['egress.deny[0]: "0.0.0.0/0" is every address', 'egress.deny[1]: "::/0" is every address'],
      { egress: { deny: ["0.0.0.0/0", "::/0", "0.0.0.0/1"] } },
    ],
    [
      "resources.sharedMemory: 1024Mi must be below the memory limit 1Gi, which includes it",
      { resources: { memory: "1Gi", sharedMemory: "1024Mi" } },
    ],
    [
      'pod.imagePullSecrets: ["registry","registry"] names a Secret twice',
      { pod: { imagePullSecrets: ["registry", "registry"] } },
    ],
    [
      'envValueFrom.A.fieldRef.fieldPath: "status.phase" is not a field that a variable may have',
      { envValueFrom: { A: { fieldRef: { fieldPath: "status.phase" } } } },
    ],
    [
      'envValueFrom.A.resourceFieldRef.resource: "memory" is not a request or limit',
      { envValueFrom: { A: { resourceFieldRef: { resource: "memory" } } } },
    ],
    [
      'resources.limits["nvidia.com/gpu"]: is not the 1 of requests, and a node hands nvidia.com/gpu out whole',
      { resources: { requests: { "nvidia.com/gpu": "1" }, limits: { "nvidia.com/gpu": "2" } } },
    ],
    [
      "resources.limits.cpu: 1500m is below the 2 set aside by requests",
      { resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } },
    ],
    [
      [
        "resources.limits.cpu: is already set by cpu, which stands for both sides",
        "resources.requests.cpu: is already set by cpu, which stands for both sides",
      ],
      { resources: { cpu: "2", requests: { cpu: "1" }, limits: { cpu: "4" } } },
    ],
    [
      "resources.requests.memory: leaves memory without a limit, so one container could use all of its node's",
      { resources: { requests: { memory: "1Gi" } } },
    ],
    [
      [
        'resources.limits["ephemeral-storage"]: is already set by resources.ephemeralStorage',
        'resources.limits["nvidia.com/gpu"]: is already set by resources.gpu',
      ],
      {
        resources: {
          gpu: { count: 1 },
          ephemeralStorage: "1Gi",
          limits: { "nvidia.com/gpu": "1", "ephemeral-storage": "2Gi" },
        },
      },
    ],
    ['resources.requests.cpus: "cpus" is not a resource', { resources: { requests: { cpus: "1" } } }],
    [
      [
        'scheduling.affinity: unknown key "podAffinty"',
        "scheduling.topologySpreadConstraints[0].topologyKey: is missing",
      ],
      { scheduling: { topologySpreadConstraints: [{}], affinity: { podAffinty: {} } } },
    ],
    ["resources.gpu.count: 0 is out of range", { resources: { gpu: { count: 0 } } }],
    ["resources.gpu.count: is missing", { resources: { gpu: { product: "T4" } } }],
    [
      [
        'scheduling.tolerations[0].operator: is "Equal" by default, which needs a key',
        'scheduling.tolerations[1].value: is beside operator "Exists", which looks at no value',
        'scheduling.tolerations[2].tolerationSeconds: needs effect: "NoExecute"',
      ],
      {
        scheduling: {
          tolerations: [
            { effect: "NoExecute" },
            { operator: "Exists", key: "a", value: "b" },
            { key: "a", tolerationSeconds: 60 },
            { operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 },
          ],
        },
      },
    ],
    [
      "scheduling.topologySpreadConstraints[2]: has the topologyKey and whenUnsatisfiable of another",
      {
        scheduling: {
          topologySpreadConstraints: [
            { topologyKey: "zone" },
            { topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
            { topologyKey: "zone", maxSkew: 2 },
          ],
        },
      },
    ],
    [
      [
        'values: has no value, with which operator "In" compares',
        'values: is beside operator "Exists", which looks at no value',
        'values: must be one whole number with operator "Gt", like ["8"]',
      ].map((fault, at) => `${nodeTerms}[0].matchExpressions[${at}].${fault}`),
      {
        scheduling: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [
                      { key: "a", operator: "In" },
                      { key: "a", operator: "Exists", values: ["b"] },
                      { key: "a", operator: "Gt", values: ["x"] },
                      { key: "a", operator: "Lt", values: ["8"] },
                      { key: "a", operator: "DoesNotExist" },
                    ],
                  },
                ],
              },
            },
          },
        },
      },
    ],
    [
      'scheduling.tolerations[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute',
      { scheduling: { tolerations: [{ key: "a", effect: "Never" }] } },
    ],
    ['env["A-B"]: "A-B" is not an environment variable name (letters, digits, _)', { env: { "A-B": "1" } }],
    ["env.A: has a line break, which cannot be passed into an SSH session", { env: { A: "x\ny" } }],
    [
      'startupScript: must begin with the line of its interpreter, like "#!/bin/sh", and have at most 65536 characters',
      { startupScript: "echo hi" },
    ],
    ["proxy.http: is not a proxy address", { proxy: { http: "http://u:pw@p" } }],
    ["ports[0].port: 22 is in use already", { ports: [{ name: "web", port: 22 }] }],
    ["ports[1].name: http is used twice", { ports: [http, { name: "http", port: 1 }] }],
    ["ports[0].name: ssh is the name of sshd's own port", { ports: [{ name: "ssh", port: 1 }] }],
    ["ports[0].name: is not a port name", { ports: [{ name: "a".repeat(16), port: 1 }] }],
    ["ports[0].throughGateway: needs a gateway", { ports: [{ ...http, throughGateway: true }] }],
    ["ports: has 16 ports", { ports: manyPorts(16) }],
    [
      "ports: has 8 ports that are reached through the gateway",
      {
        ports: [{ ...http, primary: true }, ...manyPorts(7, { throughGateway: true })],
        access: { gateway },
      },
    ],
    [
      "ports[1].primary: is set on http already",
      {
        ports: [
          { ...http, primary: true },
          { name: "db", port: 5432, primary: true },
        ],
      },
    ],
    ["access.sshpod: is empty", { access: { sshpod: {} } }],
    ["ingress[0]: matches no pod", { ingress: [{ ports: [1] }] }],
    ["ingress[0].ports: has no port", { ingress: [{ namespace: "ci", ports: [] }] }],
    ['egress.allow[0].cidr: "10.0.0.1" is not a network', { egress: { allow: [{ cidr: "10.0.0.1" }] } }],
    ['running: must be true or false, not "no"', { running: "no" }],
    ['pod.eviction: "sometimes" is not one of never, allowed', { pod: { eviction: "sometimes" } }],
    [
      "pod.stopWarningSeconds: 58 leaves less than 5 s of the 60 s in pod.terminationGracePeriodSeconds",
      { pod: { stopWarningSeconds: 58 } },
    ],
  ])("%s", (faults, args) => {
    expect(faultsOf(args)).toEqual([faults].flat());
  });

  it("come all at once", () => {
    expect(
      faultsOf({ image: "x", authorizedKeys: [], persist: { paths: ["/home"] }, ssh: { port: 0 } }),
    ).toHaveLength(4);
  });
});
