import { deriveHostKey } from "@drawbridge-iac/manifests";
import { alice, bob, containerBase, image } from "./container-base.ts";
import { containerNetworkEdits } from "./container-network.ts";
import { containerPodEdits } from "./container-pod.ts";
import type { FieldEdits } from "./edit.ts";
import { containerIdleEdits } from "./idle.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

const { privateKey } = deriveHostKey("a-seed-of-another-key-0123456789abcdef", "other");
const sidecar = { ssh: { mode: "sidecar", image } };
const injected = { ssh: { mode: "injected", image } };
const gpu = { gpu: { count: 1 } };
const mount = { mounts: [{ claimName: "shared", mountPath: "/shared" }] };
const storage = { name: "models", namespace: "team-a", claimName: "models-storage" };
const mounted = { storage: [{ from: storage, mountPath: "/models" }] };
const secret = { secretFiles: [{ secretName: "git", mountPath: "/secrets/git" }] };
const persisted = { persist: ["/opt/conda"], persistVolume: { size: "1Gi" } };
const bundle = { trustedCa: { configMapName: "company-ca" } };
const proxy = { proxy: { http: "http://proxy.example.com:3128" } };
const userCa = { userCa: { keys: [bob] } };
const rootTeam = { namespace: "team-a", root: true };
const engineTeam = { ...rootTeam, containersInside: true };
const rotation = { ...containerBase.hostKey, next: { generation: 2, ...containerBase.hostKey } };

