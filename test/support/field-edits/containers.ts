import { deriveHostKey } from "@drawbridge-iac/manifests";
import { alice, bob, containerBase, image } from "./container-base.ts";
import { containerNetworkEdits } from "./container-network.ts";
import type { FieldEdits } from "./edit.ts";

const { privateKey } = deriveHostKey("a-seed-of-another-key-0123456789abcdef", "other");
const sidecar = { sshd: { mode: "sidecar", image } };
const injected = { sshd: { mode: "injected", image } };
const gpu = { resources: { gpu: { count: 1 } } };
const toleration = { scheduling: { tolerations: [{ key: "gpu", value: "a", effect: "NoSchedule" }] } };
const mount = { mounts: [{ claim: "shared", mountPath: "/shared" }] };
const storage = { name: "models", namespace: "team-a", claim: "models-storage" };
const mounted = { storage: [{ from: storage, mountPath: "/models" }] };
const secret = { secretFiles: [{ secret: "git", mountPath: "/secrets/git" }] };
const persisted = { persist: ["/opt/conda"], persistVolume: { size: "1Gi" } };
const bundle = { caBundle: { configMap: "company-ca" } };
const proxy = { proxy: { http: "http://proxy.example.com:3128" } };
const userCa = { userCa: { keys: [bob] } };
const rotation = { ...containerBase.hostKey, next: { generation: 2, ...containerBase.hostKey } };

