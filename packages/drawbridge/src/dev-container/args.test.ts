import { describe, expect, it } from "vitest";
import { deriveHostKey } from "../host/keys/host-key.ts";
import { cases } from "../kit/faults.fixture.ts";
import { aliceKey, bobKey, faultsOf, gateway, manyPorts, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };
const { privateKey } = deriveHostKey(seed, "team-a/dev1");
const oneHostKey =
  "hostKey: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)";

const nodeTerms =
  "scheduling.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

/** A right value of each field by itself: stacks/config/wrong-types.test.ts. */
describe("faults of arguments", () => {
  it.each([
    ...cases`
    {}
    { image: "x@sha256:${"0".repeat(64)}" }
    { ssh: { mode: "none" }, authorizedKeys: [], hostKey: null }
    { authorizedKeys: [], ssh: { userCa: { keys: ["${bobKey}"], principals: ["dev@team-a"] } } }
    { env: { A: "1", _B: "$(x) \"'\\ #%" } }
    { envValueFrom: { A: { fieldRef: { fieldPath: "metadata.uid" } }, B: { fieldRef: { fieldPath: "metadata.labels['app']" } } } }
    { envValueFrom: { A: { fieldRef: { fieldPath: "metadata.annotations['example.com/a']" } }, B: { fieldRef: { fieldPath: "status.podIPs" } } } }
    { ports: ${manyPorts(15)} }
    { ports: ${manyPorts(16)} } → ports: has 16 ports
    { ports: ${manyPorts(7, { throughGateway: true })}, access: { gateway: ${gateway} } }
    { ports: ${[{ name: "http", port: 8080, primary: true }, ...manyPorts(7, { throughGateway: true })]}, access: { gateway: ${gateway} } }
      → ports: has 8 ports that are reached through the gateway
    { scheduling: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: In }, { key: a, operator: Exists, values: [b] }, { key: a, operator: Gt, values: [x] }, { key: a, operator: Lt, values: ["8"] }, { key: a, operator: DoesNotExist }] }] } } } } }
      → ${nodeTerms}[0].matchExpressions[0].values: has no value, with which operator "In" compares
      → ${nodeTerms}[0].matchExpressions[1].values: is beside operator "Exists", which looks at no value
      → ${nodeTerms}[0].matchExpressions[2].values: must be one whole number with operator "Gt", like ["8"]
    { nmae: "x" } → : unknown key "nmae"
    { namespace: null } → namespace: is missing
    { image: "ubuntu" } → image: "ubuntu" is not a pinned image
    { image: "ubuntu:latest" } → image: "ubuntu:latest" is not a pinned image
    { image: "Ubuntu:22.04" } → image: "Ubuntu:22.04" has capitals in the image's name, which no registry takes
    { image: "MyOrg/app:1" } → image: "MyOrg/app:1" has capitals in the image's name, which no registry takes
    { image: "registry.example.com:5000/Team/app:1" }
      → image: "registry.example.com:5000/Team/app:1" has capitals in the image's name, which no registry takes
    { imagePullPolicy: "Sometimes" } → imagePullPolicy: "Sometimes" is not one of Always, IfNotPresent, Never
    { ssh: { mode: "inject" } } → ssh.mode: "inject" is not one of image, injected, sidecar, none
    { ssh: { loginGraceSeconds: 0, maxStartups: 1 } }
      → ssh.loginGraceSeconds: 0 is out of range
      → ssh.maxStartups: 1 is out of range
    { ssh: { mode: "injected" } } → ssh.image: is missing
    { ssh: { mode: "sidecar" } } → ssh.image: is missing
    { ssh: { image: "x:1" } } → ssh.image: has no effect in mode "image"
    { command: ["x"] } → command: would replace the image's start of sshd
    { ssh: ${bundle}, args: ["x"] }
      → args: needs a command: the image's own entry point is not started in mode injected
    { runImageCommand: true } → runImageCommand: applies to mode "injected" only, and the mode is "image"
    { ssh: ${bundle}, runImageCommand: true, command: ["x"] }
      → runImageCommand: cannot be combined with command or args
    { ssh: { mode: "none" }, access: { gateway: ${gateway} } } → access.gateway: has no effect without sshd
    { ssh: { mode: "none" }, startupScript: "#!/bin/sh" } → startupScript: needs sshd, which starts it
    { access: { frp: { enabled: false } } } → access: has no way in, so no login is possible
    { user: { name: "root", uid: 0, gid: 0 } }
      → user.name: root needs root: true, which puts the pod into a user namespace
    { authorizedKeys: [] } → authorizedKeys: has no key, so no login is possible
    { authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] } → authorizedKeys[0]: is a private key
    { authorizedKeys: ["${aliceKey}", "restrict ${aliceKey}"] }
      → authorizedKeys[1]: is the same key as authorizedKeys[0]
    { ssh: { userCa: { keys: [] } } } → ssh.userCa.keys: has no key
    { ssh: { userCa: { keys: ["cert-authority ${bobKey}", "restrict ${bobKey}", "expiry-time=\"20300101\" ${bobKey}", "# alice has no key"] } } }
      → ssh.userCa.keys[0]: is not a public key
      → ssh.userCa.keys[1]: is not a public key
      → ssh.userCa.keys[2]: is not a public key
      → ssh.userCa.keys[3]: is empty or a comment
    { ssh: { userCa: { keys: ["${bobKey}"], principals: ["a b"] } } } → ssh.userCa.principals[0]: is not a principal
    { hostKey: null } → hostKey: is missing
    { hostKey: {} } → hostKey: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)
    { hostKey: { seed: "${seed}", next: {} } }
      → hostKey.next: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)
    { hostKey: { seed: "hunter2" } } → hostKey.seed: is too short
    { hostKey: { privateKey: "hunter2" } } → hostKey.privateKey: is not an unencrypted ed25519 private key
    { hostKey: { seed: "${seed}", next: { privateKey: "" } } }
      → hostKey.next.privateKey: is not an unencrypted ed25519 private key
    { home: { claimName: "old", storageClassName: "fast" } }
      → home.storageClassName: has no effect on the existing claim old
    { home: { size: "20 GB" } } → home.size: "20 GB" is not a quantity
    { home: { accessMode: "ReadOnlyMany" } }
      → home.accessMode: "ReadOnlyMany" is not one of ReadWriteOnce, ReadWriteOncePod, ReadWriteMany
    { persist: { paths: ["/home/jovyan/.cache"] } }
      → persist.paths[0]: /home/jovyan/.cache is inside the home /home/jovyan, which is kept anyway
    { persist: { paths: ["/home/jovyan"] } } → persist.paths[0]: /home/jovyan would hide the home /home/jovyan
    { persist: { paths: ["/opt", "/opt/conda"] } } → persist.paths[1]: /opt/conda overlaps /opt, which is set too
    { mounts: [{ claimName: "a", mountPath: "/home" }] } → mounts[0].mountPath: /home would hide the home /home/jovyan
    { mounts: [{ claimName: "a", mountPath: "/etc" }, { claimName: "b", mountPath: "/dev/shm" }] }
      → mounts[0].mountPath: /etc overlaps /etc/drawbridge, which the container needs
      → mounts[1].mountPath: /dev/shm overlaps /dev, which the container needs
    { mounts: [{ claimName: "a", mountPath: "/a" }, { claimName: "a", mountPath: "/b" }] }
      → mounts[1].claimName: a is mounted twice
    { mounts: [{ claimName: "a", mountPath: "/a" }, { secretName: "s", mountPath: "/a/s" }] }
      → mounts[1].mountPath: /a/s overlaps /a, which is set too
    { resources: { memory: "32Mi" } } → resources.memory: 32Mi is less than 64Mi, too little for a session
    { resources: { requests: { memory: "512m" }, limits: { memory: "1024" } } }
      → resources.limits.memory: "1024" is less than 1Mi
      → resources.requests.memory: "512m" is less than 1Mi
    { pod: { sidecars: [{ name: "x", image: "x:1", resources: { memory: "512m" } }] }, ssh: { mode: "sidecar", image: "x:1", resources: { memory: "512m" } } }
      → pod.sidecars[0].resources.memory: "512m" is less than 1Mi
      → ssh.resources.memory: "512m" is less than 1Mi
    { egress: { deny: ["0.0.0.0/0", "::/0", "0.0.0.0/1"] } }
      → egress.deny[0]: "0.0.0.0/0" is every address
      → egress.deny[1]: "::/0" is every address
    { resources: { memory: "1Gi", sharedMemory: "1024Mi" } }
      → resources.sharedMemory: 1024Mi must be below the memory limit 1Gi, which includes it
    { pod: { imagePullSecrets: ["registry", "registry"] } }
      → pod.imagePullSecrets: ["registry","registry"] names a Secret twice
    { envValueFrom: { A: { fieldRef: { fieldPath: "status.phase" } } } }
      → envValueFrom.A.fieldRef.fieldPath: "status.phase" is not a field that a variable may have
    { envValueFrom: { A: { resourceFieldRef: { resource: "memory" } } } }
      → envValueFrom.A.resourceFieldRef.resource: "memory" is not a request or limit
    { resources: { requests: { "nvidia.com/gpu": "1" }, limits: { "nvidia.com/gpu": "2" } } }
      → resources.limits["nvidia.com/gpu"]: is not the 1 of requests, and a node hands nvidia.com/gpu out whole
    { resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } }
      → resources.limits.cpu: 1500m is below the 2 set aside by requests
    { resources: { cpu: "2", requests: { cpu: "1" }, limits: { cpu: "4" } } }
      → resources.limits.cpu: is already set by cpu, which stands for both sides
      → resources.requests.cpu: is already set by cpu, which stands for both sides
    { resources: { requests: { memory: "1Gi" } } }
      → resources.requests.memory: leaves memory without a limit, so one container could use all of its node's
    { resources: { gpu: { count: 1 }, ephemeralStorage: "1Gi", limits: { "nvidia.com/gpu": "1", "ephemeral-storage": "2Gi" } } }
      → resources.limits["ephemeral-storage"]: is already set by resources.ephemeralStorage
      → resources.limits["nvidia.com/gpu"]: is already set by resources.gpu
    { resources: { requests: { cpus: "1" } } } → resources.requests.cpus: "cpus" is not a resource
    { scheduling: { topologySpreadConstraints: [{}], affinity: { podAffinty: {} } } }
      → scheduling.affinity: unknown key "podAffinty"
      → scheduling.topologySpreadConstraints[0].topologyKey: is missing
    { resources: { gpu: { count: 0 } } } → resources.gpu.count: 0 is out of range
    { resources: { gpu: { product: "T4" } } } → resources.gpu.count: is missing
    { scheduling: { tolerations: [{ effect: "NoExecute" }, { operator: "Exists", key: "a", value: "b" }, { key: "a", tolerationSeconds: 60 }, { operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 }] } }
      → scheduling.tolerations[0].operator: is "Equal" by default, which needs a key
      → scheduling.tolerations[1].value: is beside operator "Exists", which looks at no value
      → scheduling.tolerations[2].tolerationSeconds: needs effect: "NoExecute"
    { scheduling: { topologySpreadConstraints: [{ topologyKey: "zone" }, { topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }, { topologyKey: "zone", maxSkew: 2 }] } }
      → scheduling.topologySpreadConstraints[2]: has the topologyKey and whenUnsatisfiable of another
    { scheduling: { tolerations: [{ key: "a", effect: "Never" }] } }
      → scheduling.tolerations[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute
    { env: { "A-B": "1" } } → env["A-B"]: "A-B" is not an environment variable name (letters, digits, _)
    { env: { A: "x\ny" } } → env.A: has a line break, which cannot be passed into an SSH session
    { startupScript: "echo hi" }
      → startupScript: must begin with the line of its interpreter, like "#!/bin/sh", and have at most 65536 characters
    { proxy: { http: "http://u:pw@p" } } → proxy.http: is not a proxy address
    { ports: [{ name: "web", port: 22 }] } → ports[0].port: 22 is in use already
    { ports: [{ name: "http", port: 8080 }, { name: "http", port: 1 }] } → ports[1].name: http is used twice
    { ports: [{ name: "ssh", port: 1 }] } → ports[0].name: ssh is the name of sshd's own port
    { ports: [{ name: "aaaaaaaaaaaaaaaa", port: 1 }] } → ports[0].name: is not a port name
    { ports: [{ name: "http", port: 8080, throughGateway: true }] } → ports[0].throughGateway: needs a gateway
    { ports: [{ name: "http", port: 8080, primary: true }, { name: "db", port: 5432, primary: true }] }
      → ports[1].primary: is set on http already
    { access: { sshpod: {} } } → access.sshpod: is empty
    { ingress: [{ ports: [1] }] } → ingress[0]: matches no pod
    { ingress: [{ namespace: "ci", ports: [] }] } → ingress[0].ports: has no port
    { egress: { allow: [{ cidr: "10.0.0.1" }] } } → egress.allow[0].cidr: "10.0.0.1" is not a network
    { running: "no" } → running: must be true or false, not "no"
    { pod: { eviction: "sometimes" } } → pod.eviction: "sometimes" is not one of never, allowed
    { pod: { stopWarningSeconds: 58 } }
      → pod.stopWarningSeconds: 58 leaves less than 5 s of the 60 s in pod.terminationGracePeriodSeconds
  `,
    ["a key that is known later", { authorizedKeys: [Promise.resolve("x")] }, []],
    ["a host key of one's own", { hostKey: { privateKey } }, []],
    ["two host keys", { hostKey: { seed, privateKey } }, [oneHostKey]],
  ])("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });

  it("come all at once", () => {
    expect(
      faultsOf({ image: "x", authorizedKeys: [], persist: { paths: ["/home"] }, ssh: { port: 0 } }),
    ).toHaveLength(4);
  });
});
