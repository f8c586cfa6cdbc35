/** Secrets of others that a program brings in, and secrets that come to stand where they can be read. */
import { expect, it } from "vitest";
import {
  areStopped,
  container,
  dev,
  hidings,
  restrictedContainer,
  restrictedPod,
} from "./attacks.fixture.ts";
import { noBounds, parseBounds } from "./bounds.ts";
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
const taken = "holds what is secret there";
const shown = "is secret, and stands where it can be read";

areStopped(
  hidings`
  a read of another namespace's Secret
    ${[theirs]}
    1 secret-taken: it reads the Secret team-b/db, which this program does not make
    ${[reads("team-b", "db", "kubernetes:core/v1:ConfigMap")]}
  a read of a component's Secret
    ${[reads("team-a", "dev1-host-key")]}
    1 secret-taken: it reads the Secret team-a/dev1-host-key
    ${[reads("team-a", "dev1", "kubernetes:core/v1:Service")]}
  a read of what nobody in this preview made
    ${[reads("team-a", "somebodys")]}
    1 secret-taken: it reads the Secret team-a/somebodys
    ${[ownSecret(), reads("team-a", "notes")]}
  a read as a custom resource
    ${[reads("team-b", "db", "kubernetes:v1:Secret")]}
    1 secret-taken: it reads the Secret team-b/db
    ${[reads("team-b", "db", "kubernetes:v1:Service")]}
  a read of all Secrets
    ${[reads("team-b", "", "kubernetes:core/v1:SecretList")]}
    1 secret-taken: it reads the SecretList team-b/
    ${[reads("team-b", "", "kubernetes:core/v1:PodList")]}
  a read of a patch
    ${[reads("team-b", "db", "kubernetes:core/v1:SecretPatch")]}
    1 secret-taken: it reads the SecretPatch team-b/db
    ${[same]}
  a read that turns to another
    ${[reads("team-b", "other", "kubernetes:core/v1:Secret", "team-b/db")]}
    1 secret-taken: it reads the Secret team-b/other
    ${[same]}
  a read that is called like a Secret of the program's own
    ${[ownSecret(), { ...theirs, name: "notes" }]}
    1 secret-taken: it reads the Secret team-b/db
    ${[ownSecret(), { ...reads("team-a", "notes"), name: "db" }]}
  a read of another cluster
    ${[ownSecret(), { ...reads("team-a", "notes"), provider: "urn:pulumi:stack::project::pulumi:providers:kubernetes::other" }]}
    1 secret-taken: it reads the Secret team-a/notes
    ${[ownSecret(), reads("team-a", "notes")]}
  what was read, in plain, in a ConfigMap
    ${[same, configMap({ a: "cGxhaW4=" }, { data: [theirs.urn] })]}
    1 secret-taken: data comes from the Secret team-b/db, and ${taken}
    ${[same, configMap({ a: "b" }, { data: [] })]}
  what was read, known later
    ${[same, configMap({ a: unknownText }, { data: [theirs.urn] })]}
    1 secret-taken: data comes from the Secret team-b/db, and ${taken}
    ${[same, configMap({ a: unknownText }, { data: [urnOf("kubernetes:core/v1:Service", "web")] })]}
  what was read, in a Secret of the program's own
    ${[same, ownSecret({ stringData: [theirs.urn] })]}
    1 secret-taken: stringData comes from the Secret team-b/db, and ${taken}
    ${[same, ownSecret({ stringData: [] })]}
  what was read, as a container's secret variable
    ${[same, dev3({ secretEnv: { A: secret } }, { secretEnv: [theirs.urn] })]}
    1 secret-taken: secretEnv comes from the Secret team-b/db, and ${taken}
    ${[same, dev3({ secretEnv: { A: secret } }, { secretEnv: [] })]}
  what was there, and is taken over
    ${[step("import", "kubernetes:core/v1:Secret", "notes", { metadata, data: secret }), dev3({ secretEnv: { A: secret } }, { secretEnv: [ownSecret().urn] })]}
    1 secret-taken: secretEnv comes from the Secret team-a/notes, and ${taken}
    ${[step("import", "kubernetes:core/v1:Secret", "notes", { metadata, data: secret }), dev3({ secretEnv: { A: secret } }, { secretEnv: [] })]}
  the seed of another stack
    ${[platform, dev3({}, { hostKey: [platform.urn] })]}
    1 secret-taken: hostKey comes from the stack acme/platform/prod, and ${taken}
    ${[platform, dev3({}, { hostKey: [], access: [platform.urn], namespace: [platform.urn] })]}
  a secret of another stack, in a Secret
    ${[platform, ownSecret({ data: [platform.urn] })]}
    1 secret-taken: data comes from the stack acme/platform/prod, and ${taken}
    ${[platform, configMap({ address: "192.0.2.7" }, { data: [platform.urn] })]}
  a secret of another stack, by way of a component
    ${[platform, wrapper({ token: [platform.urn] }), dev3({}, { hostKey: [wrapped] })]}
    1 secret-taken: hostKey comes from the stack acme/platform/prod, and ${taken}
    ${[platform, wrapper({ token: [] }), dev3({}, { hostKey: [wrapped] })]}
  a secret in a ConfigMap
    ${[configMap({ a: secret })]}
    1 secret-taken: data.a ${shown}
    ${[ownSecret()]}
  all of a ConfigMap's data
    ${[configMap(secret)]}
    1 secret-taken: data ${shown}
    ${[configMap({ a: "b" })]}
  a ConfigMap's value that becomes secret
    ${[configMap({ a: secret }, {}, { data: { a: "b" } })]}
    1 secret-taken: data.a ${shown}
    ${[configMap({ a: secret, b: "c" }, {}, { data: { a: secret } })]}
  binary data
    ${[object("core/v1:ConfigMap", { binaryData: { a: secret } })]}
    1 secret-taken: binaryData.a ${shown}
    ${[object("core/v1:ConfigMap", { binaryData: { a: "AAAA" } })]}
  a secret in an annotation
    ${[annotated(secret)]}
    1 secret-taken: metadata.annotations.note ${shown}
    ${[annotated("a")]}
  a secret in a label's name of a Secret
    ${[object("core/v1:Secret", { data: secret, metadata: { ...metadata, annotations: { note: secret } } })]}
    1 secret-taken: metadata.annotations.note ${shown}
    ${[object("core/v1:Secret", { data: secret, metadata: { ...metadata, annotations: { note: "a" } } })]}
  a secret in a pod's variable
    ${[env(secret)]}
    1 secret-taken: env.0.value ${shown}
    ${[env("a")]}
  a secret in a command
    ${[pod({ command: ["login", secret] })]}
    1 secret-taken: command.1 ${shown}
    ${[pod({ command: ["login", "alice"] })]}
  a secret in the names of variables
    ${[pod({ envFrom: [{ prefix: secret, configMapRef: { name: "notes" } }] })]}
    1 secret-taken: envFrom.0.prefix ${shown}
    ${[pod({ envFrom: [{ prefix: "A_", configMapRef: { name: "notes" } }] })]}
  a secret in a template's annotation
    ${[pod({}, { annotations: { note: secret } })]}
    1 secret-taken: template.metadata.annotations.note ${shown}
    ${[pod({}, { annotations: { note: "a" } })]}
`,
  noBounds,
  { beside: here },
);

it("leaves what stays as it was", () => {
  const before = { metadata, data: { a: secret } };
  const still = step("same", "kubernetes:core/v1:ConfigMap", "notes", before, { data: [theirs.urn] }, before);
  expect(judge(whole([...here, same, still]), [], today, parseBounds({}, "")).code).toBe(0);
});
