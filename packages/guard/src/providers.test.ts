/** Programs that Pulumi would start: whose they are, by name, version and source. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { areStopped, container, dev, hidings } from "./attacks.fixture.ts";
import { noBounds, parseBounds } from "./bounds.ts";
import { toChange } from "./change.ts";
import { judge } from "./guard.ts";
import { providerEffects } from "./providers.ts";
import { edited, today, whole } from "./sample.fixture.ts";

const urn = (type: string, name: string) => `urn:pulumi:stack::project::${type}::${name}`;
const later = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const reference = (name: string, provider = "default_4_34_2") =>
  `${urn(`pulumi:providers:${name}`, provider)}::${later}`;
const map = { metadata: { name: "notes", namespace: "team-a" }, data: { a: "b" } };

/** A resource that is new, or gets another provider. */
const resource = (type: string, provider: string | undefined, was?: string, inputs: object = map) =>
  toChange({
    op: was === undefined ? "create" : "update",
    urn: urn(type, "notes"),
    ...(was !== undefined && {
      oldState: { type, urn: urn(type, "notes"), custom: true, inputs, provider: was } as never,
    }),
    newState: { type, urn: urn(type, "notes"), custom: true, inputs, provider } as never,
  });
const notes = (provider: string, was?: string) => resource("kubernetes:core/v1:ConfigMap", provider, was);
/** A provider of the program's own. */
const provider = (name: string, inputs: object, was?: object) =>
  toChange({
    op: was === undefined ? "create" : "update",
    urn: urn(`pulumi:providers:${name}`, "mine"),
    ...(was !== undefined && {
      oldState: { type: `pulumi:providers:${name}`, urn: "", custom: true, inputs: was } as never,
    }),
    newState: { type: `pulumi:providers:${name}`, urn: "", custom: true, inputs } as never,
  });
const address = "https://user:pw@evil.example.com/x?y=1";
const from = (pluginDownloadURL: string, more: object = {}) => ({
  __internal: { pluginDownloadURL },
  version: "4.34.2",
  ...more,
});
const plain = { __internal: {}, version: "4.34.2" };
const published = from("github://api.github.com/drawbridge-iac/drawbridge");
const here = dev({});

areStopped(
  hidings`
  a provider of its own, from elsewhere
    ${[provider("evil", from(address))]}
    1 provider-changed: the provider evil 4.34.2, with a source of its own, is none that the platform names
    ${[provider("kubernetes", plain)]}
  a known name from elsewhere
    ${[provider("kubernetes", from(address))]}
    1 provider-changed: the provider kubernetes 4.34.2, with a source of its own,
    ${[provider("kubernetes", plain)]}
  an address as earlier versions of Pulumi wrote it
    ${[provider("kubernetes", { pluginDownloadURL: address })]}
    1 provider-changed: the provider kubernetes, with a source of its own,
    ${[provider("kubernetes", { version: "4.34.2" })]}
  an address that is known later
    ${[provider("kubernetes", from(later))]}
    1 provider-changed: the provider kubernetes 4.34.2, with a source of its own,
    ${[provider("kubernetes", from(""))]}
  a provider of a package that no component needs
    ${[provider("random", plain)]}
    1 provider-changed: the provider random 4.34.2 is none that the platform names
    ${[provider("drawbridge", published)]}
  a default provider from elsewhere
    ${[notes(reference("kubernetes", "default_4_34_2_https_/user_pw_evil.example.com/x_y_1"))]}
    1 provider-changed: the provider kubernetes 4.34.2, with a source of its own,
    ${[notes(reference("kubernetes"))]}
  one without a version
    ${[notes(reference("kubernetes", "default_github_/api.github.com/evil"))]}
    1 provider-changed: the provider kubernetes, with a source of its own,
    ${[notes(reference("kubernetes", "default"))]}
  one of a version before its release
    ${[notes(reference("kubernetes", "default_5_0_0_alpha_1_https_/evil.example.com"))]}
    1 provider-changed: the provider kubernetes 5.0.0.alpha.1, with a source of its own,
    ${[notes(reference("kubernetes", "default_5_0_0_alpha_1"))]}
  a name that Pulumi never writes
    ${[notes(reference("kubernetes", "default_4_34_2.evil.example.com/x"))]}
    1 provider-changed: the provider kubernetes, with a source of its own,
    ${[notes(reference("kubernetes", "default_4_34_2"))]}
  another address of the library's own
    ${[provider("drawbridge", from("github://api.github.com/evil/drawbridge"))]}
    1 provider-changed: the provider drawbridge 4.34.2, with a source of its own,
    ${[provider("drawbridge", published)]}
  a parameter of another package, by a known name
    ${[provider("kubernetes", { version: "4.34.2", __internal: { name: "terraform-provider", parameterization: { name: "kubernetes", version: "4.34.2", value: "e30=" } } })]}
    1 provider-changed: the provider kubernetes 4.34.2, with a source of its own,
    ${[provider("kubernetes", plain)]}
  a dynamic provider, which is code in the state
    ${[resource("pulumi-nodejs:dynamic:Resource", reference("pulumi-nodejs", "default"))]}
    2 provider-changed: the provider pulumi-nodejs is none that the platform names
    ${[notes(reference("kubernetes"))]}
  a provider of another package for an object
    ${[notes(reference("pulumi", "default"))]}
    1 provider-changed: a provider of pulumi makes this kubernetes:core/v1:ConfigMap
    ${[notes(reference("kubernetes"))]}
  an object that changes over
    ${[notes(reference("kubernetes", "default_4_34_2_https_/evil.example.com"), reference("kubernetes"))]}
    1 provider-changed: the provider kubernetes 4.34.2, with a source of its own,
    ${[notes(reference("kubernetes", "default_4_35_0"), reference("kubernetes"))]}
  a provider whose address changes
    ${[provider("kubernetes", from(address), plain)]}
    1 provider-changed: the provider kubernetes 4.34.2, with a source of its own,
    ${[provider("kubernetes", plain)]}
`,
  noBounds,
  { beside: here },
);

