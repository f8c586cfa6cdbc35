import type { FieldEdits } from "./edit.ts";

const image = "registry.example.com/team/image:1.0.0";
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const jwks = '{"keys":[{"kty":"OKP"}]}';

/** What every storage of the test has, besides its name. */
export const storageBase = { namespace: "team-a", size: "1Gi" };

const alice = { user: "alice", password: "only-for-tests-alice" };
const open = { accessor: { proxy, credentials: [alice] } };
const accessorEdit = (change: object, verdict: string) => ({
  from: open,
  to: { accessor: { ...open.accessor, ...change } },
  verdict,
});
const jwt = { issuer: "https://id.example.com", jwks, values: ["team-a"] };
const jwtEdit = (change: object, verdict: string) => ({
  from: { accessor: { proxy, jwt } },
  to: { accessor: { proxy, jwt: { ...jwt, ...change } } },
  verdict,
});
const prepared = { prepare: { image, command: ["true"] } };
const prepareEdit = (change: object, verdict: string) => ({
  from: prepared,
  to: { prepare: { ...prepared.prepare, ...change } },
  verdict,
});
const other = { name: "other", namespace: "team-a", claim: "other-storage", nodeGroup: "work" };
const copied = { nodeGroup: "work", prepare: { image, copyFrom: other } };
const copyEdit = (change: object) => ({
  from: copied,
  to: { prepare: { image, copyFrom: { ...other, ...change } } },
  verdict: "unchanged",
});

const tolerant = (toleration: object) => ({
  tolerations: [{ key: "gpu", effect: "NoSchedule", ...toleration }],
});

