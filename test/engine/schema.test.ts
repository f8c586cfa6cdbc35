/** Pulumi's own analyzer reads the components, so that programs in other languages can use them. */
import { readFileSync } from "node:fs";
import * as lists from "@drawbridge-iac/drawbridge/src/lists";
import { beforeAll, describe, expect, it } from "vitest";
import {
  componentNames,
  type PluginSchema,
  type Property,
  pluginSchema,
} from "../../scripts/lib/plugin-schema.ts";

let found: PluginSchema;

beforeAll(() => {
  found = pluginSchema();
});

const nameOf = (token: string) => token.replace("drawbridge:index:", "");

/** Every argument, output and field of the schema as `[owner, name, property]`. */
function everything(): [owner: string, name: string, property: Property][] {
  const of = (owner: string, properties: Record<string, Property> = {}) =>
    Object.entries(properties).map(([name, property]): [string, string, Property] => [owner, name, property]);
  return [
    ...Object.entries(found.resources).flatMap(([token, { inputProperties, properties }]) => [
      ...of(nameOf(token), inputProperties),
      ...of(`${nameOf(token)}.outputs`, properties),
    ]),
    ...Object.entries(found.types).flatMap(([token, { properties }]) => of(nameOf(token), properties)),
  ];
}

const namesWhere = (is: (property: Property) => boolean) =>
  everything().flatMap(([owner, name, property]) => (is(property) ? [`${owner}.${name}`] : []));

describe("the multi-language analyzer", () => {
  it("accepts every component", () => {
    expect(Object.keys(found.resources).map(nameOf).sort()).toEqual(componentNames);
  });

  // Which there are is in test/recorded/schema.json.
  it("finds no resource or provider among the outputs", () => {
    const references = namesWhere(({ $ref }) => $ref !== undefined && !$ref.startsWith("#/types/"));
    const outputs = references.filter((name) => name.includes(".outputs."));
    expect(outputs).toEqual([]);
    expect(namesWhere(() => true).filter((name) => /\.outputs\.(children|provider)$/.test(name))).toEqual([]);
  });

  it("types every argument but what is as in a Kubernetes object, and where a component may stand", () => {
    const untyped = namesWhere((property) => JSON.stringify(property).includes("pulumi.json#/Any"));
    const of = (group: string, names: readonly string[]) => names.map((name) => `${group}.${name}`);
    const patches =
      "workload service home persist disruption network authorizedKeys hostKey sshd route sshpod sshpodBinding";
    expect(untyped.sort()).toEqual(
      [
        ...of("DevContainerPodVolume", ["csi", "ephemeral", "emptyDir", "projected", "downwardAPI"]),
        ...of("DevContainerSidecar", ["startupProbe", "livenessProbe", "readinessProbe"]),
        ...of("DevContainerPatches", patches.split(" ")),
        ...of("InjectedSshd", ["podTemplate", "outputs.podTemplate"]),
        ...of("DevContainer", ["team"]),
        ...of("DevContainerAccess", ["frp", "gateway"]),
        ...of("DevContainerEgress", ["gateway"]),
        ...of("HostFrp", ["server"]),
        ...of("DevContainerMount", ["storage"]),
        ...of("InjectedSshdAccess", ["frp", "gateway"]),
        ...of("InjectedSshdEgress", ["gateway"]),
        ...of("SshRouteAccess", ["gateway"]),
        ...of("SshRouteFrp", ["server"]),
        ...of("StorageBrowse", ["proxy"]),
        ...of("StoragePrepare", ["copyFrom"]),
      ].sort(),
    );
  });

  it("describes everything, and says the defaults", () => {
    const said = (text: string | undefined) => text !== undefined && text.length > 3;
    expect(namesWhere(({ description }) => !said(description))).toEqual([]);
    const groups = Object.entries({ ...found.resources, ...found.types });
    expect(groups.filter(([, { description }]) => !said(description)).map(([name]) => name)).toEqual([]);
    const { port } = found.types["drawbridge:index:DevContainerSsh"]?.properties ?? {};
    expect(port).toMatchObject({ type: "integer" });
    expect(port?.description).toMatch(/ Default: 22\.$/);
  });

  it("has every value of a list that the arguments take", () => {
    const enums = Object.entries(found.types).filter(([, { enum: values }]) => values !== undefined);
    expect(enums.length).toBeGreaterThan(10);
    for (const [token, { enum: values = [] }] of enums) {
      const taken = (lists as unknown as Record<string, object>)[nameOf(token)];
      expect([token, Object.fromEntries(values.map(({ name, value }) => [name, value]))]).toEqual([
        token,
        taken,
      ]);
    }
  });

  it("marks what is secret, and what may be known later", () => {
    expect(namesWhere(({ secret }) => secret === true).sort()).toEqual([
      "FrpServer.seed",
      "HostFrp.token",
      "HostKey.privateKey",
      "HostKey.seed",
      "HostNextKey.privateKey",
      "HostNextKey.seed",
      "SshRouteFrp.token",
      "StorageCredential.password",
    ]);
    const { image, running } = found.resources["drawbridge:index:DevContainer"]?.inputProperties ?? {};
    expect([image?.plain, running?.plain]).toEqual([undefined, true]);
  });

  it("has no number that need not be a whole one", () => {
    expect(namesWhere((property) => JSON.stringify(property).includes('"number"'))).toEqual([]);
    // The arguments' own schemas take whole numbers alone.
    const written = readFileSync("stacks/schema.json", "utf8");
    expect(written).not.toContain('"number"');
    expect(written).toContain('"integer"');
  });
});
