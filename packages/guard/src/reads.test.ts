/** Secrets of others that a program brings in, and secrets that come to stand where they can be read. */
import { expect, it } from "vitest";
import {
  areStopped,
  container,
  dev,
  type Hiding,
  restrictedContainer,
  restrictedPod,
} from "./attacks.fixture.ts";
import { parseBounds } from "./bounds.ts";
import { type Change, type State, toChange } from "./change.ts";
import { judge } from "./guard.ts";
import { edited, today, whole } from "./sample.fixture.ts";
import { secretText as secret, unknownText } from "./values.ts";

const urnOf = (type: string, name: string) => `urn:pulumi:stack::project::${type}::${name}`;
const metadata = { name: "notes", namespace: "team-a" };
type Sources = Readonly<Record<string, readonly string[]>>;

const step = (
  op: string,
  type: string,
  name: string,
  inputs: object | undefined,
  from: Sources = {},
  before?: object,
) => {
  const state = (one: object, propertyDependencies?: Sources) =>
    ({ type, urn: urnOf(type, name), custom: true, inputs: one, propertyDependencies }) as unknown as State;
  return toChange({
    op,
    urn: urnOf(type, name),
    ...(before && { oldState: state(before) }),
    ...(inputs && { newState: state(inputs, from) }),
  });
};
/** As Pulumi shows a read: by its id alone. */
const reads = (
  namespace: string,
  name: string,
  type = "kubernetes:core/v1:Secret",
  was?: string,
): Change => ({
  ...step("read", type, "theirs", {}, {}, was === undefined ? undefined : {}),
  ids: [was, `${namespace}/${name}`],
});
const theirs = reads("team-b", "db");
const same = reads("team-b", "db", "kubernetes:core/v1:Secret", "team-b/db");
const platform = step("read", "pulumi:pulumi:StackReference", "platform", { name: "acme/platform/prod" });
const object = (kind: string, inputs: object, from?: Sources, before?: object) =>
  step(
    before ? "update" : "create",
    `kubernetes:${kind}`,
    "notes",
    { metadata, ...inputs },
    from,
    before && { metadata, ...before },
  );
const configMap = (data: unknown, from?: Sources, before?: object) =>
  object("core/v1:ConfigMap", { data }, from, before);
const ownSecret = (from?: Sources) => object("core/v1:Secret", { data: secret, type: "Opaque" }, from);
const pod = (more: object, template: object = {}) =>
  object("apps/v1:Deployment", {
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: {
        metadata: { labels: { app: "a" }, ...template },
        spec: { ...restrictedPod, containers: [{ ...restrictedContainer, ...more }] },
      },
    },
  });
const env = (value: unknown) => pod({ env: [{ name: "A", value }] });
const annotated = (note: unknown) =>
  object("core/v1:ConfigMap", { metadata: { ...metadata, annotations: { note } } });
/** A container whose argument comes from there. */
const dev3 = (args: object, from: Sources): Change[] =>
  edited("DevContainer", "dev3", undefined, { ...container, ...args }).map((one) =>
    one.isCustom ? one : { ...one, sources: [undefined, from as never] },
  );
const wrapper = (from: Sources): Change => ({
  ...step("create", "company:index:Wrapper", "wrapper", { token: secret }, from),
  isCustom: false,
});
const wrapped = urnOf("company:index:Wrapper", "wrapper");

const here = dev({});
type Some = Change | readonly Change[];
const stops = (says: string, hiding: readonly Some[], twin: readonly Some[]): Hiding => ({
  hiding: [...here, ...hiding.flat()],
  ends: [1, "secret-taken", says],
  twin: [...here, ...twin.flat()],
});
const taken = "holds what is secret there";
const shown = "is secret, and stands where it can be read";