export const storageEdits: FieldEdits = {
  name: { to: { name: "renamed" }, verdict: "volume-lost harmless" },
  size: { to: { size: "2Gi" }, verdict: "harmless" },
  storageClass: { to: { storageClass: "fast" }, verdict: "volume-lost harmless" },
  accessMode: { to: { accessMode: "ReadWriteMany" }, verdict: "volume-lost harmless" },
  claim: { from: open, to: { claim: "older-storage" }, verdict: "restarts gains loses" },
  "owner.uid": { from: open, to: { owner: { uid: 2000 } }, verdict: "restarts" },
  "owner.gid": { from: open, to: { owner: { gid: 2000 } }, verdict: "restarts" },
  nodeGroup: { from: open, to: { nodeGroup: "work" }, verdict: "restarts" },
  nodeSelector: { from: open, to: { nodeSelector: { pool: "big" } }, verdict: "restarts" },
  "tolerations[0].key": { from: open, to: tolerant({}), verdict: "restarts" },
  "tolerations[0].value": {
    from: { ...open, ...tolerant({}) },
    to: tolerant({ value: "a" }),
    verdict: "restarts",
  },
  "tolerations[0].effect": {
    from: { ...open, ...tolerant({}) },
    to: tolerant({ effect: "NoExecute" }),
    verdict: "restarts",
  },
  "prepare.image": prepareEdit({ image: "registry.example.com/team/image:2.0.0" }, "unchanged"),
  "prepare.imagePullPolicy": prepareEdit({ imagePullPolicy: "Always" }, "unchanged"),
  "prepare.command": prepareEdit({ command: ["false"] }, "unchanged"),
  "prepare.args": prepareEdit({ args: ["more"] }, "unchanged"),
  "prepare.environment": prepareEdit({ environment: { STAGE: "test" } }, "unchanged"),
  "prepare.copyFrom.name": copyEdit({ name: "another" }),
  "prepare.copyFrom.namespace": {
    // Only a storage of the same namespace can be copied, so both move.
    from: copied,
    to: { namespace: "team-b", prepare: { image, copyFrom: { ...other, namespace: "team-b" } } },
    verdict: "volume-lost harmless",
  },
  "prepare.copyFrom.claim": copyEdit({ claim: "another-storage" }),
  "prepare.copyFrom.accessMode": copyEdit({ accessMode: "ReadWriteMany" }),
  "prepare.copyFrom.nodeGroup": {
    from: copied,
    to: { nodeGroup: "play", prepare: { image, copyFrom: { ...other, nodeGroup: "play" } } },
    verdict: "unchanged",
  },
  "prepare.copyFrom.gid": {
    from: copied,
    to: { owner: { gid: 2000 }, prepare: { image, copyFrom: { ...other, gid: 2000 } } },
    verdict: "unchanged",
  },
  "prepare.mountPath": prepareEdit({ mountPath: "/data" }, "unchanged"),
  // Another Job; the old one goes. The volume stays.
  "prepare.revision": prepareEdit({ revision: "2" }, "harmless"),
  "prepare.timeLimitSeconds": prepareEdit({ timeLimitSeconds: 60 }, "unchanged"),
  "prepare.attempts": prepareEdit({ attempts: 1 }, "unchanged"),
  "prepare.resources.requests": prepareEdit({ resources: { requests: { cpu: "1" } } }, "unchanged"),
  "prepare.resources.limits": prepareEdit({ resources: { limits: { memory: "1Gi" } } }, "unchanged"),
  "accessor.enabled": accessorEdit({ enabled: false }, "restarts"),
  "accessor.proxy.name": accessorEdit({ proxy: { ...proxy, name: "files2" } }, "network-wall harmless loses"),
  "accessor.proxy.namespace": accessorEdit(
    { proxy: { ...proxy, namespace: "files2" } },
    "network-wall harmless loses",
  ),
  "accessor.proxy.mode": accessorEdit(
    { proxy: { ...proxy, mode: "istio", host: "files.example.com" } },
    "harmless gains",
  ),
  "accessor.proxy.scheme": accessorEdit({ proxy: { ...proxy, scheme: "https" } }, "unchanged"),
  "accessor.proxy.port": accessorEdit({ proxy: { ...proxy, port: 8080 } }, "unchanged"),
  "accessor.proxy.host": accessorEdit({ proxy: { ...proxy, host: "files.example.com" } }, "unchanged"),
  "accessor.proxy.address": accessorEdit({ proxy: { ...proxy, address: "192.0.2.10" } }, "unchanged"),
  "accessor.allow": accessorEdit({ allow: ["search"] }, "restarts"),
  "accessor.credentials[0].user": accessorEdit(
    { credentials: [{ ...alice, user: "bob" }] },
    "restarts gains loses",
  ),
  "accessor.credentials[0].password": accessorEdit(
    { credentials: [{ ...alice, password: "only-for-tests-other" }] },
    "restarts",
  ),
  "accessor.credentials[0].write": accessorEdit(
    { credentials: [{ ...alice, write: true }], allow: ["upload"] },
    "write-credential restarts gains",
  ),
  "accessor.jwt.issuer": jwtEdit({ issuer: "https://other.example.com" }, "foreign-ca restarts"),
  "accessor.jwt.audiences": jwtEdit({ audiences: ["files"] }, "restarts"),
  "accessor.jwt.jwks": jwtEdit({ jwks: '{"keys":[{"kty":"RSA"}]}' }, "foreign-ca restarts"),
  "accessor.jwt.claim": jwtEdit({ claim: "groups" }, "foreign-ca restarts"),
  "accessor.jwt.values": jwtEdit({ values: ["team-a", "team-b"] }, "restarts gains"),
  "accessor.jwt.write": {
    from: { accessor: { proxy, jwt, allow: ["upload"], credentials: [{ ...alice, write: true }] } },
    to: { accessor: { jwt: { ...jwt, write: true } } },
    verdict: "write-credential restarts",
  },
  "accessor.image": accessorEdit({ image: "registry.example.com/dufs:2" }, "restarts"),
  "accessor.guardImage": {
    from: { accessor: { proxy, jwt } },
    to: { accessor: { guardImage: "registry.example.com/envoy:2" } },
    verdict: "restarts",
  },
  "accessor.imagePullPolicy": accessorEdit({ imagePullPolicy: "Always" }, "restarts"),
  "accessor.resources.requests": accessorEdit({ resources: { requests: { cpu: "1" } } }, "restarts"),
  "accessor.resources.limits": accessorEdit({ resources: { limits: { memory: "1Gi" } } }, "restarts"),
  wait: { to: { wait: false }, verdict: "unchanged" },
};
