/** Host keys and tokens of others: by what they are derived for, and by what they show of themselves. */
import { publicKeysAnnotation } from "@drawbridge-iac/drawbridge/src/host/sshd/files";
import { alice, areStopped, bob, container, dev, hidings, injected } from "./attacks.fixture.ts";
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

const attacks = hidings`
  a new container with the key of another
    ${[...dev1, ...host("dev3", undefined, keyOf("team-a/dev1"))]}
    1 secret-taken: team-a/dev1, which is what the host key of dev1 is derived for
    ${[...dev1, ...host("dev3", undefined, keyOf("team-a/dev3/east"))]}
  one that takes it later
    ${[...dev1, ...host("dev3", {}, keyOf("team-a/dev1"))]}
    1 secret-taken: hostKey.identity
    ${[...dev1, ...host("dev3", keyOf("team-a/dev1"), { ...keyOf("team-a/dev1"), resources: { memory: "4Gi" } })]}
  an earlier or a coming key of another
    ${[...dev1, ...host("dev3", undefined, keyOf("team-a/dev1", { generation: 7 }))]}
    1 secret-taken: hostKey.identity
    ${[...dev1, ...host("dev3", undefined, keyOf(undefined, { generation: 7 }))]}
  the next key of another
    ${[...dev1, ...host("dev3", undefined, keyOf("team-a/dev1", { next: { seed, generation: 2 } }))]}
    1 secret-taken: hostKey.identity
    ${[...dev1, ...host("dev3", undefined, keyOf(undefined, { next: { seed, generation: 2 } }))]}
  the key of another stack's container
    ${host("dev3", undefined, keyOf("team-b/db"))}
    1 secret-taken: team-b/db, which no host of team-a leaves in this preview
    ${[...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed })]}
  a name that only begins like its own
    ${host("dev1", undefined, keyOf("team-a/dev10"))}
    1 secret-taken: hostKey.identity
    ${host("dev10", undefined, keyOf("team-a/dev10"))}
  a name above its own
    ${host("dev3", undefined, keyOf("team-a"))}
    1 secret-taken: hostKey.identity
    ${host("dev3", undefined, keyOf("team-a/dev3"))}
  two that take the key of one who leaves
    ${[...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed }), ...host("dev4", undefined, keyOf("team-a/dev1"))]}
    1 secret-taken: hostKey.identity
    ${[...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed })]}
  one who leaves another namespace
    ${[...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), namespace: "team-b" })]}
    1 secret-taken: hostKey.identity
    ${[...leaves, ...host("dev3", undefined, { ...keyOf("team-a/dev1"), ...renamed })]}
  one who only changes its own identity
    ${[...host("dev1", keyOf("team-a/old"), keyOf("team-a/old")), ...host("dev3", undefined, keyOf("team-a/old"))]}
    1 secret-taken: hostKey.identity
    ${[...host("dev1", keyOf("team-a/old"), undefined), ...host("dev3", undefined, { ...keyOf("team-a/old"), ...renamed })]}
  one that comes back, and whose key another has
    ${[...host("dev3", keyOf("team-a/dev1"), keyOf("team-a/dev1")), ...host("dev1", undefined, {})]}
    1 secret-taken: its host key is that of dev3
    ${[...host("dev3", keyOf("team-a/dev1"), keyOf("team-a/dev1")), ...host("dev4", undefined, {})]}
  an InjectedSshd with the key of a container
    ${[...dev1, ...edited("InjectedSshd", "box", undefined, { ...injected, ...keyOf("team-a/dev1") })]}
    1 secret-taken: hostKey.identity
    ${[...dev1, ...edited("InjectedSshd", "box", undefined, { ...injected, ...keyOf("team-a/box/1") })]}
  a container with the key of an InjectedSshd
    ${[...edited("InjectedSshd", "box", injected, injected), ...host("dev3", undefined, keyOf("team-a/box"))]}
    1 secret-taken: hostKey.identity
    ${[...edited("InjectedSshd", "box", injected, injected), ...host("dev3", undefined, {})]}
  a name that is set
    ${[...dev1, ...host("dev3", undefined, { name: "dev9", ...keyOf("team-a/dev3") })]}
    1 secret-taken: hostKey.identity
    ${[...dev1, ...host("dev3", undefined, { name: "dev9", ...keyOf("team-a/dev9") })]}
  the private key of another
    ${[...both(dev1, alice), ...showing(host("dev3", undefined, { hostKey: { privateKey: seed } }), alice)]}
    1 secret-taken: its host key is that of dev1
    ${[...both(dev1, alice), ...showing(host("dev3", undefined, { hostKey: { privateKey: seed } }), bob)]}
  the next private key of another
    ${[...both(dev1, `${alice}\n${bob}`), ...showing(host("dev3", undefined, {}), bob)]}
    1 secret-taken: its host key is that of dev1
    ${[...both(dev1, `${bob}\n${alice}`), ...showing(host("dev1", {}, {}), `${bob}\n${alice}`)]}
  a key that another has until this preview
    ${[...showing(showing(host("dev1", {}, keyOf(undefined, { generation: 2 })), alice, "before"), bob), ...showing(host("dev3", undefined, {}), alice)]}
    1 secret-taken: its host key is that of dev1
    ${both(dev1, alice)}
`;

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

const granted = hidings`
  the token of another's frpc
    ${[...granting(host("dev1", frp, frp), hash), ...granting(host("dev3", undefined, frp), hash)]}
    1 secret-taken: its frp token is that of dev1
    ${[...granting(host("dev1", frp, frp), hash), ...granting(host("dev3", undefined, frp), hash.replace("5", "6"))]}
`;

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
/** A name under which something is derived by default is that of objects too. */
const names = hidings`
  the name of another container
    ${[...dev1, ...host("dev3", undefined, { name: "dev1" })]}
    1 foreign-change: is made by dev1 too
    ${[...dev1, ...host("dev3", undefined, {})]}
  the name of a container, for a route through frp
    ${[...host("dev1", frp, frp), ...edited("SshRoute", "route", undefined, { ...route, name: "dev1" })]}
    1 foreign-change: is made by dev1 too
    ${[...host("dev1", frp, frp), ...edited("SshRoute", "route", undefined, route)]}
  the name of another frp server
    ${[...edited("FrpServer", "frp", server, server), ...edited("FrpServer", "two", server, { ...server, name: "frp" })]}
    1 foreign-change: is made by frp too
    ${[...edited("FrpServer", "frp", server, server), ...edited("FrpServer", "two", server, server)]}
`;

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
