import type { Trial, Trials, Tried } from "../kit/trials.fixture.ts";
import { podMaps, podTrials } from "../kubernetes/args.trials.ts";
import { resourcesTrials } from "../kubernetes/resources.trials.ts";
import { schedulingTrials, type Terms } from "../kubernetes/scheduling.trials.ts";
import type { storageAccessorSchema } from "./args-checks.ts";

const image = "registry.example.com/team/image:1.0.0";
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const jwks = '{"keys":[{"kty":"OKP"}]}';
const alice = { user: "alice", password: "only-for-tests-alice" };
const open = { browse: { proxy, credentials: [alice] } };
const browse = (value: unknown, verdict: string): Trial => ({ from: open, value, verdict });
const jwt = { issuer: "https://id.example.com", jwks, values: ["team-a"] };
const tokens = { browse: { proxy, jwt } };
const token = (value: unknown, verdict: string): Trial => ({ from: tokens, value, verdict });
const prepared = { prepare: { image, command: ["true"] } };
const prepare = (value: unknown, verdict = "unchanged"): Trial => ({ from: prepared, value, verdict });
const other = { name: "other", namespace: "team-a", claimName: "other-storage", colocationGroup: "work" };
const copied = { colocationGroup: "work", prepare: { image, copyFrom: other } };
const copy = (value: unknown): Trial => ({ from: copied, value, verdict: "unchanged" });

export const StorageAccessor: Tried = {
  base: () => ({ namespace: "team-a", size: "1Gi" }),
  trials: {
    name: { value: "renamed", verdict: "volume-lost harmless" },
    namespace: { value: "team-b", verdict: "volume-lost harmless gains" },
    size: { value: "2Gi" },
    storageClassName: { value: "fast", verdict: "volume-lost harmless" },
    accessMode: { value: "ReadWriteMany", verdict: "volume-lost harmless" },
    claimName: { from: open, value: "older-storage" },
    "owner.uid": { from: open, value: 2000 },
    "owner.gid": { from: open, value: 2000 },
    colocationGroup: { from: open, value: "work" },
    ...schedulingTrials(open),
    ...podTrials(open),
    "prepare.image": prepare("registry.example.com/team/image:2.0.0"),
    "prepare.imagePullPolicy": prepare("Always"),
    "prepare.command": prepare(["false"]),
    "prepare.args": prepare(["more"]),
    "prepare.env": prepare({ STAGE: "test" }),
    "prepare.secretEnv": prepare({ TOKEN: "a secret" }, "harmless"),
    "prepare.copyFrom.version": copy(1),
    "prepare.copyFrom.name": copy("another"),
    "prepare.copyFrom.namespace": {
      // Only a storage of the same namespace can be copied, so both move.
      from: copied,
      to: { namespace: "team-b", prepare: { copyFrom: { namespace: "team-b" } } },
      verdict: "volume-lost harmless gains",
    },
    "prepare.copyFrom.claimName": copy("another-storage"),
    "prepare.copyFrom.accessMode": copy("ReadWriteMany"),
    "prepare.copyFrom.colocationGroup": {
      from: copied,
      to: { colocationGroup: "play", prepare: { copyFrom: { colocationGroup: "play" } } },
      verdict: "unchanged",
    },
    "prepare.copyFrom.gid": {
      from: copied,
      to: { owner: { gid: 2000 }, prepare: { copyFrom: { gid: 2000 } } },
      verdict: "unchanged",
    },
    "prepare.mountPath": prepare("/data"),
    // A new Job replaces the old one; the volume stays.
    "prepare.revision": prepare("2", "write-credential harmless"),
    "prepare.activeDeadlineSeconds": prepare(60),
    "prepare.backoffLimit": prepare(0),
    ...resourcesTrials("prepare.resources", { from: prepared, verdict: "unchanged" }),
    "browse.enabled": browse(false, "restarts loses"),
    "browse.proxy.name": browse("files2", "network-wall harmless loses"),
    "browse.proxy.namespace": browse("files2", "network-wall harmless loses"),
    "browse.proxy.version": browse(1, "unchanged"),
    "browse.address": browse("192.0.2.10", "unchanged"),
    "browse.proxy.scheme": browse("https", "unchanged"),
    "browse.proxy.port": browse(8080, "unchanged"),
    "browse.proxy.dnsName": browse("files.example.com", "unchanged"),
    "browse.proxy.address": browse("192.0.2.10", "unchanged"),
    "browse.actions": browse(["search"], "restarts gains"),
    "browse.credentials[0].user": browse("bob", "restarts gains loses"),
    "browse.credentials[0].password": browse("only-for-tests-other", "restarts"),
    "browse.credentials[0].write": {
      from: open,
      to: { browse: { credentials: [{ ...alice, write: true }], actions: ["upload"] } },
      verdict: "write-credential restarts gains",
    },
    "browse.jwt.issuer": token("https://other.example.com", "foreign-ca restarts"),
    "browse.jwt.audiences": token(["files"], "restarts loses"),
    "browse.jwt.jwks": token('{"keys":[{"kty":"RSA"}]}', "foreign-ca restarts"),
    "browse.jwt.claim": token("groups", "foreign-ca restarts"),
    "browse.jwt.values": token(["team-a", "team-b"], "restarts gains"),
    "browse.jwt.write": {
      from: { browse: { proxy, jwt, actions: ["upload"], credentials: [{ ...alice, write: true }] } },
      value: true,
      verdict: "write-credential restarts",
    },
    "browse.image": browse("registry.example.com/dufs:2", "restarts"),
    "browse.jwt.image": token("registry.example.com/envoy:2", "restarts"),
    "browse.imagePullPolicy": browse("Always", "restarts"),
    ...resourcesTrials("browse.resources", { from: open }),
    wait: { value: false, verdict: "unchanged" },
  } satisfies Trials<typeof storageAccessorSchema, Terms>,
  full: {
    ...{ colocationGroup: "work", wait: false },
    browse: {
      proxy,
      jwt,
      actions: ["upload"],
      credentials: [
        { ...alice, write: true },
        { user: "bob", password: "only-for-tests-bob" },
      ],
    },
    prepare: { image, command: ["true"], secretEnv: { TOKEN: "a secret" } },
  },
  parts: { maps: { to: { ...podMaps, prepare: { image, env: { STAGE: "test", LEVEL: "2" } } } } },
};
