import { alice, bob, containerBase } from "../host/base.trials.ts";
import { frpRouteTrials, throughExternalFrp, throughFrp } from "../host/frpc/args.trials.ts";
import { accessTrials } from "../host/ways/access.trials.ts";
import { below, type Trials, type Tried } from "../kit/trials.fixture.ts";
import { subjectsTrials } from "../kubernetes/args.trials.ts";
import type { sshRouteSchema } from "./args.ts";

const sshpod = { podName: "box-0", access: { sshpod: { groups: ["all"] } } };

export const SshRoute: Tried = {
  base: () => ({
    namespace: "team-a",
    serviceName: "box",
    userName: "ubuntu",
    hostPublicKeys: [alice],
    access: containerBase.access,
    networkPolicy: "allow-gateway",
    podLabels: { app: "box" },
  }),
  trials: {
    name: { value: "box-renamed", verdict: "network-wall harmless loses" },
    namespace: { value: "team-b", verdict: "network-wall harmless gains loses" },
    serviceName: { value: "other-box" },
    port: { value: 2022 },
    targetPort: { from: { targetPort: 2022 }, value: 2023 },
    userName: { value: "debian", verdict: "unchanged" },
    homePath: { value: "/srv/box", verdict: "unchanged" },
    // Of the pod with frpc, the only one.
    "pod.imagePullSecrets": { from: throughExternalFrp, value: ["registry"], verdict: "restarts" },
    hostPublicKeys: { value: [bob], verdict: "unchanged" },
    podName: { from: sshpod, value: "box-1" },
    podLabels: { value: { app: "another" }, verdict: "network-wall harmless" },
    networkPolicy: { value: "none", verdict: "network-wall harmless" },
    "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "network-wall harmless" },
    ...accessTrials(),
    ...below("access.sshpod", subjectsTrials(sshpod)),
    ...frpRouteTrials("routed.ssh.example.com"),
  } satisfies Trials<typeof sshRouteSchema>,
  full: {
    ...{ podName: "box-0", port: 2022, networkPolicy: "only-gateway" },
    access: {
      gateway: { ...containerBase.access.gateway, tlsPort: 443 },
      ...throughFrp.access,
      ...sshpod.access,
    },
  },
};
