import type { FieldEdits } from "./edit.ts";
import { podMetadataEdits } from "./pod-metadata.ts";
import { resourcesEdits, schedulingEdits } from "./scheduling.ts";

const image = "registry.example.com/team/image:1.0.0";
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const istio = { ...proxy, mode: "istio", dnsName: "files.example.com" };
const jwks = '{"keys":[{"kty":"OKP"}]}';

/** What every storage of the test has, besides its name. */
export const storageBase = { namespace: "team-a", size: "1Gi" };

const alice = { user: "alice", password: "only-for-tests-alice" };
const open = { browse: { proxy, credentials: [alice] } };
const browseEdit = (change: object, verdict: string) => ({
  from: open,
  to: { browse: { ...open.browse, ...change } },
  verdict,
});
const jwt = { issuer: "https://id.example.com", jwks, values: ["team-a"] };
const jwtEdit = (change: object, verdict: string) => ({
  from: { browse: { proxy, jwt } },
  to: { browse: { proxy, jwt: { ...jwt, ...change } } },
  verdict,
});
const prepared = { prepare: { image, command: ["true"] } };
const prepareEdit = (change: object, verdict: string) => ({
  from: prepared,
  to: { prepare: { ...prepared.prepare, ...change } },
  verdict,
});
const other = { name: "other", namespace: "team-a", claimName: "other-storage", colocationGroup: "work" };
const copied = { colocationGroup: "work", prepare: { image, copyFrom: other } };
const copyEdit = (change: object) => ({
  from: copied,
  to: { prepare: { image, copyFrom: { ...other, ...change } } },
  verdict: "unchanged",
});

