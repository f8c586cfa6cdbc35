import { describe, expect, it } from "vitest";
import { faultsOf, gateway, manyPorts } from "./plan.fixture.ts";

const http = { name: "http", port: 8080 };

describe("invalid arguments of volumes, machine and network", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      "a class for an adopted claim",
      { home: { claimName: "old", storageClassName: "fast" } },
      ["home.storageClassName: has no effect on the existing claim old; remove one of the two"],
    ],
    [
      "a size in words",
      { home: { size: "20 GB" } },
      [expect.stringMatching(/^home.size: "20 GB" is not a quantity; /)],
    ],
    [
      "an access mode nobody can write with",
      { home: { accessMode: "ReadOnlyMany" } },
      ['home.accessMode: "ReadOnlyMany" is not one of ReadWriteOnce, ReadWriteOncePod, ReadWriteMany'],
    ],
    [
      "a persisted path inside home",
      { persist: ["/home/jovyan/.cache"] },
      ["persist[0]: /home/jovyan/.cache is inside the home /home/jovyan, which lasts anyway; remove it"],
    ],
    [
      "a persisted home",
      { persist: ["/home/jovyan"] },
      ["persist[0]: /home/jovyan would hide the home /home/jovyan; choose another path"],
    ],
    [
      "persisted paths in each other",
      { persist: ["/opt", "/opt/conda"] },
      ["persist[1]: /opt/conda meets /opt, which is given too; choose apart paths"],
    ],
    [
      "a mount over home's parent",
      { mounts: [{ claimName: "a", mountPath: "/home" }] },
      ["mounts[0].mountPath: /home would hide the home /home/jovyan; choose another path"],
    ],
    [
      "a mount over the machinery",
      {
        mounts: [
          { claimName: "a", mountPath: "/etc" },
          { claimName: "b", mountPath: "/dev/shm" },
        ],
      },
      [
        "mounts[0].mountPath: /etc meets /etc/drawbridge, which the container needs; choose another path",
        "mounts[1].mountPath: /dev/shm meets /dev, which the container needs; choose another path",
      ],
    ],
    [
      "a claim mounted twice",
      {
        mounts: [
          { claimName: "a", mountPath: "/a" },
          { claimName: "a", mountPath: "/b" },
        ],
      },
      ["mounts[1].claimName: a is mounted twice"],
    ],
    [
      "a secret over a mount",
      {
        mounts: [{ claimName: "a", mountPath: "/a" }],
        secretFiles: [{ secretName: "s", mountPath: "/a/s" }],
      },
      ["secretFiles[0].mountPath: /a/s meets /a, which is given too; choose apart paths"],
    ],
    [
      "too little memory",
      { resources: { memory: "32Mi" } },
      ["resources.memory: 32Mi is less than 64Mi, in which no session starts"],
    ],
    [
      "shared memory as large as memory",
      { resources: { memory: "1Gi" }, sharedMemory: "1024Mi" },
      ["sharedMemory: 1024Mi is not below the memory limit 1Gi, in which it is counted"],
    ],
    [
      "a limit below the request",
      { resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } },
      ["resources.limits.cpu: 1500m is below the 2 set aside by requests; raise it, or lower requests.cpu"],
    ],
    [
      "CPU in both forms",
      { resources: { cpu: "2", requests: { cpu: "1" }, limits: { cpu: "4" } } },
      [
        "resources.limits.cpu: is set by cpu already, which stands for both sides; remove one of the two",
        "resources.requests.cpu: is set by cpu already, which stands for both sides; remove one of the two",
      ],
    ],
    [
      "memory without a limit",
      { resources: { requests: { memory: "1Gi" } } },
      [
        "resources.requests.memory: leaves memory without a limit, so that one container could take its node's; give memory, which sets both, or limits.memory too",
      ],
    ],
    [
      "a GPU and a disk given twice",
      {
        gpu: { count: 1 },
        ephemeralStorage: "1Gi",
        resources: { limits: { "nvidia.com/gpu": "1", "ephemeral-storage": "2Gi" } },
      },
      [
        'resources.limits["ephemeral-storage"]: is set by ephemeralStorage already; remove one of the two',
        'resources.limits["nvidia.com/gpu"]: is set by gpu already; remove one of the two',
      ],
    ],
    [
      "a resource that no node has",
      { resources: { requests: { cpus: "1" } } },
      [expect.stringMatching(/^resources\.requests\.cpus: "cpus" is not a resource; /)],
    ],
    [
      "a spread over nothing, and an affinity to nothing known",
      { scheduling: { topologySpreadConstraints: [{}], affinity: { podAffinty: {} } } },
      [
        'scheduling.affinity: unknown key "podAffinty"; did you mean "podAffinity"?',
        "scheduling.topologySpreadConstraints[0].topologyKey: is missing; give a string",
      ],
    ],
    [
      "no GPU at all",
      { gpu: { count: 0 } },
      ["gpu.count: 0 is out of range; give a whole number of GPUs from 1 to 64"],
    ],
    ["a GPU without a count", { gpu: { product: "T4" } }, [expect.stringMatching(/^gpu.count: /)]],
    [
      "another taint effect",
      { scheduling: { tolerations: [{ key: "a", effect: "Never" }] } },
      ['scheduling.tolerations[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute'],
    ],
    ["a variable's name", { env: { "A-B": "1" } }, [expect.stringMatching(/^env[.[].*environment/)]],
    [
      "a value with a line break",
      { env: { A: "x\ny" } },
      ["env.A: holds a line break, which cannot be passed into an SSH session; mount it as a file instead"],
    ],
    [
      "a script without interpreter",
      { startupScript: "echo hi" },
      [
        'startupScript: must begin with the line of its interpreter, like "#!/bin/sh", and have at most 65536 characters',
      ],
    ],
    [
      "credentials in the proxy",
      { proxy: { http: "http://u:pw@p" } },
      [
        'proxy.http: is not a proxy address; write it like "http://proxy.example.com:3128", without credentials',
      ],
    ],
    [
      "a port of sshd",
      { ports: [{ name: "web", port: 22 }] },
      ["ports[0].port: 22 is taken already; each port can be used once"],
    ],
    [
      "a name given twice",
      { ports: [http, { name: "http", port: 1 }] },
      ["ports[1].name: http is given twice; give each port its own name"],
    ],
    [
      "sshd's name",
      { ports: [{ name: "ssh", port: 1 }] },
      ["ports[0].name: ssh is sshd's own; choose another name"],
    ],
    [
      "a long port name",
      { ports: [{ name: "a".repeat(16), port: 1 }] },
      [expect.stringMatching(/^ports\[0\].name: is not a port name; /)],
    ],
    [
      "a port through no gateway",
      { ports: [{ ...http, throughGateway: true }] },
      ["ports[0].throughGateway: needs a gateway; give access.gateway"],
    ],
    [
      "more ports than a Service of a team has",
      { ports: manyPorts(32) },
      ["ports: has 32 ports; a Service of a team has at most 32, sshd's among them: give at most 31"],
    ],
    [
      "more ports through the gateway than a route has rules",
      {
        ports: [http, ...manyPorts(7, { throughGateway: true })],
        access: { gateway, primaryPort: "http" },
      },
      [
        "ports: has 8 ports that are reached through the gateway; a route has at most 8, sshd's among them: leave throughGateway to at most 7",
      ],
    ],
    [
      "an unknown primary port",
      { ports: [http], access: { primaryPort: "web" } },
      ["access.primaryPort: web is not the name of one of ports"],
    ],
    [
      "nobody for the Kubernetes API",
      { access: { sshpod: {} } },
      ["access.sshpod: names nobody; give users, groups or both"],
    ],
    [
      "nobody as a peer",
      { ingress: [{ ports: [1] }] },
      ["ingress[0]: names nobody; give a namespace, podLabels or both"],
    ],
    [
      "a peer without ports",
      { ingress: [{ namespace: "ci", ports: [] }] },
      ["ingress[0].ports: holds no port; give the ports that these pods may reach"],
    ],
    [
      "a network without its length",
      { egress: { allow: [{ cidr: "10.0.0.1" }] } },
      [expect.stringMatching(/^egress.allow\[0\].cidr: "10.0.0.1" is not a network; /)],
    ],
    ["neither on nor off", { running: "no" }, ['running: must be true or false, not "no"']],
    ["another policy", { eviction: "sometimes" }, ['eviction: "sometimes" is not one of never, allowed']],
    [
      "a warning longer than the grace",
      { stop: { warningSeconds: 58 } },
      ["stop.warningSeconds: 58 leaves less than 5 s of the 60 s in stop.graceSeconds"],
    ],
  ])("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });
});
