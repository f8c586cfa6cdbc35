import { containerBase, image } from "./container-base.ts";
import { containerEdits } from "./containers.ts";
import type { FieldEdits } from "./edit.ts";

const ssh = { image };
const podTemplate = { spec: { containers: [{ name: "app", image }] } };

/** What every sshd of the test has. */
export const injectedBase = {
  namespace: "team-a",
  podTemplate,
  ssh,
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
    to: { access: { frp: { enabled: false } } },
  },
  // A name that no other program of the test claims.
  "access.frp.customDomain": {
    ...containerEdits["access.frp.customDomain"],
    to: { access: { frp: { customDomain: "injected.ssh.example.com" } } },
  },
  name: { to: { name: "nb-renamed" }, verdict: "host-key-lost network-wall restarts loses" },
  podTemplate: {
    to: {
      podTemplate: { spec: { containers: [{ name: "app", image, securityContext: { privileged: true } }] } },
    },
    verdict: "pod-privileges restarts",
  },
  containerName: {
    from: {
      podTemplate: {
        spec: {
          containers: [
            { name: "app", image },
            { name: "other", image },
          ],
        },
      },
    },
    to: { containerName: "other" },
  },
  "ssh.imagePullPolicy": { to: { ssh: { ...ssh, imagePullPolicy: "Always" } } },
  "ssh.port": { to: { ssh: { ...ssh, port: 22 } } },
  "ssh.loginGraceSeconds": { to: { ssh: { ...ssh, loginGraceSeconds: 60 } } },
  "ssh.maxStartups": { to: { ssh: { ...ssh, maxStartups: 300 } } },
  user: { to: { user: { name: "dev", uid: 2000, gid: 2001, homePath: "/srv/dev", shell: "/bin/zsh" } } },
  podName: {
    from: { podName: "app-0", access: sshpod },
    to: { podName: "app-1", access: sshpod },
  },
  networkPolicy: { to: { networkPolicy: "none" }, verdict: "network-wall harmless" },
  "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "network-wall harmless" },
};
