import { alice, containerBase, image } from "../host/base.trials.ts";
import { frpTrials, throughFrp } from "../host/frpc/args.trials.ts";
import { idleTrials, sleeper } from "../host/idle/args.trials.ts";
import { loginTrials, sshTimingTrials } from "../host/sshd/args.trials.ts";
import { accessTrials } from "../host/ways/access.trials.ts";
import { below, type Trials, type Tried } from "../kit/trials.fixture.ts";
import { podTrials, subjectsTrials } from "../kubernetes/args.trials.ts";
import { resourcesTrials } from "../kubernetes/resources.trials.ts";
import { schedulingTrials, type Terms } from "../kubernetes/scheduling.trials.ts";
import type { devContainerSchema } from "./args-checks.ts";
import { podParts } from "./pod-parts.trials.ts";

const sidecar = { ssh: { mode: "sidecar", image } };
const injected = { ssh: { mode: "injected", image } };
const gpu = { resources: { gpu: { count: 1 } } };
const mount = { mounts: [{ claimName: "shared", mountPath: "/shared" }] };
const storage = { name: "models", namespace: "team-a", claimName: "models-storage" };
const mounted = { storage: [{ from: storage, mountPath: "/models" }] };
const secret = { secretFiles: [{ secretName: "git", mountPath: "/secrets/git" }] };
const persisted = { persist: { paths: ["/opt/conda"], size: "1Gi" } };
const bundle = { trustedCa: { configMapName: "company-ca" } };
const proxy = { proxy: { http: "http://proxy.example.com:3128" } };
const rootTeam = { namespace: "team-a", root: true };
const engineTeam = { ...rootTeam, containersInside: true };

const mountedVolumes = {
  pod: {
    volumes: [
      { name: "scratch", emptyDir: {} },
      { name: "more", emptyDir: {} },
    ],
  },
  volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
};
const helper = { name: "helper", image };
const withSecret = { ...helper, envFrom: [{ secretRef: { name: "database" } }] };

const port = { ports: [{ name: "web", port: 8080 }] };
const primary = { ports: [{ name: "web", port: 8080, primary: true }] };
const peer = { ingress: [{ namespace: "web", podLabels: { app: "a" }, ports: [8080] }] };
const byName = { egress: { hosts: ["pypi.org"], gateway: { name: "egress", namespace: "egress" } } };
const allowed = { egress: { allow: [{ cidr: "10.0.0.0/8", ports: [443] }] } };

/** Parts as in a pod: whatever changes in one, the pod is another. What one may open is the guard's own test. */
type Parts =
  | "patches"
  | "pod.volumes[0]"
  | "pod.initContainers[0]"
  | "pod.sidecars[0]"
  | "envFrom[0]"
  | "storage[0].from";

