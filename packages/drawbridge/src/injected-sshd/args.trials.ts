import { containerBase, image } from "../host/base.trials.ts";
import { frpTrials, throughFrp } from "../host/frpc/args.trials.ts";
import { loginTrials, sshTimingTrials } from "../host/sshd/args.trials.ts";
import { accessTrials } from "../host/ways/access.trials.ts";
import { below, type Trials, type Tried } from "../kit/trials.fixture.ts";
import { subjectsTrials } from "../kubernetes/args.trials.ts";
import type { injectedSshdSchema } from "./args-checks.ts";

const app = { name: "app", image };
const podOf = (...containers: object[]) => ({ spec: { containers } });
const sshpod = { access: { sshpod: { groups: ["all"] } } };
const byName = {
  podName: "app-0",
  egress: { hosts: ["pypi.org"], gateway: { name: "egress", namespace: "egress" } },
};
const frp = frpTrials("injected.ssh.example.com");

export const InjectedSshd: Tried = {
  base: () => ({
    namespace: "team-a",
    podTemplate: podOf(app),
    ssh: { image },
    authorizedKeys: containerBase.authorizedKeys,
    hostKey: containerBase.hostKey,
    access: containerBase.access,
    networkPolicy: "allow-gateway",
  }),
  trials: {
    name: { value: "nb-renamed", verdict: "host-key-lost network-wall restarts loses" },
    namespace: { value: "team-b", verdict: "host-key-lost network-wall restarts gains loses" },
    podTemplate: {
      value: podOf({ ...app, securityContext: { privileged: true } }),
      verdict: "pod-privileges restarts",
    },
    containerName: { from: { podTemplate: podOf(app, { name: "other", image }) }, value: "other" },
    "ssh.image": { value: "registry.example.com/sshd:2" },
    "ssh.imagePullPolicy": { value: "Always" },
    "ssh.port": { value: 22 },
    ...sshTimingTrials,
    user: { value: { name: "dev", uid: 2000, gid: 2001, homePath: "/srv/dev", shell: "/bin/zsh" } },
    ...loginTrials("old/injected"),
    podName: { from: { podName: "app-0", ...sshpod }, value: "app-1" },
    "egress.hosts": { from: byName, value: ["git.example.com:22"] },
    "egress.gateway.version": { from: byName, value: 1, verdict: "unchanged" },
    "egress.gateway.name": { from: byName, value: "other", verdict: "cluster-rights restarts loses" },
    "egress.gateway.namespace": { from: byName, value: "other", verdict: "cluster-rights restarts loses" },
    networkPolicy: { value: "none", verdict: "network-wall harmless" },
    "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "network-wall harmless" },
    ...accessTrials(),
    ...below("access.sshpod", subjectsTrials({ podName: "app-0", ...sshpod })),
    ...frp,
    // Without a NetworkPolicy, which would lose its rule for frpc: that would be `network-wall` too.
    "access.frp.enabled": {
      ...frp["access.frp.enabled"],
      from: { networkPolicy: "none", ...frp["access.frp.enabled"].from },
    },
  } satisfies Trials<typeof injectedSshdSchema, "user">,
  full: {
    podTemplate: podOf(app, { name: "other", image }),
    containerName: "other",
    ...byName,
    podName: "app-0",
    ssh: { image, port: 21, userCa: { keys: containerBase.authorizedKeys, principals: ["alice"] } },
    access: { ...containerBase.access, ...throughFrp.access, ...sshpod.access },
    networkPolicy: "only-gateway",
  },
};