const named = parseBounds(
  {
    packages: ["aws"],
    providers: [
      { name: "kubernetes", version: "4.34.2" },
      { name: "acme", source: "https://get.example.com/plugins" },
      "random",
    ],
  },
  "bounds.yaml",
);
const acme = (source: string) => provider("acme", from(source));
areStopped(
  hidings`
  another version than is named
    ${[notes(reference("kubernetes", "default_4_35_0"))]}
    1 provider-changed: the provider kubernetes 4.35.0 is none that the platform names
    ${[notes(reference("kubernetes", "default_4_34_2"))]}
  a version that is not told
    ${[notes(reference("kubernetes", "default"))]}
    1 provider-changed: the provider kubernetes is none that the platform names
    ${[notes(reference("kubernetes"))]}
  another source than is named
    ${[acme("https://get.example.com.evil.example/plugins")]}
    1 provider-changed: the provider acme 4.34.2, with a source of its own,
    ${[acme("https://get.example.com/plugins")]}
  a source where Pulumi's own is meant
    ${[provider("random", from(address))]}
    1 provider-changed: the provider random 4.34.2, with a source of its own,
    ${[provider("random", plain)]}
  a source of a package that is not judged
    ${[provider("aws", from(address))]}
    1 provider-changed: the provider aws 4.34.2, with a source of its own,
    ${[provider("aws", plain)]}
`,
  named,
  { beside: here },
);

describe("a resource of Pulumi's own", () => {
  const found = (type: string) => {
    const { code, unjudged } = judge(
      whole([...here, resource(type, reference("pulumi", "default"))]),
      [],
      today,
    );
    return [code, ...unjudged.map(({ rule }) => rule)];
  };
  it.each(["pulumi:pulumi:Stash", "pulumi:evil:Thing", "pulumi:pulumi:Stack2"])(
    "is known, or not judged: %s",
    (type) => {
      expect(found(type)).toEqual([2, "unknown-kind"]);
      expect(found("pulumi:pulumi:StackReference")).toEqual([0]);
    },
  );
});

it("goes on with what the stack has, from where it has it, and names it once", () => {
  const [acme2, acme3] = ["2_0_0", "3_0_0"].map((version) =>
    reference("acme", `default_${version}_https_/get.example.com`),
  ) as [string, string];
  const many = ["acme:index:A", "acme:index:B"].map((type) => resource(type, acme3));
  expect(providerEffects([...many, resource("acme:index:C", acme2, acme2)], parseBounds({}, ""))).toEqual([]);
  expect(providerEffects(many, parseBounds({}, ""))).toHaveLength(1);
});

it("takes a provider of the program's own by its step, whatever its name", () => {
  const called = (name: string) => {
    const one = urn("pulumi:providers:kubernetes", name);
    return [{ ...provider("kubernetes", plain), urn: one }, notes(`${one}::${later}`)];
  };
  expect(providerEffects(called("default_eks"), parseBounds({}, ""))).toEqual([]);
  expect(providerEffects(called("default_eks").slice(1), parseBounds({}, ""))).toHaveLength(1);
});

it("says nothing of an address but a hash", () => {
  const { refused } = judge(whole([...here, provider("evil", from(address))]), [], today);
  expect(JSON.stringify(refused)).not.toMatch(/evil\.example|user|pw/);
  expect(refused[0]?.text).toMatch(/\([0-9a-f]{40}\)$/);
});

it("knows the library's own address", () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, "../../drawbridge/schema.json"), "utf8"));
  expect(
    providerEffects([provider("drawbridge", from(schema.pluginDownloadURL))], parseBounds({}, "")),
  ).toEqual([]);
});

it("lets a container of the library's own come", () => {
  const changes = edited("DevContainer", "dev1", undefined, container).map((one) =>
    one.isCustom
      ? { ...one, providers: [undefined, reference("kubernetes").replace(`::${later}`, "")] as const }
      : one,
  );
  expect(judge(whole(changes), [], today).code).toBe(0);
});