export const containerEdits: FieldEdits = {
  name: {
    to: { name: "renamed" },
    verdict: "host-key-lost volume-lost restarts gains loses",
  },
  image: { to: { image: "registry.example.com/team/image:2.0.0" }, verdict: "restarts" },
  imagePullPolicy: { to: { imagePullPolicy: "Always" }, verdict: "restarts" },
  imagePullSecrets: { to: { imagePullSecrets: ["registry"] }, verdict: "restarts" },
  command: { from: injected, to: { command: ["sleep", "1000"] }, verdict: "restarts" },
  args: { to: { args: ["sleep", "1000"] }, verdict: "restarts" },
  runImageCommand: { from: injected, to: { runImageCommand: true }, verdict: "restarts" },
  "sshd.mode": { to: injected, verdict: "restarts" },
  "sshd.image": {
    from: injected,
    to: { sshd: { mode: "injected", image: "registry.example.com/sshd:2" } },
    verdict: "restarts",
  },
  "sshd.port": { to: { sshd: { port: 2222 } }, verdict: "restarts gains loses" },
  "sshd.cpu": { from: sidecar, to: { sshd: { ...sidecar.sshd, cpu: "1" } }, verdict: "restarts" },
  "sshd.memory": { from: sidecar, to: { sshd: { ...sidecar.sshd, memory: "1Gi" } }, verdict: "restarts" },
  "sshd.loginGraceSeconds": { to: { sshd: { loginGraceSeconds: 60 } }, verdict: "restarts" },
  "sshd.maxStartups": { to: { sshd: { maxStartups: 300 } }, verdict: "restarts" },
  "sshd.endRevokedSessions": { to: { sshd: { endRevokedSessions: true } }, verdict: "restarts" },
  "user.name": { to: { user: { name: "dev" } }, verdict: "restarts" },
  "user.uid": { to: { user: { uid: 2000 } }, verdict: "restarts" },
  "user.gid": { to: { user: { gid: 2000 } }, verdict: "restarts" },
  "user.shell": { from: injected, to: { user: { shell: "/bin/zsh" } }, verdict: "restarts" },
  authorizedKeys: { to: { authorizedKeys: [alice, bob] }, verdict: "harmless gains" },
  "userCa.keys": { from: userCa, to: { userCa: { keys: [alice] } }, verdict: "foreign-ca harmless loses" },
  "userCa.principals": {
    from: userCa,
    to: { userCa: { keys: [bob], principals: ["team-a"] } },
    verdict: "harmless gains loses",
  },
  "hostKey.seed": {
    to: { hostKey: { seed: "another-seed-0123456789abcdef0123456789abcdef" } },
    verdict: "host-key-lost restarts",
  },
  "hostKey.privateKey": {
    to: { hostKey: { seed: undefined, privateKey } },
    verdict: "host-key-lost restarts",
  },
  "hostKey.generation": {
    to: { hostKey: { ...containerBase.hostKey, generation: 2 } },
    verdict: "host-key-lost restarts",
  },
  "hostKey.identity": {
    to: { hostKey: { ...containerBase.hostKey, identity: "old/name" } },
    verdict: "host-key-lost restarts",
  },
  "hostKey.next.seed": { to: { hostKey: rotation }, verdict: "restarts" },
  "hostKey.next.privateKey": {
    to: { hostKey: { ...containerBase.hostKey, next: { privateKey } } },
    verdict: "restarts",
  },
  "hostKey.next.generation": {
    from: { hostKey: rotation },
    to: { hostKey: { ...rotation, next: { ...rotation.next, generation: 3 } } },
    verdict: "restarts",
  },
  "home.size": { to: { home: { size: "2Gi" } }, verdict: "harmless" },
  "home.storageClass": { to: { home: { storageClass: "fast" } }, verdict: "volume-lost harmless" },
  "home.accessMode": { to: { home: { accessMode: "ReadWriteMany" } }, verdict: "volume-lost harmless" },
  "home.claim": { to: { home: { claim: "older-home" } }, verdict: "restarts gains loses" },
  persist: { from: persisted, to: { persist: ["/opt/conda", "/srv/data"] }, verdict: "restarts" },
  "persistVolume.size": { from: persisted, to: { persistVolume: { size: "2Gi" } }, verdict: "harmless" },
  "persistVolume.storageClass": {
    from: persisted,
    to: { persistVolume: { storageClass: "fast" } },
    verdict: "volume-lost harmless",
  },
  "persistVolume.accessMode": {
    from: persisted,
    to: { persistVolume: { accessMode: "ReadWriteMany" } },
    verdict: "volume-lost harmless",
  },
  "persistVolume.claim": {
    from: persisted,
    to: { persistVolume: { claim: "older" } },
    verdict: "restarts gains loses",
  },
  "resources.cpu": { to: { resources: { cpu: "2" } }, verdict: "restarts" },
  "resources.cpuLimit": { to: { resources: { cpuLimit: "4" } }, verdict: "restarts" },
  "resources.memory": { to: { resources: { memory: "4Gi" } }, verdict: "restarts" },
  "resources.ephemeralStorage": { to: { resources: { ephemeralStorage: "4Gi" } }, verdict: "restarts" },
  "resources.sharedMemory": { to: { resources: { sharedMemory: "512Mi" } }, verdict: "restarts" },
  "resources.gpu.count": { from: gpu, to: { resources: { gpu: { count: 2 } } }, verdict: "restarts" },
  "resources.gpu.resource": {
    from: gpu,
    to: { resources: { gpu: { count: 1, resource: "amd.com/gpu" } } },
    verdict: "restarts",
  },
  "resources.gpu.product": {
    from: gpu,
    to: { resources: { gpu: { count: 1, product: "NVIDIA-A100" } } },
    verdict: "restarts",
  },
  "resources.gpu.runtimeClass": {
    from: gpu,
    to: { resources: { gpu: { count: 1, runtimeClass: "nvidia" } } },
    verdict: "restarts",
  },
  "scheduling.nodeSelector": { to: { scheduling: { nodeSelector: { pool: "big" } } }, verdict: "restarts" },
  "scheduling.tolerations[0].key": {
    from: toleration,
    to: { scheduling: { tolerations: [{ key: "cpu", value: "a", effect: "NoSchedule" }] } },
    verdict: "restarts",
  },
  "scheduling.tolerations[0].value": {
    from: toleration,
    to: { scheduling: { tolerations: [{ key: "gpu", value: "b", effect: "NoSchedule" }] } },
    verdict: "restarts",
  },
  "scheduling.tolerations[0].effect": {
    from: toleration,
    to: { scheduling: { tolerations: [{ key: "gpu", value: "a", effect: "NoExecute" }] } },
    verdict: "restarts",
  },
  "scheduling.zones": { to: { scheduling: { zones: ["a"] } }, verdict: "restarts" },
  "scheduling.priorityClass": { to: { scheduling: { priorityClass: "high" } }, verdict: "restarts" },
  environment: { to: { environment: { STAGE: "test" } }, verdict: "restarts" },
  "secretFiles[0].secret": {
    from: secret,
    to: { secretFiles: [{ secret: "other", mountPath: "/secrets/git" }] },
    verdict: "restarts gains loses",
  },
  "secretFiles[0].mountPath": {
    from: secret,
    to: { secretFiles: [{ secret: "git", mountPath: "/secrets/other" }] },
    verdict: "restarts",
  },
  startupScript: { to: { startupScript: "#!/bin/sh\ntrue\n" }, verdict: "restarts" },
  "serviceAccount.name": { to: { serviceAccount: { name: "data" } }, verdict: "restarts" },
  "serviceAccount.token": { to: { serviceAccount: { token: true } }, verdict: "pod-privileges restarts" },
  "proxy.http": { to: proxy, verdict: "restarts" },
  "proxy.https": {
    from: proxy,
    to: { proxy: { https: "http://other.example.com:3128" } },
    verdict: "restarts",
  },
  "proxy.except": { from: proxy, to: { proxy: { except: ["example.com"] } }, verdict: "restarts" },
  "caBundle.configMap": { to: bundle, verdict: "restarts" },
  "caBundle.key": { from: bundle, to: { caBundle: { key: "bundle.pem" } }, verdict: "restarts" },
  running: { to: { running: false }, verdict: "harmless" },
  eviction: { to: { eviction: "allowed" }, verdict: "restarts" },
  "stop.warningSeconds": { to: { stop: { warningSeconds: 5 } }, verdict: "restarts" },
  "stop.graceSeconds": { to: { stop: { graceSeconds: 90 } }, verdict: "restarts" },
  wait: { to: { wait: false }, verdict: "harmless" },
  "mounts[0].claim": {
    from: mount,
    to: { mounts: [{ claim: "other", mountPath: "/shared" }] },
    verdict: "restarts gains loses",
  },
  "mounts[0].mountPath": {
    from: mount,
    to: { mounts: [{ claim: "shared", mountPath: "/other" }] },
    verdict: "restarts",
  },
  "mounts[0].readOnly": {
    from: mount,
    to: { mounts: [{ claim: "shared", mountPath: "/shared", readOnly: true }] },
    verdict: "restarts loses",
  },
  "storage[0].from": {
    from: mounted,
    to: { storage: [{ from: { ...storage, name: "other", claim: "other-storage" }, mountPath: "/models" }] },
    verdict: "restarts gains loses",
  },
  "storage[0].mountPath": {
    from: mounted,
    to: { storage: [{ from: storage, mountPath: "/other" }] },
    verdict: "restarts",
  },
  "storage[0].readOnly": {
    from: mounted,
    to: { storage: [{ from: storage, mountPath: "/models", readOnly: true }] },
    verdict: "restarts loses",
  },
  ...containerNetworkEdits,
};
