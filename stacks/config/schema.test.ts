import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const written = JSON.parse(readFileSync("stacks/schema.json", "utf8"));
const checker = z.fromJSONSchema(written);
const stackFile = (name: string) => readFileSync(`stacks/Pulumi.${name}.yaml`, "utf8");

/** Where an editor would underline something. */
function underlined(text: string): string[] {
  const result = checker.safeParse(parse(text));
  return result.success ? [] : result.error.issues.map(({ path }) => path.slice(2).join("."));
}

describe("stacks/schema.json", () => {
  it.each(["platform", "team-a", "team-gpu"])("accepts the file of %s, which names it", (name) => {
    const text = stackFile(name);
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./schema.json");
    expect(underlined(text)).toEqual([]);
  });

  it.each([
    ["a misspelt key", "    quota:\n", "    qouta:\n", ""],
    [
      "a misspelt key of a container",
      "        authorizedKeys:",
      "        authorisedKeys:",
      "containers.dev1",
    ],
    ["a number for text", "home: { size: 20Gi }", "home: { size: 20 }", "containerDefaults.home.size"],
    [
      "a secret in plain text",
      "home: { size: 20Gi }",
      "hostKey: { privateKey: secret }",
      "containerDefaults.hostKey.privateKey",
    ],
    [
      "an unknown choice",
      "actions: [search, archive]",
      "actions: [serach]",
      "storages.models.browse.actions.0",
    ],
  ])("underlines %s", (_, right, wrong, at) => {
    expect(stackFile("team-a")).toContain(right);
    expect(underlined(stackFile("team-a").replace(right, wrong))).toEqual([at]);
  });

  it("is small enough to be read at every keystroke", () => {
    expect(readFileSync("stacks/schema.json").length).toBeLessThan(184_000);
  });

  it("explains every argument of a container", () => {
    const { additionalProperties } =
      written.properties.config.properties["drawbridge:team"].properties.containers;
    const container = written.definitions[additionalProperties.$ref.split("/").at(-1)];
    expect(Object.keys(container.properties).length).toBeGreaterThan(40);
    const unexplained = Object.entries<{ description?: string }>(container.properties)
      .filter(([, { description }]) => description === undefined)
      .map(([name]) => name);
    expect(unexplained).toEqual([]);
  });
});
