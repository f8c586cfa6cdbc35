/** The slips of people who write a first program: each is one fault, with what to write instead. */
import { expect, it } from "vitest";
import { issuesFrom, readArgs } from "./kit/args-error.ts";
import { cases } from "./kit/faults.fixture.ts";
import { registry } from "./registry.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ";
const access = { gateway: { name: "ssh", namespace: "ssh", domain: "dev.example.com", plainPort: 80 } };

/** What is right beside the slip. */
const others: Readonly<Record<string, object>> = {
  DevContainer: {
    namespace: "team-a",
    image: "registry.example.com/team/dev:1",
    authorizedKeys: [key],
    hostKey: { seed: "x".repeat(40) },
    access,
  },
  SshGateway: { domain: "dev.example.com", loadBalancer: { preset: "generic" } },
  Team: {},
  StorageAccessor: { namespace: "team-a" },
  StorageProxy: {},
  SshRoute: { namespace: "team-a", serviceName: "box", userName: "ubuntu", hostPublicKeys: [key], access },
};

/** What is written → what is said of it. */
const slips = {
  DevContainer: cases`
    { tolerations: [] } → unknown key "tolerations"; did you mean scheduling.tolerations?
    { nodeSelector: {} } → unknown key "nodeSelector"; did you mean scheduling.nodeSelector?
    { affinity: {} } → unknown key "affinity"; did you mean scheduling.affinity?
    { priorityClassName: "x" } → unknown key "priorityClassName"; did you mean scheduling.priorityClassName?
    { runtimeClassName: "x" } → unknown key "runtimeClassName"; did you mean scheduling.runtimeClassName?
    { topologySpreadConstraints: [] } → unknown key "topologySpreadConstraints"; did you mean scheduling.topologySpreadConstraints?
    { gpu: { count: 1 } } → unknown key "gpu"; did you mean resources.gpu?
    { resources: { gpu: 1 } } → resources.gpu: must be an object, not 1; write { count: 1 }
    { gpus: 1 } → unknown key "gpus"; did you mean resources.gpu?
    { home: "20Gi" } → home: must be an object, not "20Gi"; write { size: "20Gi" }
    { home: 20 } → home: must be an object, not 20; write { size: …, storageClassName: …, accessMode: … }
    { home: "/home/alice" } → home: must be an object, not "/home/alice"; write { size: …, storageClassName: …, accessMode: … }
    { home: { storageClass: "fast" } } → home: unknown key "storageClass"; did you mean "storageClassName"?
    { home: { sizeGi: 20 } } → home: unknown key "sizeGi"; did you mean "size"?
    { home: { pvc: "x" } } → home: unknown key "pvc"; did you mean "claimName"?
    { storageClass: "fast" } → unknown key "storageClass"; did you mean home.storageClassName or persist.storageClassName?
    { storageClassName: "fast" } → unknown key "storageClassName"; did you mean home.storageClassName or persist.storageClassName?
    { size: "20Gi" } → unknown key "size"; did you mean home.size or persist.size?
    { ports: [8888] } → ports[0]: must be an object, not 8888; write { port: 8888 }
    { ports: 8888 } → ports: must be a list, not 8888; write [{ port: 8888 }]
    { ports: { http: 8888 } } → ports: must be a list, not {"http":8888}; write [{ name: …, port: …, scheme: … }]
    { port: 8888 } → unknown key "port"; did you mean "ports"?
    { egress: { allow: ["10.0.0.0/8"] } } → egress.allow[0]: must be an object, not "10.0.0.0/8"; write { cidr: "10.0.0.0/8" }
    { egress: { deny: "10.0.0.0/8" } } → egress.deny: must be a list, not "10.0.0.0/8"; write ["10.0.0.0/8"]
    { egress: ["10.0.0.0/8"] } → egress: must be an object, not ["10.0.0.0/8"]; write { deny: ["10.0.0.0/8"] }
    { egress: false } → egress: must be an object, not false; write { internet: false }
    { internet: false } → unknown key "internet"; did you mean egress.internet?
    { ingress: [8080] } → ingress[0]: must be an object, not 8080; write { namespace: …, podLabels: …, ports: … }
    { provider: {} } → unknown key "provider"; it is an option: it stands after the arguments, as { provider: … }, and in YAML below options
    { providers: [] } → unknown key "providers"; it is an option: it stands after the arguments, as { providers: … }, and in YAML below options
    { dependsOn: [] } → unknown key "dependsOn"; it is an option: it stands after the arguments, as { dependsOn: … }, and in YAML below options
    { parent: {} } → unknown key "parent"; it is an option: it stands after the arguments, as { parent: … }, and in YAML below options
    { protect: true } → unknown key "protect"; it is an option: it stands after the arguments, as { protect: … }, and in YAML below options
    { aliases: [] } → unknown key "aliases"; it is an option: it stands after the arguments, as { aliases: … }, and in YAML below options
    { transforms: [] } → unknown key "transforms"; it is an option: it stands after the arguments, as { transforms: … }, and in YAML below options
    { ignoreChanges: [] } → unknown key "ignoreChanges"; it is an option: it stands after the arguments, as { ignoreChanges: … }, and in YAML below options
    { retainOnDelete: true } → unknown key "retainOnDelete"; it is an option: it stands after the arguments, as { retainOnDelete: … }, and in YAML below options
    { sshKeys: [] } → unknown key "sshKeys"; did you mean "authorizedKeys"?
    { publicKeys: [] } → unknown key "publicKeys"; did you mean "authorizedKeys"?
    { authorized_keys: [] } → unknown key "authorized_keys"; did you mean "authorizedKeys"?
    { keys: [] } → unknown key "keys"; did you mean "authorizedKeys"?
    { authorizedKeys: "~/.ssh/id_ed25519.pub" } → authorizedKeys: must be a list, not "~/.ssh/id_ed25519.pub"
    { hostKey: "seedseedseed" } → hostKey: must be an object, not (secret); write { seed: …, privateKey: …, generation: … }
    { seed: "x" } → unknown key "seed"; did you mean hostKey.seed?
    { hostKeySeed: "x" } → unknown key "hostKeySeed"; did you mean hostKey.seed?
    { access: "gateway" } → access: must be an object, not (secret); write { gateway: …, address: …, sshpod: … }
    { gateway: {} } → unknown key "gateway"; did you mean access.gateway or egress.gateway?
    { frp: {} } → unknown key "frp"; did you mean access.frp?
    { sshpod: {} } → unknown key "sshpod"; did you mean access.sshpod or patches.sshpod?
    { access: { gateway: "ssh" } } → access.gateway: must be an object, not "ssh"; write { name: "ssh" }
    { access: { gateways: {} } } → access: unknown key "gateways"; did you mean "gateway"?
    { ssh: 2222 } → ssh: must be an object, not 2222; write { port: 2222 }
    { ssh: true } → ssh: must be an object, not true; write { mode: …, image: …, port: … }
    { ssh: "injected" } → ssh: must be an object, not "injected"; write { mode: …, image: …, port: … }
    { mode: "injected" } → unknown key "mode"; did you mean ssh.mode?
    { user: "alice" } → user: must be an object, not "alice"; write { name: "alice" }
    { user: 1000 } → user: must be an object, not 1000; write { uid: 1000 }
    { uid: 1000 } → unknown key "uid"; did you mean user.uid?
    { username: "alice" } → unknown key "username"; did you mean "user"?
    { userName: "alice" } → unknown key "userName"; did you mean "user"?
    { shell: "/bin/zsh" } → unknown key "shell"; did you mean user.shell?
    { env: ["A=b"] } → env: must be an object, not ["A=b"]
    { env: [{ name: "A", value: "b" }] } → env: must be an object, not [{"name":"A","value":"b"}]
    { environment: { A: "b" } } → unknown key "environment"; did you mean "env"?
    { env: { A: 1 } } → env.A: must be a string, not 1; put it in quotes: "1"
    { secrets: { A: "b" } } → unknown key "secrets"; did you mean "secretEnv"?
    { persist: ["/opt"] } → persist: must be an object, not ["/opt"]; write { paths: ["/opt"] }
    { persist: { paths: "/opt" } } → persist.paths: must be a list, not "/opt"; write ["/opt"]
    { persist: { path: "/opt" } } → persist: unknown key "path"; did you mean "paths"?
    { persistVolume: {} } → unknown key "persistVolume"; did you mean "persist"?
    { userCa: {} } → unknown key "userCa"; did you mean ssh.userCa?
    { sessionsValidFrom: "x" } → unknown key "sessionsValidFrom"; did you mean ssh.sessionsValidFrom?
    { pod: { volumes: ["data"] } } → pod.volumes[0]: must be an object, not "data"; write { name: "data" }
    { pod: { volumes: { data: "/data" } } } → pod.volumes: must be a list, not {"data":"/data"}; write [{ csi: {"data":"/data"} }]
    { mount: [] } → unknown key "mount"; did you mean "mounts"?
    { mounts: ["/data"] } → mounts[0]: must be an object, not "/data"; write { claimName: …, secretName: …, storage: … }
    { mounts: [{ claim: "data", mountPath: "/data" }] } → mounts[0]: unknown key "claim"; did you mean "claimName"?
    { mounts: [{ claimName: "data", path: "/data" }] } → mounts[0]: unknown key "path"; did you mean "mountPath"?
    { mounts: [{ claimName: "data" }] } → mounts[0].mountPath: is missing
    { mounts: [{ mountPath: "/data" }] } → mounts[0]: needs exactly one of claimName, secretName, storage, and volumeName
    { storage: ["models"] } → unknown key "storage"; did you mean "mounts"?
    { storages: [] } → unknown key "storages"; did you mean "mounts"?
    { secretFiles: [] } → unknown key "secretFiles"; did you mean "mounts"?
    { volumeMounts: [] } → unknown key "volumeMounts"; did you mean "mounts"?
    { labels: {} } → unknown key "labels"; did you mean pod.labels?
    { annotations: {} } → unknown key "annotations"; did you mean serviceAccount.annotations or pod.annotations?
    { podLabels: {} } → unknown key "podLabels"; did you mean pod.labels?
    { podAnnotations: {} } → unknown key "podAnnotations"; did you mean serviceAccount.annotations or pod.annotations?
    { volumes: [] } → unknown key "volumes"; did you mean pod.volumes?
    { sidecars: [] } → unknown key "sidecars"; did you mean pod.sidecars?
    { fsGroup: 5 } → unknown key "fsGroup"; did you mean pod.fsGroup?
    { resources: "2Gi" } → resources: must be an object, not "2Gi"; write { memory: "2Gi" }
    { resources: { limits: "2Gi" } } → resources.limits: must be an object, not "2Gi"; write { cpu: "4" }
    { limits: {} } → unknown key "limits"; did you mean resources.limits?
    { requests: {} } → unknown key "requests"; did you mean resources.requests?
    { cpu: 1 } → unknown key "cpu"; did you mean resources.cpu?
    { memory: "2Gi" } → unknown key "memory"; did you mean resources.memory?
    { resources: { cpus: 2 } } → resources: unknown key "cpus"; did you mean "cpu"?
    { sharedMemory: "1Gi" } → unknown key "sharedMemory"; did you mean resources.sharedMemory?
    { shm: "1Gi" } → unknown key "shm"; did you mean resources.sharedMemory?
    { shmSize: "1Gi" } → unknown key "shmSize"; did you mean resources.sharedMemory?
    { idle: "1h" } → idle: must be an object, not "1h"; write { enabled: …, stopAfterSeconds: …, silentSessionSeconds: … }
    { idle: 3600 } → idle: must be an object, not 3600; write { stopAfterSeconds: 3600 }
    { timeout: 3600 } → unknown key "timeout"; did you mean idle.stopAfterSeconds?
    { sleep: true } → unknown key "sleep"; did you mean "idle"?
    { command: "bash" } → command: must be a list, not "bash"; write ["bash"]
    { args: "-x" } → args: must be a list, not "-x"; write ["-x"]
    { entrypoint: ["x"] } → unknown key "entrypoint"; did you mean "command"?
    { init: "x" } → unknown key "init"; did you mean pod.initContainers?
    { image: { repository: "x" } } → image: must be a string, not {"repository":"x"}
    { pullPolicy: "Always" } → unknown key "pullPolicy"; did you mean "imagePullPolicy"?
    { pullSecrets: ["x"] } → unknown key "pullSecrets"; did you mean pod.imagePullSecrets?
    { imagePullSecret: "x" } → unknown key "imagePullSecret"; did you mean pod.imagePullSecrets?
    { imagePullPolicy: "always" } → imagePullPolicy: "always" is not one of Always, IfNotPresent, Never; did you mean "Always"?
    { wait: "true" } → wait: must be true or false, not the text "true"; remove the quotes
    { root: "yes" } → root: must be true or false, not "yes"
    { sudo: true } → unknown key "sudo"; did you mean "root"?
    { privileged: true } → unknown key "privileged"; did you mean "root"?
    { team: "team-a" } → team: must be an object, not "team-a"; write { namespace: "team-a" }
    { namespace: { name: "x" } } → namespace: must be a string, not {"name":"x"}`,
  SshGateway: cases`
    { loadBalancer: "aws-nlb" } → loadBalancer: must be an object, not "aws-nlb"; write { preset: "aws-nlb" }
    { loadBalancer: { preset: "aws" } } → loadBalancer.preset: "aws" is not one of generic, aws-nlb, gke, aks, metallb; did you mean "aws-nlb"?
    { loadBalancer: { preset: "eks" } } → loadBalancer.preset: "eks" is not one of generic, aws-nlb, gke, aks, metallb; did you mean "aws-nlb"?
    { loadBalancer: { preset: "azure" } } → loadBalancer.preset: "azure" is not one of generic, aws-nlb, gke, aks, metallb; did you mean "aks"?
    { loadBalancer: { preset: "AKS" } } → loadBalancer.preset: "AKS" is not one of generic, aws-nlb, gke, aks, metallb; did you mean "aks"?
    { preset: "gke" } → unknown key "preset"; did you mean loadBalancer.preset?
    { annotations: {} } → unknown key "annotations"; did you mean loadBalancer.annotations or pod.annotations?
    { domains: ["x"] } → unknown key "domains"; did you mean "domain"?
    { port: 80 } → unknown key "port"; did you mean listeners.plain.port or listeners.tls.port?
    { listeners: { plain: 80 } } → listeners.plain: must be an object, not 80; write { port: 80 }
    { listeners: 80 } → listeners: must be an object, not 80; write { plain: …, tls: … }
    { tls: {} } → unknown key "tls"; did you mean listeners.tls?
    { sourceRanges: ["10.0.0.0/8"] } → unknown key "sourceRanges"; did you mean loadBalancer.sourceRanges?
    { loadBalancer: { preset: "generic", sourceRanges: "10.0.0.0/8" } } → loadBalancer.sourceRanges: must be a list, not "10.0.0.0/8"; write ["10.0.0.0/8"]
    { replicas: "2" } → replicas: must be a whole number, not the text "2"; remove the quotes
    { hpa: {} } → unknown key "hpa"; did you mean "autoscaling"?
    { autoscaling: true } → autoscaling: must be an object, not true; write { minReplicas: …, maxReplicas: …, targetCPUUtilizationPercentage: … }
    { minReplicas: 2 } → unknown key "minReplicas"; did you mean autoscaling.minReplicas?
    { drain: 60 } → unknown key "drain"; did you mean "drainSeconds"?
    { limits: {} } → unknown key "limits"; did you mean resources.limits?
    { revision: "x" } → unknown key "revision"; did you mean "istioRevision"?
    { loadBalancerIP: "1.2.3.4" } → unknown key "loadBalancerIP"; did you mean "loadBalancer"?`,
  Team: cases`
    { deployers: ["group"] } → deployers: must be an object, not ["group"]; write { users: ["group"] }
    { deployers: { group: "x" } } → deployers: unknown key "group"; did you mean "groups"?
    { deployers: { users: "alice" } } → deployers.users: must be a list, not "alice"; write ["alice"]
    { quota: "10" } → quota: must be an object, not "10"
    { root: true } → root: must be an object, not true; write { containersInside: true }`,
  StorageAccessor: cases`
    { size: 10 } → size: has no unit; write it like "20Gi"
    { image: "x" } → unknown key "image"; did you mean prepare.image or browse.image?
    { prepare: "a.example.com/x:1" } → prepare: must be an object, not (secret); write { image: …, imagePullPolicy: …, command: … }
    { browse: true } → browse: must be an object, not (secret); write { enabled: …, proxy: …, address: … }
    { accessModes: ["ReadWriteMany"] } → unknown key "accessModes"; did you mean "accessMode"?
    { accessMode: "RWX" } → accessMode: "RWX" is not one of ReadWriteOnce, ReadWriteOncePod, ReadWriteMany; did you mean "ReadWriteMany"?
    { storageClass: "x" } → unknown key "storageClass"; did you mean "storageClassName"?
    { proxy: {} } → unknown key "proxy"; did you mean browse.proxy?
    { owner: 1000 } → owner: must be an object, not 1000; write { uid: 1000 }`,
  StorageProxy: cases`
    { tls: { secretName: "x" } } → loadBalancer: is missing; set loadBalancer: { preset: … }: say whose LoadBalancer it is, one of generic, aws-nlb, gke, aks, metallb; "generic" leaves it to the cluster, which in several clouds makes it public
    { port: 80 } → loadBalancer: is missing; set loadBalancer: { preset: … }: say whose LoadBalancer it is, one of generic, aws-nlb, gke, aks, metallb; "generic" leaves it to the cluster, which in several clouds makes it public
    { loadBalancer: "generic" } → loadBalancer: must be an object, not "generic"; write { preset: "generic" }`,
  SshRoute: cases`
    { service: "x" } → unknown key "service"; did you mean "serviceName"?
    { port: "22" } → port: must be a whole number, not the text "22"; remove the quotes
    { hostKeys: [] } → unknown key "hostKeys"; did you mean "hostPublicKeys"?
    { user: "x" } → unknown key "user"; did you mean "userName"?
    { hostPublicKeys: "x" } → hostPublicKeys: must be a list, not "x"; write ["ssh-ed25519 AAAA…"]`,
};

it.each(Object.entries(slips).flatMap(([title, lines]) => lines.map((line) => [title, ...line] as const)))(
  "%s %s",
  (title, _, args, said) => {
    const component = registry.find((one) => one.title === title);
    const read = readArgs(component?.args as never, "dev1", { ...others[title], ...args });
    const faults = read.success ? [] : issuesFrom(read.faults);
    expect(faults.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))).toEqual(said);
  },
);
