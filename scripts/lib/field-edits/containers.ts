import { deriveHostKey } from "@drawbridge-iac/drawbridge/src/host/keys/host-key";
import { alice, bob, containerBase, image } from "./container-base.ts";
import { containerNetworkEdits } from "./container-network.ts";
import { containerPodEdits } from "./container-pod.ts";
import type { FieldEdits } from "./edit.ts";
import { containerIdleEdits } from "./idle.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

const ofSeed = (identity: string) => deriveHostKey("a-seed-of-another-key-0123456789abcdef", identity);
const { privateKey } = ofSeed("other");
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
const rotation = { hostKey: { next: { generation: 2, ...containerBase.hostKey } } };

export const containerEdits: FieldEdits = {
  name: { value: "renamed", verdict: "host-key-lost volume-lost restarts gains loses" },
  image: { value: "registry.example.com/team/image:2.0.0" },
  imagePullPolicy: { value: "Always" },
  imagePullSecrets: { value: ["registry"] },
  command: { from: injected, value: ["sleep", "1000"] },
  args: { value: ["sleep", "1000"] },
  runImageCommand: { from: injected, value: true },
  "ssh.mode": { to: injected },
  "ssh.image": { from: injected, value: "registry.example.com/sshd:2" },
  "ssh.port": { value: 2222 },
  ...resourcesEdits("ssh.resources", { from: sidecar }),
  "ssh.loginGraceSeconds": { value: 60 },
  "ssh.maxStartups": { value: 300 },
  "user.name": { value: "dev" },
  "user.uid": { value: 2000 },
  "user.gid": { value: 2000 },
  "user.shell": { from: injected, value: "/bin/zsh" },
  fsGroup: { value: 2000 },
  supplementalGroups: { value: [5000] },
  root: { to: { root: true, team: rootTeam }, verdict: "pod-privileges restarts" },
  containersInside: {
    from: { root: true, team: engineTeam, ...persisted },
    value: true,
    verdict: "pod-privileges restarts",
  },
  "team.version": { to: { team: { ...rootTeam, version: 1 } }, verdict: "unchanged" },
  "team.namespace": { to: { team: rootTeam }, verdict: "unchanged" },
  "team.root": { to: { team: rootTeam }, verdict: "unchanged" },
  "team.containersInside": { to: { team: engineTeam }, verdict: "unchanged" },
  sessionsValidFrom: { value: "2026-11-24T09:30:00Z" },
  authorizedKeys: { value: [alice, bob] },
  "userCa.keys": { from: userCa, value: [alice], verdict: "foreign-ca harmless loses" },
  "userCa.principals": { from: userCa, value: ["team-a"] },
  "hostKey.seed": {
    value: "another-seed-0123456789abcdef0123456789abcdef",
    verdict: "host-key-lost restarts",
  },
  "hostKey.privateKey": {
    to: { hostKey: { seed: undefined, privateKey } },
    verdict: "host-key-lost restarts",
  },
  "hostKey.generation": { value: 2, verdict: "host-key-lost restarts" },
  "hostKey.identity": { value: "old/name", verdict: "host-key-lost secret-taken restarts" },
  "hostKey.next.seed": { to: rotation },
  "hostKey.next.privateKey": { value: ofSeed("next").privateKey },
  "hostKey.next.generation": { from: rotation, value: 3 },
  "home.size": { value: "2Gi" },
  "home.storageClassName": { value: "fast", verdict: "volume-lost harmless" },
  "home.accessMode": { value: "ReadWriteMany", verdict: "volume-lost harmless" },
  "home.claimName": { value: "older-home" },
  persist: { from: persisted, value: ["/opt/conda", "/srv/data"] },
  "persistVolume.size": { from: persisted, value: "2Gi" },
  "persistVolume.storageClassName": { from: persisted, value: "fast", verdict: "volume-lost harmless" },
  "persistVolume.accessMode": { from: persisted, value: "ReadWriteMany", verdict: "volume-lost harmless" },
  "persistVolume.claimName": { from: persisted, value: "older" },
  ...resourcesEdits("resources"),
  "gpu.count": { from: gpu, value: 2 },
  "gpu.resource": { from: gpu, value: "amd.com/gpu" },
  "gpu.product": { from: gpu, value: "NVIDIA-A100" },
  sharedMemory: { value: "512Mi" },
  ephemeralStorage: { value: "4Gi" },
  ...schedulingEdits(),
  env: { value: { STAGE: "test" } },
  secretEnv: { value: { TOKEN: "a secret" } },
  envValueFrom: { value: { TOKEN: { secretKeyRef: { name: "git", key: "token" } } } },
  "envFrom[0]": {
    from: { envFrom: [{ secretRef: { name: "git" } }] },
    value: { secretRef: { name: "other" } },
  },
  "secretFiles[0].secretName": { from: secret, value: "other" },
  "secretFiles[0].mountPath": { from: secret, value: "/secrets/other" },
  startupScript: { value: "#!/bin/sh\ntrue\n" },
  "serviceAccount.name": { value: "data" },
  "serviceAccount.create": { value: true },
  "serviceAccount.annotations": {
    from: { serviceAccount: { create: true } },
    value: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/team-a" },
    verdict: "cluster-rights harmless",
  },
  "serviceAccount.token": { value: true, verdict: "pod-privileges restarts" },
  "proxy.http": { to: proxy },
  "proxy.https": { from: proxy, value: "http://other.example.com:3128" },
  "proxy.except": { from: proxy, value: ["example.com"] },
  "trustedCa.configMapName": { to: bundle },
  "trustedCa.key": { from: bundle, value: "bundle.pem" },
  running: { value: false },
  eviction: { value: "allowed" },
  stopWarningSeconds: { value: 5 },
  terminationGracePeriodSeconds: { value: 90 },
  wait: { value: false },
  ...containerPodEdits,
  "mounts[0].claimName": { from: mount, value: "other" },
  "mounts[0].mountPath": { from: mount, value: "/other" },
  "mounts[0].readOnly": { from: mount, value: true },
  "storage[0].from": { from: mounted, value: { ...storage, name: "other", claimName: "other-storage" } },
  "storage[0].mountPath": { from: mounted, value: "/other" },
  "storage[0].readOnly": { from: mounted, value: true },
  ...containerNetworkEdits,
  ...containerIdleEdits,
};
