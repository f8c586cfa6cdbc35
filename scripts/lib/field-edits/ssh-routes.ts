import { alice, bob, containerBase } from "./container-base.ts";
import { containerNetworkEdits } from "./container-network.ts";
import type { FieldEdits } from "./edit.ts";

/** What every route of the test has. */
export const routeBase = {
  namespace: "team-a",
  serviceName: "box",
  userName: "ubuntu",
  hostPublicKeys: [alice],
  access: containerBase.access,
  networkPolicy: "allow-gateway",
  podLabels: { app: "box" },
};

/** The edits of a container that apply to a route too. */
const shared = Object.entries(containerNetworkEdits).flatMap(([path, edit]) => {
  const isShared = /^access\.(gateway(?!\.idle)|allowIdentities|frp)/.test(path);
  if (!isShared || /^access\.frp\.(username|authorizedKeys|customDomain)/.test(path)) return [];
  // A route's frpc has a pod to itself, which is replaced when its files change.
  const verdict = path.startsWith("access.frp.")
    ? edit.verdict?.replace(/^(route-wall )?harmless/, "$1restarts")
    : edit.verdict;
  return [[path, { ...edit, ...(verdict !== undefined && { verdict }) }] as const];
});
const sshpod = { sshpod: { users: ["alice"], groups: ["a"] } };

export const routeEdits: FieldEdits = {
  ...Object.fromEntries(shared),
  // A name that no other program of the test claims.
  "access.frp.customDomain": {
    ...containerNetworkEdits["access.frp.customDomain"],
    value: "routed.ssh.example.com",
    verdict: "restarts",
  },
  name: { value: "box-renamed", verdict: "network-wall harmless loses" },
  serviceName: { value: "other-box" },
  port: { value: 2022 },
  targetPort: { from: { targetPort: 2022 }, value: 2023 },
  userName: { value: "debian", verdict: "unchanged" },
  homePath: { value: "/srv/box", verdict: "unchanged" },
  // Of the pod with frpc, the only one.
  imagePullSecrets: {
    ...containerNetworkEdits["access.frp.external.domain"],
    value: ["registry"],
    verdict: "restarts",
  },
  hostPublicKeys: { value: [bob], verdict: "unchanged" },
  podName: { from: { podName: "box-0", access: sshpod }, value: "box-1" },
  podLabels: { value: { app: "another" }, verdict: "network-wall harmless" },
  networkPolicy: { value: "none", verdict: "network-wall harmless" },
  "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "network-wall harmless" },
};
