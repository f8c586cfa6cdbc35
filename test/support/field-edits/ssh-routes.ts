import { alice, containerBase } from "./container-base.ts";
import { containerNetworkEdits } from "./container-network.ts";
import type { FieldEdits } from "./edit.ts";

/** What every route of the test has. */
export const routeBase = {
  namespace: "team-a",
  serviceName: "box",
  userName: "ubuntu",
  hostPublicKeys: [alice],
  access: containerBase.access,
};

/** What it has of a container's. */
const shared = Object.entries(containerNetworkEdits).filter(
  ([path]) =>
    /^access\.(gateway(?!\.idle)|allowIdentities|frp)/.test(path) &&
    !/^access\.frp\.(username|authorizedKeys|customDomain)/.test(path),
);
const podLabels = { app: "box" };

export const routeEdits: FieldEdits = {
  ...Object.fromEntries(shared.map(([path, edit]) => [path, { ...edit, verdict: "" }])),
  // No other of the test's programs has this one.
  "access.frp.customDomain": {
    ...containerNetworkEdits["access.frp.customDomain"],
    to: { access: { frp: { customDomain: "routed.ssh.example.com" } } },
    verdict: "",
  },
  name: { to: { name: "box-renamed" }, verdict: "" },
  port: { to: { port: 2022 }, verdict: "" },
  targetPort: { to: { targetPort: 2022, networkPolicy: "allow-gateway", podLabels }, verdict: "" },
  homePath: { to: { homePath: "/srv/box" }, verdict: "" },
  podName: { to: { podName: "box-0", access: { sshpod: { users: ["alice"], groups: ["a"] } } }, verdict: "" },
  networkPolicy: { to: { networkPolicy: "allow-gateway", podLabels }, verdict: "" },
  "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway", podLabels }, verdict: "" },
};