export const DevContainer: Tried = {
  base: () => containerBase,
  trials: {
    namespace: { value: "team-b", verdict: "host-key-lost volume-lost restarts gains loses" },
    name: { value: "renamed", verdict: "host-key-lost volume-lost restarts gains loses" },
    image: { value: "registry.example.com/team/image:2.0.0" },
    imagePullPolicy: { value: "Always" },
    command: { from: injected, value: ["sleep", "1000"] },
    args: { value: ["sleep", "1000"] },
    runImageCommand: { from: injected, value: true },
    "ssh.mode": { to: injected },
    "ssh.image": { from: injected, value: "registry.example.com/sshd:2" },
    "ssh.port": { value: 2222 },
    ...resourcesTrials("ssh.resources", { from: sidecar }),
    "user.name": { value: "dev" },
    "user.uid": { value: 2000 },
    "user.gid": { value: 2000 },
    "user.shell": { from: injected, value: "/bin/zsh" },
    "pod.fsGroup": { value: 2000 },
    "pod.supplementalGroups": { value: [5000] },
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
    "home.size": { value: "2Gi" },
    "home.storageClassName": { value: "fast", verdict: "volume-lost harmless" },
    "home.accessMode": { value: "ReadWriteMany", verdict: "volume-lost harmless" },
    "home.claimName": { value: "older-home" },
    "persist.paths": { from: persisted, value: ["/opt/conda", "/srv/data"] },
    "persist.size": { from: persisted, value: "2Gi" },
    "persist.storageClassName": { from: persisted, value: "fast", verdict: "volume-lost harmless" },
    "persist.accessMode": { from: persisted, value: "ReadWriteMany", verdict: "volume-lost harmless" },
    "persist.claimName": { from: persisted, value: "older" },
    ...resourcesTrials("resources"),
    "resources.gpu.count": { from: gpu, value: 2 },
    "resources.gpu.resource": { from: gpu, value: "amd.com/gpu" },
    "resources.gpu.product": { from: gpu, value: "NVIDIA-A100" },
    "resources.sharedMemory": { value: "512Mi" },
    "resources.ephemeralStorage": { value: "4Gi" },
    ...schedulingTrials(),
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
    "pod.terminationGracePeriodSeconds": { value: 90 },
    wait: { value: false },
    "mounts[0].claimName": { from: mount, value: "other" },
    "mounts[0].mountPath": { from: mount, value: "/other" },
    "mounts[0].readOnly": { from: mount, value: true },
    "storage[0].from": { from: mounted, value: { ...storage, name: "other", claimName: "other-storage" } },
    "storage[0].mountPath": { from: mounted, value: "/other" },
    "storage[0].readOnly": { from: mounted, value: true },
    ...loginTrials("old/name"),
    ...sshTimingTrials,
    "pod.volumes[0]": { from: mountedVolumes, value: { name: "scratch", secret: { secretName: "git" } } },
    "volumeMounts[0].name": { from: mountedVolumes, value: "more", verdict: "restarts" },
    "volumeMounts[0].mountPath": { from: mountedVolumes, value: "/other", verdict: "restarts" },
    "volumeMounts[0].subPath": { from: mountedVolumes, value: "inner", verdict: "restarts" },
    "volumeMounts[0].readOnly": { from: mountedVolumes, value: true, verdict: "restarts" },
    "pod.initContainers[0]": { from: { pod: { initContainers: [helper] } }, value: withSecret },
    "pod.sidecars[0]": { from: { pod: { sidecars: [withSecret] } }, value: helper },
    ...podTrials(),
    patches: {
      value: { home: { spec: { volumeName: "somebody-elses" } } },
      verdict: "volume-borrowed volume-lost harmless",
    },
    ...accessTrials({ idle: {} }),
    ...frpTrials("own.ssh.example.com"),
    ...below("access.sshpod", subjectsTrials({ access: { sshpod: { groups: ["all"] } } })),
    "ports[0].name": { from: port, value: "api" },
    "ports[0].port": { from: port, value: 8081 },
    "ports[0].scheme": { from: primary, value: "https", verdict: "unchanged" },
    "ports[0].primary": { from: port, value: true },
    "ports[0].throughGateway": { from: port, value: true },
    "ingress[0].namespace": { from: peer, value: "other", verdict: "network-wall harmless loses" },
    "ingress[0].podLabels": { from: peer, value: { app: "b" }, verdict: "network-wall harmless loses" },
    "ingress[0].ports": { from: peer, value: [8080, 9090], verdict: "network-wall harmless loses" },
    "egress.internet": { value: false },
    "egress.hosts": { from: byName, value: ["git.example.com:22"] },
    "egress.gateway.version": { from: byName, value: 1, verdict: "unchanged" },
    "egress.gateway.name": { from: byName, value: "other", verdict: "cluster-rights restarts loses" },
    "egress.gateway.namespace": { from: byName, value: "other", verdict: "cluster-rights restarts loses" },
    "egress.deny": { value: ["203.0.113.0/24"] },
    "egress.allow[0].cidr": { from: allowed, value: "10.1.0.0/16" },
    "egress.allow[0].ports": { from: allowed, value: [444], verdict: "network-wall harmless loses" },
    "egress.dns": { value: ["10.0.0.53/32"], verdict: "network-wall harmless" },
    ...idleTrials,
  } satisfies Trials<typeof devContainerSchema, Terms | Parts>,
  parts: podParts,
  full: {
    ...{ ...mount, ...mounted, ...secret, ...persisted, ...bundle, ...proxy, ...primary, ...peer, ...gpu },
    ssh: { mode: "injected", image, port: 21, userCa: { keys: [alice], principals: ["alice"] } },
    access: {
      gateway: { ...sleeper.access.gateway, tlsPort: 443 },
      sshpod: { users: ["alice"] },
      frp: throughFrp.access.frp,
    },
    idle: {},
    egress: { ...allowed.egress, deny: ["192.0.2.1/32"], dns: ["10.0.0.53/32"] },
    startupScript: "#!/bin/sh\necho hello\n",
    secretEnv: { TOKEN: "a secret" },
    pod: { initContainers: [helper], sidecars: [{ ...withSecret, name: "beside" }] },
    serviceAccount: { create: true, token: true },
  },
};
