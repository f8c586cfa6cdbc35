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
    to: { access: { frp: { customDomain: "routed.ssh.example.com" } } },
    verdict: "restarts",
  },
  name: { to: { name: "box-renamed" }, verdict: "network-wall harmless loses" },
  serviceName: { to: { serviceName: "other-box" } },
  port: { to: { port: 2022 } },
  targetPort: { from: { targetPort: 2022 }, to: { targetPort: 2023 } },
  userName: { to: { userName: "debian" }, verdict: "unchanged" },
  homePath: { to: { homePath: "/srv/box" }, verdict: "unchanged" },
  hostPublicKeys: { to: { hostPublicKeys: [bob] }, verdict: "unchanged" },
  podName: { from: { podName: "box-0", access: sshpod }, to: { podName: "box-1", access: sshpod } },
  podLabels: { to: { podLabels: { app: "another" } }, verdict: "network-wall harmless" },
  networkPolicy: { to: { networkPolicy: "none" }, verdict: "network-wall harmless" },
  "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "network-wall harmless" },
};
