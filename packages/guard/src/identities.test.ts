/** Host keys and tokens of others: by what they are derived for, and by what they show of themselves. */
import { publicKeysAnnotation } from "@drawbridge-iac/drawbridge/src/host/sshd/files";
import { alice, areStopped, bob, container, dev, type Hiding, hidings, injected } from "./attacks.fixture.ts";
import type { Change } from "./change.ts";
import { edited } from "./sample.fixture.ts";
import { at, unknownText } from "./values.ts";

const seed = "[secret]";
const keyOf = (identity?: string, more: object = {}) => ({ hostKey: { seed, identity, ...more } });
type Args = Change["after"];
const host = (name: string, before: object | undefined, after: object | undefined) =>
  edited(
    "DevContainer",
    name,
    before && ({ ...container, ...before } as Args),
    after && ({ ...container, ...after } as Args),
  );
const dev1 = dev({});
const leaves = host("dev1", {}, undefined);
/** A rename takes the home along too. */
const renamed = { home: { claimName: "dev1-home" } };

/** The same, with what the preview shows of its keys. */
const showing = (changes: Change[], keys: string, side: "before" | "after" = "after"): Change[] =>
  changes.map((one) =>
    one.type.endsWith(":Secret") && one[side] && one.urn.endsWith("-host-key")
      ? {
          ...one,
          [side]: {
            ...one[side],
            metadata: {
              ...Object(one[side]?.metadata),
              annotations: {
                ...Object(at(one[side], "metadata", "annotations")),
                [publicKeysAnnotation]: keys,
              },
            },
          },
        }
      : one,
  );
const both = (changes: Change[], keys: string) => showing(showing(changes, keys), keys, "before");

const taken = (hiding: readonly Change[], twin: readonly Change[], says = "hostKey.identity"): Hiding => ({
  hiding,
  ends: [1, "secret-taken", says],
  twin,
});

const attacks: Readonly<Record<string, Hiding>> = {
  "a new container with the key of another": taken(
    [...dev1, ...host("dev3", undefined, keyOf("team-a/dev1"))],
    [...dev1, ...host("dev3", undefined, keyOf("team-a/dev3/east"))],
    "team-a/dev1, which is what the host key of dev1 is derived for",
  ),
  "one that takes it later": taken(
    [...dev1, ...host("dev3", {}, keyOf("team-a/dev1"))],
    [
      ...dev1,
      ...host("dev3", keyOf("team-a/dev1"), { ...keyOf("team-a/dev1"), resources: { memory: "4Gi" } }),
    ],
  ),
  "an earlier or a coming key of another": taken(
    [...dev1, ...host("dev3", undefined, keyOf("team-a/dev1", { generation: 7 }))],
    [...dev1, ...host("dev3", undefined, keyOf(undefined, { generation: 7 }))],
  ),
  "the next key of another": taken(
    [...dev1, ...host("dev3", undefined, keyOf("team-a/dev1", { next: { seed, generation: 2 } }))],
    [...dev1, ...host("dev3", undefined, keyOf(undefined, { next: { seed, generation: 2 } }))],
  ),
  "the key of another stack's container": taken(
    host("dev3", undefined, keyOf("team-b/db")),
    [...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed })],
    "team-b/db, which no host of team-a leaves in this preview",
  ),
  "a name that only begins like its own": taken(
    host("dev1", undefined, keyOf("team-a/dev10")),
    host("dev10", undefined, keyOf("team-a/dev10")),
  ),
  "a name above its own": taken(
    host("dev3", undefined, keyOf("team-a")),
    host("dev3", undefined, keyOf("team-a/dev3")),
  ),
  "two that take the key of one who leaves": taken(
    [
      ...leaves,
      ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed }),
      ...host("dev4", undefined, keyOf("team-a/dev1")),
    ],
    [...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed })],
  ),
  "one who leaves another namespace": taken(
    [...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), namespace: "team-b" })],
    [...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed })],
  ),
  "one who only changes its own identity": taken(
    [
      ...host("dev1", keyOf("team-a/old"), keyOf("team-a/old")),
      ...host("dev3", undefined, keyOf("team-a/old")),
    ],
    [
      ...host("dev1", keyOf("team-a/old"), undefined),
      ...host("dev3", undefined, { ...keyOf("team-a/old"), ...renamed }),
    ],
  ),
  "one that comes back, and whose key another has": taken(
    [...host("dev3", keyOf("team-a/dev1"), keyOf("team-a/dev1")), ...host("dev1", undefined, {})],
    [...host("dev3", keyOf("team-a/dev1"), keyOf("team-a/dev1")), ...host("dev4", undefined, {})],
    "its host key is that of dev3",
  ),
  "an InjectedSshd with the key of a container": taken(
    [...dev1, ...edited("InjectedSshd", "box", undefined, { ...injected, ...keyOf("team-a/dev1") })],
    [...dev1, ...edited("InjectedSshd", "box", undefined, { ...injected, ...keyOf("team-a/box/1") })],
  ),
  "a container with the key of an InjectedSshd": taken(
    [...edited("InjectedSshd", "box", injected, injected), ...host("dev3", undefined, keyOf("team-a/box"))],
    [...edited("InjectedSshd", "box", injected, injected), ...host("dev3", undefined, {})],
  ),
  "a name that is set": taken(
    [...dev1, ...host("dev3", undefined, { name: "dev9", ...keyOf("team-a/dev3") })],
    [...dev1, ...host("dev3", undefined, { name: "dev9", ...keyOf("team-a/dev9") })],
  ),
  "the private key of another": taken(
    [...both(dev1, alice), ...showing(host("dev3", undefined, { hostKey: { privateKey: seed } }), alice)],
    [...both(dev1, alice), ...showing(host("dev3", undefined, { hostKey: { privateKey: seed } }), bob)],
    "its host key is that of dev1",
  ),
  "the next private key of another": taken(
    [...both(dev1, `${alice}\n${bob}`), ...showing(host("dev3", undefined, {}), bob)],
    [...both(dev1, `${bob}\n${alice}`), ...showing(host("dev1", {}, {}), `${bob}\n${alice}`)],
    "its host key is that of dev1",
  ),
  "a key that another has until this preview": taken(
    [
      ...showing(showing(host("dev1", {}, keyOf(undefined, { generation: 2 })), alice, "before"), bob),
      ...showing(host("dev3", undefined, {}), alice),
    ],
    both(dev1, alice),
    "its host key is that of dev1",
  ),
};

