import { containerBase, image } from "./container-base.ts";
import { containerEdits } from "./containers.ts";
import type { FieldEdits } from "./edit.ts";

const app = { name: "app", image };
const podOf = (...containers: object[]) => ({ spec: { containers } });

/** What every sshd of the test has. */
export const injectedBase = {
  namespace: "team-a",
  podTemplate: podOf(app),
  ssh: { image },
  authorizedKeys: containerBase.authorizedKeys,
  hostKey: containerBase.hostKey,
  access: containerBase.access,
  networkPolicy: "allow-gateway",
};
const sshpod = { sshpod: { users: ["alice"], groups: ["a"] } };

/** The edits of a container that apply to an injected sshd too. */
const shared = Object.entries(containerEdits).filter(
  ([path]) =>
    /^(hostKey|userCa|authorizedKeys|sessionsValidFrom|access)\b/.test(path) &&
    !/^access\.(sshpod|gateway\.idle|frp\.customDomain)/.test(path),
);

export const injectedEdits: FieldEdits = {
  ...Object.fromEntries(shared),
  // Without a NetworkPolicy, which would lose its rule for frpc: that would be `network-wall` too.
  "access.frp.enabled": {
    ...containerEdits["access.frp.enabled"],
    from: { networkPolicy: "none", ...containerEdits["access.frp.enabled"]?.from },
    value: false,
  },
  // A name that no other program of the test claims.
  "access.frp.customDomain": {
    ...containerEdits["access.frp.customDomain"],
    value: "injected.ssh.example.com",
  },
  // Nor another host's key.
  "hostKey.identity": { ...containerEdits["hostKey.identity"], value: "old/injected" },
  name: { value: "nb-renamed", verdict: "host-key-lost network-wall restarts loses" },
  podTemplate: {
    value: podOf({ ...app, securityContext: { privileged: true } }),
    verdict: "pod-privileges restarts",
  },
  containerName: { from: { podTemplate: podOf(app, { name: "other", image }) }, value: "other" },
  "ssh.imagePullPolicy": { value: "Always" },
  "ssh.port": { value: 22 },
  "ssh.loginGraceSeconds": { value: 60 },
  "ssh.maxStartups": { value: 300 },
  user: { value: { name: "dev", uid: 2000, gid: 2001, homePath: "/srv/dev", shell: "/bin/zsh" } },
  podName: { from: { podName: "app-0", access: sshpod }, value: "app-1" },
  networkPolicy: { value: "none", verdict: "network-wall harmless" },
  "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "network-wall harmless" },
};
