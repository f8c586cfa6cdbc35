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
};

/** What it has of a container's. */
const shared = Object.entries(containerEdits).filter(
  ([path]) =>
    /^(hostKey|userCa|authorizedKeys|access)\b/.test(path) &&
    !/^access\.(sshpod|gateway\.idle|frp\.customDomain)/.test(path),
);

export const injectedEdits: FieldEdits = {
  ...Object.fromEntries(shared.map(([path, edit]) => [path, { ...edit, verdict: "" }])),
  // No other of the test's programs has this one.
  "access.frp.customDomain": {
    ...containerEdits["access.frp.customDomain"],
    to: { access: { frp: { customDomain: "injected.ssh.example.com" } } },
    verdict: "",
  },
  name: { to: { name: "nb-renamed" }, verdict: "" },
  podTemplate: {
    to: {
      podTemplate: { metadata: { labels: { app: "a" } }, spec: { ...podTemplate.spec, hostUsers: false } },
    },
    verdict: "",
  },
  containerName: { to: { containerName: "app" }, verdict: "" },
  "ssh.imagePullPolicy": { to: { ssh: { ...ssh, imagePullPolicy: "Always" } }, verdict: "" },
  "ssh.port": { to: { ssh: { ...ssh, port: 22 } }, verdict: "" },
  "ssh.loginGraceSeconds": { to: { ssh: { ...ssh, loginGraceSeconds: 60 } }, verdict: "" },
  "ssh.maxStartups": { to: { ssh: { ...ssh, maxStartups: 300 } }, verdict: "" },
  user: {
    to: { user: { name: "dev", uid: 2000, gid: 2001, homePath: "/srv/dev", shell: "/bin/zsh" } },
    verdict: "",
  },
  podName: { to: { podName: "app-0", access: { sshpod: { users: ["alice"], groups: ["a"] } } }, verdict: "" },
  networkPolicy: { to: { networkPolicy: "allow-gateway" }, verdict: "" },
  "networkPolicy only-gateway": { to: { networkPolicy: "only-gateway" }, verdict: "" },
};