const frp = {
  access: {
    frp: {
      address: "192.0.2.8",
      server: {
        serverAddr: "frp.frp.svc.cluster.local",
        domain: "ssh.example.com",
        caBundle: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
        authorizer: { namespace: "frp", serviceAccountName: "frp" },
      },
    },
  },
};
const hash = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
/** The same, with the hash of its token, as an authorizer may know it. */
const granting = (changes: Change[], tokenSha256: string): Change[] =>
  changes.map((one) =>
    one.urn.endsWith("-frp-grant")
      ? { ...one, after: { ...one.after, data: { ...Object(one.after?.data), tokenSha256 } } }
      : one,
  );

const granted: Readonly<Record<string, Hiding>> = {
  "the token of another's frpc": taken(
    [...granting(host("dev1", frp, frp), hash), ...granting(host("dev3", undefined, frp), hash)],
    [
      ...granting(host("dev1", frp, frp), hash),
      ...granting(host("dev3", undefined, frp), hash.replace("5", "6")),
    ],
    "its frp token is that of dev1",
  ),
};

const server = {
  domain: "ssh.example.com",
  seed,
  authorizer: { image: "registry.example.com/programs:1" },
  egress: { apiServer: [] },
  loadBalancer: { preset: "gke" },
};
const route = {
  namespace: "team-a",
  serviceName: "box",
  userName: "ubuntu",
  hostPublicKeys: [alice],
  access: { frp: { ...frp.access.frp, token: seed } },
};
const madeTwice = (hiding: readonly Change[], twin: readonly Change[], says: string): Hiding => ({
  hiding,
  ends: [1, "foreign-change", says],
  twin,
});

/** A name under which something is derived by default is that of objects too. */
const names: Readonly<Record<string, Hiding>> = {
  "the name of another container": madeTwice(
    [...dev1, ...host("dev3", undefined, { name: "dev1" })],
    [...dev1, ...host("dev3", undefined, {})],
    "is made by dev1 too",
  ),
  "the name of a container, for a route through frp": madeTwice(
    [...host("dev1", frp, frp), ...edited("SshRoute", "route", undefined, { ...route, name: "dev1" })],
    [...host("dev1", frp, frp), ...edited("SshRoute", "route", undefined, route)],
    "is made by dev1 too",
  ),
  "the name of another frp server": madeTwice(
    [
      ...edited("FrpServer", "frp", server, server),
      ...edited("FrpServer", "two", server, { ...server, name: "frp" }),
    ],
    [...edited("FrpServer", "frp", server, server), ...edited("FrpServer", "two", server, server)],
    "is made by frp too",
  ),
};

/** What no argument can be read of, or is seen. */
const unseen = hidings`
  an identity that is known later
    ${[...dev1, ...host("dev3", undefined, keyOf(unknownText))]}
    2 unknown-value: hostKey.identity
    ${[...dev1, ...host("dev3", undefined, {})]}
  a generation in an identity
    ${[...dev1, ...host("dev3", undefined, {})].map((one) => (one.name === "dev3" ? { ...one, after: { ...one.after, ...keyOf("team-a/dev1#2") } } : one))}
    2 unknown-value: hostKey.identity
    ${[...dev1, ...host("dev3", undefined, {})]}
  an identity that is hidden
    ${[...dev1, ...host("dev3", undefined, keyOf("[secret]"))]}
    2 unknown-value: hostKey.identity
    ${[...dev1, ...host("dev3", undefined, {})]}
`;

areStopped(attacks);
areStopped(granted);
areStopped(names);
areStopped(unseen);
