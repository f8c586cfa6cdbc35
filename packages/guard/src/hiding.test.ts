/** Ways to hide a change from the guard, or to reach what is another's: each is stopped; its daily twin passes. */
import { alice, areStopped, bob, container, dev, gateway, hidings, injected } from "./attacks.fixture.ts";
import { parseBounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { change, edited } from "./sample.fixture.ts";
import { unknownText } from "./values.ts";

const bounds = parseBounds({ people: { alice: [alice], bob: [bob] } }, "bounds.yaml");

const prepared = { namespace: "team-a", prepare: { image: "a:1", command: ["fill"], revision: "1" } };

const second = (more: object) => edited("DevContainer", "dev2", undefined, { ...container, ...more });
const balancer = (was: object, is: object) => {
  const args = (loadBalancer: object) => ({ domain: "dev.example.com", loadBalancer });
  return edited("SshGateway", "gw", args(was), args(is));
};
const inNamespace = (kind: string, was: string, is: string) => {
  const args = (namespace: string) => ({ namespace, viewers: { groups: ["a"] } });
  return edited(kind, "m", args(was), args(is));
};

/** The changes of one kind, with other fields. */
const as = (changes: readonly Change[], kind: string, edit: (one: Change) => Partial<Change>): Change[] =>
  changes.map((one) => (one.type.endsWith(`:${kind}`) ? { ...one, ...edit(one) } : one));

/** With a field beside those of its arguments. */
const hostPid = ({ after }: Change): NonNullable<Change["after"]> => {
  const all = structuredClone(after) as { spec: { template: { spec: { hostPID?: boolean } } } };
  all.spec.template.spec.hostPID = true;
  return all;
};

const withPublicKeys = (object: Change["before"], publicKeys: string) => {
  const all = structuredClone(object) as { metadata: { annotations: Record<string, string> } };
  all.metadata.annotations["drawbridge.dev/public-keys"] = publicKeys;
  return all as unknown as NonNullable<Change["after"]>;
};

const sshpod = { users: ["alice"] };

const provider = (
  version: string,
  before: object | undefined,
  after: object | undefined,
  name = `default_${version}`,
): Change =>
  change("Provider", name, {
    type: "pulumi:providers:kubernetes",
    urn: `urn:pulumi:stack::project::pulumi:providers:kubernetes::${name}`,
    op: before === undefined ? "create" : after === undefined ? "delete" : "same",
    before: before && { version, ...before },
    after: after && { version, ...after },
  });
const hiddenConfig = { kubeconfig: "[secret]" };
const east = [provider("", hiddenConfig, hiddenConfig, "east")];
const providers = (was: object, is: object) => [
  provider("4_30_0", undefined, is),
  provider("4_29_0", was, undefined),
];
const by = (ofTheWall: string) =>
  second({}).map((one) => ({
    ...one,
    provider: one.type.endsWith(":NetworkPolicy") ? ofTheWall : one.isCustom ? "default" : undefined,
  }));

const planted = (type: string, op = "create"): Change => {
  const args = { authorizedKeys: [bob] };
  const before = op === "create" ? undefined : args;
  const urn = `urn:pulumi:stack::project::${type}::dev2`;
  return change("Old", "dev2", { op, type, urn, before, after: args, isCustom: false });
};
const takenFrom = (formerType: string) =>
  second({}).map((one) =>
    one.isCustom
      ? one
      : { ...one, op: "same", before: one.after, ...(formerType !== one.type && { formerType }) },
  );

const all = hidings`
  # A component's objects that do not follow its arguments.
  a key that only the arguments lose
    ${as(dev({ authorizedKeys: [alice] }, { authorizedKeys: [alice, bob] }), "ConfigMap", (one) => ({ op: "same", after: one.before }))}
    1 foreign-change: data.authorized_keys is not what the arguments of dev1 say
    ${dev({ authorizedKeys: [alice] }, { authorizedKeys: [alice, bob] })}
  changes that would be ignored from now on
    ${as(dev({}), "NetworkPolicy", () => ({ options: { kept: false, ignoreChanges: ["spec"] } }))}
    1 foreign-change: changes of its spec would be ignored
    ${as(dev({}), "NetworkPolicy", () => ({ options: { kept: false, ignoreChanges: [] } }))}
  a preparation whose changes are ignored no longer
    ${as(edited("StorageAccessor", "m", prepared, prepared), "Job", (one) => ({ op: "update", after: hostPid(one) }))}
    1 foreign-change: spec.template.spec.hostPID
    ${as(edited("StorageAccessor", "m", prepared, { ...prepared, prepare: { ...prepared.prepare, command: ["fill", "more"] } }), "Job", (one) => ({ op: "same", after: one.before }))}
  an import of what is there already
    ${as(dev({}), "StatefulSet", (one) => ({ op: "import", before: hostPid(one), after: hostPid(one) }))}
    1 foreign-change: spec.template.spec.hostPID
    ${as(dev({}), "StatefulSet", () => ({ op: "import" }))}
  a wall that is read and not made
    ${as(second({}), "NetworkPolicy", () => ({ op: "read" }))}
    1 foreign-change: NetworkPolicy dev2-network is not made
    ${second({})}
  a wall that is a component
    ${as(second({}), "NetworkPolicy", () => ({ isCustom: false }))}
    1 foreign-change: it is a component, and nothing is made
    ${second({})}
  a way in that only the arguments lose
    ${as(dev({ access: { sshpod } }, { access: { gateway, sshpod } }), "VirtualService", (one) => ({ op: "same", after: one.before }))}
    1 foreign-change: it stays, and no argument asks for it
    ${dev({ access: { sshpod } }, { access: { gateway, sshpod } })}
  a way in that outlives its removal
    ${as(dev({}), "VirtualService", () => ({ options: { kept: false, isLeft: true, ignoreChanges: [] } }))}
    1 foreign-change: it would stay in the cluster when it is removed
    ${as(dev({}), "PersistentVolumeClaim", () => ({ options: { kept: true, isLeft: true, ignoreChanges: [] } }))}
  a Secret that changes by itself
    ${as(dev({}), "Secret", () => ({ op: "update" }))}
    2 unknown-value: its data changes, and no argument of dev1 does
    ${as(dev({ hostKey: { seed: "[secret]" }, env: { A: "b" } }), "Secret", () => ({ op: "update" }))}
  a host key that changes by itself
    ${as(dev({}), "Secret", ({ before }) => ({ op: "update", after: withPublicKeys(before, "mine") }))}
    1 foreign-change: drawbridge.dev/public-keys changes, and no argument of dev1 does
    ${dev({})}
  a wall in another cluster
    ${by("other")}
    1 provider-changed: its component has another provider
    ${by("default")}
  another cluster by a new version of the provider
    ${providers({ context: "a" }, { context: "b" })}
    1 provider-changed: a new provider with other settings
    ${providers({ context: "a" }, { context: "a" })}
  a component whose state is not shown
    ${dev({}).map((one) => (one.isCustom ? one : { ...one, op: "update", after: undefined }))}
    2 unknown-value: the preview does not show its state
    ${dev({})}
  # Arguments.
  a gateway of which nothing is known
    ${dev({ access: { gateway: unknownText } })}
    2 unknown-value: access.gateway is not known
    ${second({ access: { gateway: unknownText } })}
  networks in the place of hidden ones
    ${dev({ egress: { allow: [{ cidr: "10.0.0.0/8" }] } }, { egress: { allow: [{ cidr: "[secret]" }] } })}
    1 network-wall: egress.allow opens the private network 10.0.0.0/8
    ${dev({ egress: { allow: [{ cidr: "203.0.113.0/24" }] } }, { egress: { allow: [{ cidr: "[secret]" }] } })}
  a certificate by a volume
    ${dev({ pod: { volumes: [{ name: "v", projected: { sources: [{ podCertificate: { path: "a" } }] } }] } })}
    2 unknown-field: is not known
    ${dev({ pod: { volumes: [{ name: "v", projected: { sources: [{ configMap: { name: "a" } }] } }] } })}
  pods that lose their wall with a name
    ${as(edited("InjectedSshd", "box", { ...injected, name: "other" }, injected), "Secret", () => ({ op: "same" }))}
    1 network-wall: name: other → none
    ${edited("InjectedSshd", "box", undefined, { ...injected, name: "other" })}
  members of another namespace
    ${inNamespace("TeamMembers", "team-a", "team-b")}
    1 cluster-rights: namespace: its people look into team-b
    ${inNamespace("TeamMembers", "team-a", "team-a")}
  an annotation that kept a gateway within
    ${balancer({ preset: "generic", annotations: { "example.com/internal": "true" } }, { preset: "generic" })}
    1 gateway-opened: loadBalancer.annotations no longer has example.com/internal
    ${balancer({ preset: "generic", annotations: { team: "a" } }, { preset: "generic" })}
  another cloud's annotations
    ${balancer({ preset: "gke" }, { preset: "aks" })}
    1 gateway-opened: loadBalancer.preset: gke → aks
    ${balancer({ preset: "generic" }, { preset: "aks" })}
  another container's home
    ${[...dev({}), ...second({ mounts: [{ claimName: "dev1-home", mountPath: "/home2" }] })]}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home, which is of dev1
    ${[...edited("StorageAccessor", "models", { namespace: "team-a" }, { namespace: "team-a" }), ...second({ mounts: [{ claimName: "models-storage", mountPath: "/models" }] })]}
  arguments of a component that there never was
    ${[...dev({}), ...takenFrom("drawbridge:index:Old")]}
    1 foreign-change: it takes over what was drawbridge:index:Old
    ${[...dev({}), ...takenFrom("drawbridge:index:DevContainer")]}
  a component that there never was
    ${[...dev({}), planted("drawbridge:index:Old")]}
    2 unknown-kind: what a drawbridge:index:Old gives is not known
    ${[...dev({}), planted("example:index:Old"), planted("drawbridge:stacks:People")]}
  one that takes over another's
    ${[...dev({}), { ...planted("drawbridge:index:Old", "same"), formerType: "example:index:Old" }]}
    2 unknown-kind: what a drawbridge:index:Old gives is not known
    ${[...dev({}), planted("drawbridge:index:Old", "same")]}
  whom certificates name, known later
    ${dev({ ssh: { userCa: { keys: [bob] } }, user: { name: unknownText } }, { ssh: { userCa: { keys: [bob] } } })}
    2 unknown-value: user.name is not known before
    ${dev({ user: { name: unknownText } })}
  one more provider whose settings are hidden
    ${[...east, provider("", undefined, hiddenConfig, "west")]}
    1 provider-changed: a new provider with other settings
    ${[...east, ...providers(hiddenConfig, hiddenConfig)]}
  a provider that is called as if it were the default one
    ${[...providers(hiddenConfig, hiddenConfig)].map((one) => ({ ...one, parent: "urn:pulumi:stack" }))}
    1 provider-changed: a new provider with other settings
    ${providers(hiddenConfig, hiddenConfig)}
`;

areStopped(all, bounds);
