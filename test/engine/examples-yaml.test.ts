/** The examples in Pulumi YAML fit the schema, and plan what the TypeScript programs beside them plan. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { previewDigest } from "../support/digest.ts";
import { noCluster } from "../support/engine.ts";
import { exampleConfig, examples } from "../support/examples.ts";
import { asEvents, outputsIn, plannedIn, stackOf, withoutSources } from "../support/remote.ts";
import { readYaml, runYaml } from "../support/yaml-program.ts";
import { yamlFaults } from "../support/yaml-shape.ts";

const fileOf = (name: string) => `examples/${name}/yaml/Pulumi.yaml`;
const textOf = (name: string) => readFileSync(fileOf(name), "utf8");
const written = Object.keys(examples).filter((name) => existsSync(fileOf(name)));

async function planned(runtime: string, program: () => object) {
  const run = async () => program() as Record<string, unknown>;
  const { stack, remove } = await stackOf(runtime, run, { env: noCluster });
  try {
    await stack.setAllConfig(exampleConfig, true);
    const outputs = outputsIn(await previewDigest(stack, asEvents));
    return { resources: plannedIn(await previewDigest(stack)), outputs };
  } finally {
    await remove();
  }
}

describe("examples in Pulumi YAML", () => {
  it("are all but the one that has a component of its own and transforms", () => {
    const others = Object.keys(examples).filter((name) => !written.includes(name));
    expect(others).toEqual(["existing-code"]);
  });

  it.each(written)("%s fits the schema", (name) => {
    const program = readYaml(textOf(name));
    expect(yamlFaults(program)).toEqual([]);
    expect(Object.values(program.resources).some(({ type }) => type === "drawbridge:DevContainer")).toBe(
      true,
    );
  });

  it.each(written)("%s plans the same objects and outputs", async (name) => {
    const expected = await planned("nodejs", examples[name] as () => object);
    const found = await planned("yaml", () => runYaml(readYaml(textOf(name))));
    expect([...found.resources.keys()].sort()).toEqual([...expected.resources.keys()].sort());
    const objects = [...expected.resources].filter(([urn]) => urn.includes("kubernetes:"));
    expect(objects.length).toBeGreaterThan(10);
    for (const [urn, object] of objects) {
      expect([urn, withoutSources(found.resources.get(urn))]).toEqual([urn, withoutSources(object)]);
    }
    // The stack's, and each component's.
    expect(expected.outputs.size).toBeGreaterThan(1);
    expect(found.outputs).toEqual(expected.outputs);
  });
});

describe("a program in Pulumi YAML that does not fit the schema", () => {
  it("has a fault for each unknown name, wrong type, null, missing argument and wrong reference", () => {
    const wrong = `
      resources:
        gateway: { type: drawbridge:SshGateways }
        dev1:
          type: drawbridge:DevContainer
          properties:
            image: 1
            homes: {}
            user: null
            running: "yes"
            ssh: { mode: inside, port: 22.5 }
            access: { gateway: { name: gw, namespace: gw } }
            authorizedKeys: [true]
            hostKey: { seed: "\${hostKeySeed}" }
            patches: { service: { anything: goes } }
        dev2:
          type: drawbridge:DevContainer
          properties: { image: "\${dev1.picture}", namespace: "\${dev1.hostName}", name: "\${dev1.hostName}" }
          options: { dependsOn: ["\${team}"] }
      outputs: { config: "\${dev1.sshConfigs}" }`;
    expect(yamlFaults(readYaml(wrong))).toEqual([
      "gateway: there is no drawbridge:SshGateways",
      "dev1.namespace: is missing",
      "dev1.image: is 1, not of type string",
      "dev1.homes: there is no such argument",
      "dev1.user: is null, not of type object",
      'dev1.running: is "yes", not of type boolean',
      'dev1.ssh.mode: is "inside", not one of image, injected, sidecar, none',
      "dev1.ssh.port: is 22.5, not of type integer",
      "dev1.access.gateway.domain: is missing",
      "dev1.authorizedKeys[0]: is true, not of type string",
      'dev1.hostKey.seed: there is no "hostKeySeed"',
      'dev2.image: drawbridge:DevContainer has no output "picture"',
      "dev2.name: takes a plain value only, and ${dev1.hostName} is known later",
      'dev2.options: there is no "team"',
      'outputs: drawbridge:DevContainer has no output "sshConfigs"',
    ]);
  });
});