export const containerEdits: FieldEdits = {
  name: {
    to: { name: "renamed" },
    verdict: "host-key-lost volume-lost restarts gains loses",
  },
  image: { to: { image: "registry.example.com/team/image:2.0.0" } },
  imagePullPolicy: { to: { imagePullPolicy: "Always" } },
  imagePullSecrets: { to: { imagePullSecrets: ["registry"] } },
  command: { from: injected, to: { command: ["sleep", "1000"] } },
  args: { to: { args: ["sleep", "1000"] } },
  runImageCommand: { from: injected, to: { runImageCommand: true } },
  "ssh.mode": { to: injected },
  "ssh.image": {
    from: injected,
    to: { ssh: { mode: "injected", image: "registry.example.com/sshd:2" } },
  },
  "ssh.port": { to: { ssh: { port: 2222 } } },
  ...resourcesEdits("ssh.resources", (resources) => ({ ssh: { resources } }), { from: sidecar }),
  "ssh.loginGraceSeconds": { to: { ssh: { loginGraceSeconds: 60 } } },
  "ssh.maxStartups": { to: { ssh: { maxStartups: 300 } } },
  "user.name": { to: { user: { name: "dev" } } },
  "user.uid": { to: { user: { uid: 2000 } } },
  "user.gid": { to: { user: { gid: 2000 } } },
  "user.shell": { from: injected, to: { user: { shell: "/bin/zsh" } } },
  root: { to: { root: true, team: rootTeam }, verdict: "pod-privileges restarts" },
  containersInside: {
    from: { root: true, team: engineTeam, ...persisted },
    to: { containersInside: true },
    verdict: "pod-privileges restarts",
  },
  "team.version": { to: { team: { ...rootTeam, version: 1 } }, verdict: "unchanged" },
  "team.namespace": { to: { team: rootTeam }, verdict: "unchanged" },
  "team.root": { to: { team: rootTeam }, verdict: "unchanged" },
  "team.containersInside": { to: { team: engineTeam }, verdict: "unchanged" },
  sessionsValidFrom: { to: { sessionsValidFrom: "2026-11-24T09:30:00Z" } },
  authorizedKeys: { to: { authorizedKeys: [alice, bob] } },
  "userCa.keys": { from: userCa, to: { userCa: { keys: [alice] } }, verdict: "foreign-ca harmless loses" },
  "userCa.principals": {
    from: userCa,
    to: { userCa: { keys: [bob], principals: ["team-a"] } },
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
  "hostKey.next.seed": { to: { hostKey: rotation } },
  "hostKey.next.privateKey": {
    to: { hostKey: { ...containerBase.hostKey, next: { privateKey } } },
  },
  "hostKey.next.generation": {
    from: { hostKey: rotation },
    to: { hostKey: { ...rotation, next: { ...rotation.next, generation: 3 } } },
  },
  "home.size": { to: { home: { size: "2Gi" } } },
  "home.storageClassName": { to: { home: { storageClassName: "fast" } }, verdict: "volume-lost harmless" },
  "home.accessMode": { to: { home: { accessMode: "ReadWriteMany" } }, verdict: "volume-lost harmless" },
  "home.claimName": { to: { home: { claimName: "older-home" } } },
  persist: { from: persisted, to: { persist: ["/opt/conda", "/srv/data"] } },
  "persistVolume.size": { from: persisted, to: { persistVolume: { size: "2Gi" } } },
  "persistVolume.storageClassName": {
    from: persisted,
    to: { persistVolume: { storageClassName: "fast" } },
    verdict: "volume-lost harmless",
  },
  "persistVolume.accessMode": {
    from: persisted,
    to: { persistVolume: { accessMode: "ReadWriteMany" } },
    verdict: "volume-lost harmless",
  },
  "persistVolume.claimName": {
    from: persisted,
    to: { persistVolume: { claimName: "older" } },
  },
  ...resourcesEdits("resources", (resources) => ({ resources })),
  "gpu.count": { from: gpu, to: { gpu: { count: 2 } } },
  "gpu.resource": { from: gpu, to: { gpu: { count: 1, resource: "amd.com/gpu" } } },
  "gpu.product": { from: gpu, to: { gpu: { count: 1, product: "NVIDIA-A100" } } },
  sharedMemory: { to: { sharedMemory: "512Mi" } },
  ephemeralStorage: { to: { ephemeralStorage: "4Gi" } },
  ...schedulingEdits(),
  env: { to: { env: { STAGE: "test" } } },
  secretEnv: { to: { secretEnv: { TOKEN: "a secret" } } },
  envValueFrom: {
    to: { envValueFrom: { TOKEN: { secretKeyRef: { name: "git", key: "token" } } } },
  },
  "envFrom[0]": {
    from: { envFrom: [{ secretRef: { name: "git" } }] },
    to: { envFrom: [{ secretRef: { name: "other" } }] },
  },
  "secretFiles[0].secretName": {
    from: secret,
    to: { secretFiles: [{ secretName: "other", mountPath: "/secrets/git" }] },
  },
  "secretFiles[0].mountPath": {
    from: secret,
    to: { secretFiles: [{ secretName: "git", mountPath: "/secrets/other" }] },
  },
  startupScript: { to: { startupScript: "#!/bin/sh\ntrue\n" } },
  "serviceAccount.name": { to: { serviceAccount: { name: "data" } } },
  "serviceAccount.create": { to: { serviceAccount: { create: true } } },
  "serviceAccount.annotations": {
    from: { serviceAccount: { create: true } },
    to: { serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/team-a" } } },
    verdict: "cluster-rights harmless",
  },
  "serviceAccount.token": { to: { serviceAccount: { token: true } }, verdict: "pod-privileges restarts" },
  "proxy.http": { to: proxy },
  "proxy.https": {
    from: proxy,
    to: { proxy: { https: "http://other.example.com:3128" } },
  },
  "proxy.except": { from: proxy, to: { proxy: { except: ["example.com"] } } },
  "trustedCa.configMapName": { to: bundle },
  "trustedCa.key": { from: bundle, to: { trustedCa: { key: "bundle.pem" } } },
  running: { to: { running: false } },
  eviction: { to: { eviction: "allowed" } },
  stopWarningSeconds: { to: { stopWarningSeconds: 5 } },
  terminationGracePeriodSeconds: { to: { terminationGracePeriodSeconds: 90 } },
  wait: { to: { wait: false } },
  ...containerPodEdits,
  "mounts[0].claimName": {
    from: mount,
    to: { mounts: [{ claimName: "other", mountPath: "/shared" }] },
  },
  "mounts[0].mountPath": {
    from: mount,
    to: { mounts: [{ claimName: "shared", mountPath: "/other" }] },
  },
  "mounts[0].readOnly": {
    from: mount,
    to: { mounts: [{ claimName: "shared", mountPath: "/shared", readOnly: true }] },
  },
  "storage[0].from": {
    from: mounted,
    to: {
      storage: [{ from: { ...storage, name: "other", claimName: "other-storage" }, mountPath: "/models" }],
    },
  },
  "storage[0].mountPath": {
    from: mounted,
    to: { storage: [{ from: storage, mountPath: "/other" }] },
  },
  "storage[0].readOnly": {
    from: mounted,
    to: { storage: [{ from: storage, mountPath: "/models", readOnly: true }] },
  },
  ...containerNetworkEdits,
  ...containerIdleEdits,
};