export const storageEdits: FieldEdits = {
  name: { to: { name: "renamed" }, verdict: "volume-lost harmless" },
  size: { to: { size: "2Gi" } },
  storageClassName: { to: { storageClassName: "fast" }, verdict: "volume-lost harmless" },
  accessMode: { to: { accessMode: "ReadWriteMany" }, verdict: "volume-lost harmless" },
  claimName: { from: open, to: { claimName: "older-storage" } },
  "owner.uid": { from: open, to: { owner: { uid: 2000 } } },
  "owner.gid": { from: open, to: { owner: { gid: 2000 } } },
  colocationGroup: { from: open, to: { colocationGroup: "work" } },
  ...schedulingEdits(open),
  ...podMetadataEdits(open),
  "prepare.image": prepareEdit({ image: "registry.example.com/team/image:2.0.0" }, "unchanged"),
  "prepare.imagePullPolicy": prepareEdit({ imagePullPolicy: "Always" }, "unchanged"),
  "prepare.command": prepareEdit({ command: ["false"] }, "unchanged"),
  "prepare.args": prepareEdit({ args: ["more"] }, "unchanged"),
  "prepare.env": prepareEdit({ env: { STAGE: "test" } }, "unchanged"),
  "prepare.secretEnv": prepareEdit({ secretEnv: { TOKEN: "a secret" } }, "harmless"),
  "prepare.copyFrom.version": copyEdit({ version: 1 }),
  "prepare.copyFrom.name": copyEdit({ name: "another" }),
  "prepare.copyFrom.namespace": {
    // Only a storage of the same namespace can be copied, so both move.
    from: copied,
    to: { namespace: "team-b", prepare: { image, copyFrom: { ...other, namespace: "team-b" } } },
    verdict: "volume-lost harmless",
  },
  "prepare.copyFrom.claimName": copyEdit({ claimName: "another-storage" }),
  "prepare.copyFrom.accessMode": copyEdit({ accessMode: "ReadWriteMany" }),
  "prepare.copyFrom.colocationGroup": {
    from: copied,
    to: { colocationGroup: "play", prepare: { image, copyFrom: { ...other, colocationGroup: "play" } } },
    verdict: "unchanged",
  },
  "prepare.copyFrom.gid": {
    from: copied,
    to: { owner: { gid: 2000 }, prepare: { image, copyFrom: { ...other, gid: 2000 } } },
    verdict: "unchanged",
  },
  "prepare.mountPath": prepareEdit({ mountPath: "/data" }, "unchanged"),
  // A new Job replaces the old one; the volume stays.
  "prepare.revision": prepareEdit({ revision: "2" }, "write-credential harmless"),
  "prepare.activeDeadlineSeconds": prepareEdit({ activeDeadlineSeconds: 60 }, "unchanged"),
  "prepare.backoffLimit": prepareEdit({ backoffLimit: 0 }, "unchanged"),
  ...resourcesEdits("prepare.resources", (resources) => ({ prepare: { resources } }), {
    from: prepared,
    verdict: "unchanged",
  }),
  "browse.enabled": browseEdit({ enabled: false }, "restarts loses"),
  "browse.proxy.name": browseEdit({ proxy: { ...proxy, name: "files2" } }, "network-wall harmless loses"),
  "browse.proxy.namespace": browseEdit(
    { proxy: { ...proxy, namespace: "files2" } },
    "network-wall harmless loses",
  ),
  "browse.proxy.version": browseEdit({ proxy: { ...proxy, version: 1 } }, "unchanged"),
  "browse.proxyAddress": browseEdit({ proxyAddress: "192.0.2.10" }, "unchanged"),
  // The mode of the storage and that of the proxy change together.
  "browse.mode": browseEdit({ mode: "istio", proxy: istio }, "harmless gains"),
  "browse.proxy.mode": browseEdit({ mode: "istio", proxy: istio }, "harmless gains"),
  "browse.proxy.scheme": browseEdit({ proxy: { ...proxy, scheme: "https" } }, "unchanged"),
  "browse.proxy.port": browseEdit({ proxy: { ...proxy, port: 8080 } }, "unchanged"),
  "browse.proxy.dnsName": browseEdit({ proxy: { ...proxy, dnsName: "files.example.com" } }, "unchanged"),
  "browse.proxy.address": browseEdit({ proxy: { ...proxy, address: "192.0.2.10" } }, "unchanged"),
  "browse.actions": browseEdit({ actions: ["search"] }, "restarts"),
  "browse.credentials[0].user": browseEdit(
    { credentials: [{ ...alice, user: "bob" }] },
    "restarts gains loses",
  ),
  "browse.credentials[0].password": browseEdit(
    { credentials: [{ ...alice, password: "only-for-tests-other" }] },
    "restarts",
  ),
  "browse.credentials[0].write": browseEdit(
    { credentials: [{ ...alice, write: true }], actions: ["upload"] },
    "write-credential restarts",
  ),
  "browse.jwt.issuer": jwtEdit({ issuer: "https://other.example.com" }, "foreign-ca restarts"),
  "browse.jwt.audiences": jwtEdit({ audiences: ["files"] }, "restarts loses"),
  "browse.jwt.jwks": jwtEdit({ jwks: '{"keys":[{"kty":"RSA"}]}' }, "foreign-ca restarts"),
  "browse.jwt.claim": jwtEdit({ claim: "groups" }, "foreign-ca restarts"),
  "browse.jwt.values": jwtEdit({ values: ["team-a", "team-b"] }, "restarts gains"),
  "browse.jwt.write": {
    from: { browse: { proxy, jwt, actions: ["upload"], credentials: [{ ...alice, write: true }] } },
    to: { browse: { jwt: { ...jwt, write: true } } },
    verdict: "write-credential restarts",
  },
  "browse.image": browseEdit({ image: "registry.example.com/dufs:2" }, "restarts"),
  "browse.jwt.image": jwtEdit({ image: "registry.example.com/envoy:2" }, "restarts"),
  "browse.imagePullPolicy": browseEdit({ imagePullPolicy: "Always" }, "restarts"),
  ...resourcesEdits("browse.resources", (resources) => ({ browse: { resources } }), { from: open }),
  wait: { to: { wait: false }, verdict: "unchanged" },
};
