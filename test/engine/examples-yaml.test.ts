/** Pulumi YAML with the components: one example, and what does not fit the schema. The others are in test/long. */
import { describe, expect, it } from "vitest";
import { exampleConfig, examples } from "../support/pages/examples.ts";
import { planTheSame, withYaml, writtenInYaml, yamlOf } from "../support/pages/yaml.ts";

describe("examples in Pulumi YAML", () => {
  it("are all but those with a component of their own and transforms, or a custom resource", () => {
    const others = Object.keys(examples).filter((name) => !writtenInYaml.includes(name));
    expect(others).toEqual(["existing-code", "sandbox"]);
  });

  planTheSame(["minimal"]);
});

describe("a program in Pulumi YAML that does not fit the schema", () => {
  const minimal = () => yamlOf("minimal");
  const refused = (text: string) =>
    withYaml(text, async (stack) => {
      await stack.setAllConfig(exampleConfig, true);
      const shown = await stack.preview().catch((error: Error) => error.message);
      return typeof shown === "string" ? shown : "accepted";
    });

  it.each([
    ["a component that there is not", "drawbridge:SshGateway\n", "drawbridge:SshGateways\n", "SshGateways"],
    ["an argument that there is not", "home: {", "homes: {", "homes"],
    ["a wrong type", "replicas: 1", "replicas: many", "replicas"],
    ["a value that is none of those allowed", "preset: generic", "preset: cloud", "preset"],
    ["a reference to nothing", 'seed: "${hostKeySeed}"', 'seed: "${hostKeySeeds}"', "hostKeySeeds"],
    ["an output that there is not", "${dev1.sshCommand}", "${dev1.sshCommands}", "sshCommands"],
  ])("%s is refused by its name", async (_, right, wrong, name) => {
    expect(minimal()).toContain(right);
    const message = await refused(minimal().replace(right, wrong));
    expect(message).toMatch(new RegExp(`error:.*${name}`, "is"));
  });
});

it("reports all components with faults in one run, and says what was not created", async () => {
  const container = (name: string, image: string) => `
  ${name}:
    type: drawbridge:DevContainer
    properties: { namespace: team-a, image: "${image}", ssh: { mode: none }, env: { DOMAIN: "\${gateway.ref.domain}" } }`;
  const text = `name: x
runtime: yaml
resources:
  gateway:
    type: drawbridge:SshGateway
    properties: { domain: dev.example.com, loadBalancer: { preset: generic } }${[
      container("one", "x:1"),
      container("two", "ubuntu"),
      container("three", "UPPER:1"),
      container("four", "ubuntu"),
    ].join("")}
`;
  const said = await withYaml(text, (stack) =>
    stack.preview().then(
      () => "",
      (error: Error) => error.message,
    ),
  );
  const faults = said.match(/problem: DevContainer "\w+": .*:$/gm) ?? [];
  const none = "1 fault in its arguments, nothing of it was created:";
  // Pulumi's lines of progress say them too.
  expect([...new Set(faults)].sort()).toEqual(
    ["four", "three", "two"].map((name) => `problem: DevContainer "${name}": ${none}`),
  );
});