areStopped({
  "a read of another namespace's Secret": stops(
    "it reads the Secret team-b/db, which this program does not make",
    [theirs],
    [reads("team-b", "db", "kubernetes:core/v1:ConfigMap")],
  ),
  "a read of a component's Secret": stops(
    "it reads the Secret team-a/dev1-host-key",
    [reads("team-a", "dev1-host-key")],
    [reads("team-a", "dev1", "kubernetes:core/v1:Service")],
  ),
  "a read of what nobody in this preview made": stops(
    "it reads the Secret team-a/somebodys",
    [reads("team-a", "somebodys")],
    [ownSecret(), reads("team-a", "notes")],
  ),
  "a read as a custom resource": stops(
    "it reads the Secret team-b/db",
    [reads("team-b", "db", "kubernetes:v1:Secret")],
    [reads("team-b", "db", "kubernetes:v1:Service")],
  ),
  "a read of all Secrets": stops(
    "it reads the SecretList team-b/",
    [reads("team-b", "", "kubernetes:core/v1:SecretList")],
    [reads("team-b", "", "kubernetes:core/v1:PodList")],
  ),
  "a read of a patch": stops(
    "it reads the SecretPatch team-b/db",
    [reads("team-b", "db", "kubernetes:core/v1:SecretPatch")],
    [same],
  ),
  "a read that turns to another": stops(
    "it reads the Secret team-b/other",
    [reads("team-b", "other", "kubernetes:core/v1:Secret", "team-b/db")],
    [same],
  ),
  "a read that is called like a Secret of the program's own": stops(
    "it reads the Secret team-b/db",
    [ownSecret(), { ...theirs, name: "notes" }],
    [ownSecret(), { ...reads("team-a", "notes"), name: "db" }],
  ),
  "a read of another cluster": stops(
    "it reads the Secret team-a/notes",
    [
      ownSecret(),
      {
        ...reads("team-a", "notes"),
        provider: "urn:pulumi:stack::project::pulumi:providers:kubernetes::other",
      },
    ],
    [ownSecret(), reads("team-a", "notes")],
  ),
  "what was read, in plain, in a ConfigMap": stops(
    `data comes from the Secret team-b/db, and ${taken}`,
    [same, configMap({ a: "cGxhaW4=" }, { data: [theirs.urn] })],
    [same, configMap({ a: "b" }, { data: [] })],
  ),
  "what was read, known later": stops(
    `data comes from the Secret team-b/db, and ${taken}`,
    [same, configMap({ a: unknownText }, { data: [theirs.urn] })],
    [same, configMap({ a: unknownText }, { data: [urnOf("kubernetes:core/v1:Service", "web")] })],
  ),
  "what was read, in a Secret of the program's own": stops(
    `stringData comes from the Secret team-b/db, and ${taken}`,
    [same, ownSecret({ stringData: [theirs.urn] })],
    [same, ownSecret({ stringData: [] })],
  ),
  "what was read, as a container's secret variable": stops(
    `secretEnv comes from the Secret team-b/db, and ${taken}`,
    [same, dev3({ secretEnv: { A: secret } }, { secretEnv: [theirs.urn] })],
    [same, dev3({ secretEnv: { A: secret } }, { secretEnv: [] })],
  ),
  "what was there, and is taken over": stops(
    `secretEnv comes from the Secret team-a/notes, and ${taken}`,
    [
      step("import", "kubernetes:core/v1:Secret", "notes", { metadata, data: secret }),
      dev3({ secretEnv: { A: secret } }, { secretEnv: [ownSecret().urn] }),
    ],
    [
      step("import", "kubernetes:core/v1:Secret", "notes", { metadata, data: secret }),
      dev3({ secretEnv: { A: secret } }, { secretEnv: [] }),
    ],
  ),
  "the seed of another stack": stops(
    `hostKey comes from the stack acme/platform/prod, and ${taken}`,
    [platform, dev3({}, { hostKey: [platform.urn] })],
    [platform, dev3({}, { hostKey: [], access: [platform.urn], namespace: [platform.urn] })],
  ),
  "a secret of another stack, in a Secret": stops(
    `data comes from the stack acme/platform/prod, and ${taken}`,
    [platform, ownSecret({ data: [platform.urn] })],
    [platform, configMap({ address: "192.0.2.7" }, { data: [platform.urn] })],
  ),
  "a secret of another stack, by way of a component": stops(
    `hostKey comes from the stack acme/platform/prod, and ${taken}`,
    [platform, wrapper({ token: [platform.urn] }), dev3({}, { hostKey: [wrapped] })],
    [platform, wrapper({ token: [] }), dev3({}, { hostKey: [wrapped] })],
  ),
  "a secret in a ConfigMap": stops(`data.a ${shown}`, [configMap({ a: secret })], [ownSecret()]),
  "all of a ConfigMap's data": stops(`data ${shown}`, [configMap(secret)], [configMap({ a: "b" })]),
  "a ConfigMap's value that becomes secret": stops(
    `data.a ${shown}`,
    [configMap({ a: secret }, {}, { data: { a: "b" } })],
    [configMap({ a: secret, b: "c" }, {}, { data: { a: secret } })],
  ),
  "binary data": stops(
    `binaryData.a ${shown}`,
    [object("core/v1:ConfigMap", { binaryData: { a: secret } })],
    [object("core/v1:ConfigMap", { binaryData: { a: "AAAA" } })],
  ),
  "a secret in an annotation": stops(
    `metadata.annotations.note ${shown}`,
    [annotated(secret)],
    [annotated("a")],
  ),
  "a secret in a label's name of a Secret": stops(
    `metadata.annotations.note ${shown}`,
    [object("core/v1:Secret", { data: secret, metadata: { ...metadata, annotations: { note: secret } } })],
    [object("core/v1:Secret", { data: secret, metadata: { ...metadata, annotations: { note: "a" } } })],
  ),
  "a secret in a pod's variable": stops(`env.0.value ${shown}`, [env(secret)], [env("a")]),
  "a secret in a command": stops(
    `command.1 ${shown}`,
    [pod({ command: ["login", secret] })],
    [pod({ command: ["login", "alice"] })],
  ),
  "a secret in the names of variables": stops(
    `envFrom.0.prefix ${shown}`,
    [pod({ envFrom: [{ prefix: secret, configMapRef: { name: "notes" } }] })],
    [pod({ envFrom: [{ prefix: "A_", configMapRef: { name: "notes" } }] })],
  ),
  "a secret in a template's annotation": stops(
    `template.metadata.annotations.note ${shown}`,
    [pod({}, { annotations: { note: secret } })],
    [pod({}, { annotations: { note: "a" } })],
  ),
});

it("leaves what stays as it was", () => {
  const before = { metadata, data: { a: secret } };
  const still = step("same", "kubernetes:core/v1:ConfigMap", "notes", before, { data: [theirs.urn] }, before);
  expect(judge(whole([...here, same, still]), [], today, parseBounds({}, "")).code).toBe(0);
});
