import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { describe, expect, it } from "vitest";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { namedContainers, peopleText } from "./stale-stacks.ts";

const alice = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const bob = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB bob";

const folder = temporaryFolder();

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
const platform = (people: string) =>
  file("Pulumi.platform.yaml", `config: { drawbridge:platform: { people: { ${people} } } }`);
const team = (people = "") =>
  file(
    "Pulumi.team-a.yaml",
    `config:
  drawbridge:team:
    namespace: team-a
    people: { ${people} }
    containers: { dev1: {}, dev2: { name: two } }`,
  );

const keys = (namespace: string, name: string, ...lines: string[]) => ({
  metadata: { namespace, labels: { "app.kubernetes.io/instance": name } },
  data: { authorized_keys: lines.map((line) => `${line}\n`).join("") },
});
/** Connects to a cluster with these ConfigMaps of containers. */
const cluster = (items: object[]) => async () =>
  ({
    get: async (path: string) => {
      expect(decodeURIComponent(path)).toBe(
        "/api/v1/configmaps?labelSelector=app.kubernetes.io/managed-by=drawbridge,app.kubernetes.io/component=dev-container",
      );
      return { items };
    },
  }) as never as Kube;
const running = cluster([
  keys("team-b", "old", "# group:ml has 1 key", bob),
  keys("team-a", "two", "# bob has 1 key", bob, "# carol has 1 key", alice),
  keys("team-a", "dev1", "# alice has 1 key", alice),
  keys("team-a", "plain", alice, bob),
  {
    metadata: { namespace: "team-a", labels: { "app.kubernetes.io/instance": "dev1" } },
    data: { sshd_config: "" },
  },
]);

describe("list --people", () => {
  it("names the containers that lack a change, and the stack whose file declares them", async () => {
    const files = [
      await platform(`alice: { keys: ["${alice}"] }, bob: { keys: [], groups: [ml] }`),
      await team(`carol: { keys: ["${alice}"] }`),
    ];
    const found = await namedContainers(files, running);
    expect(found).toEqual([
      {
        stack: undefined,
        namespace: "team-b",
        name: "old",
        people: ["group:ml"],
        changes: [{ person: "group:ml", gains: 0, loses: 1 }],
        unknown: [],
      },
      { stack: "team-a", namespace: "team-a", name: "dev1", people: ["alice"], changes: [], unknown: [] },
      {
        stack: "team-a",
        namespace: "team-a",
        name: "two",
        people: ["bob", "carol"],
        changes: [{ person: "bob", gains: 0, loses: 1 }],
        unknown: [],
      },
    ]);
    expect(peopleText(found)).toBe(
      [
        "STACK   CONTAINER   PENDING",
        "-       team-b/old  group:ml loses 1 key",
        "team-a  team-a/two  bob loses 1 key",
        "",
      ].join("\n"),
    );
  });

  it("takes a platform's outputs, names people whom no file has, and says when nothing is left", async () => {
    const outputs = await file(
      "outputs.json",
      JSON.stringify({ people: { alice: { keys: [alice] }, bob: { keys: [bob], groups: ["ml"] } } }),
    );
    expect(peopleText(await namedContainers([outputs], running))).toBe(
      ["STACK  CONTAINER   PENDING", "-      team-a/two  not in the files given: carol", ""].join("\n"),
    );
    expect(
      peopleText(await namedContainers([outputs], cluster([keys("a", "b", "# bob has 1 key", bob)]))),
    ).toBe("all containers that name people (1) have their keys\n");
  });

  it("refuses files without valid people, and two that disagree", async () => {
    const said = (...files: string[]) =>
      namedContainers(files, running).then(String, ({ message }) => message);
    expect(await said(join(folder, "none.yaml"))).toMatch(/none\.yaml cannot be read: ENOENT/);
    expect(await said(await file("bad.yaml", "a: [b"))).toMatch(/bad\.yaml is neither YAML nor JSON: /);
    expect(await said(await file("other.yaml", "config: {}"))).toMatch(
      /other\.yaml has no people; pass a Pulumi\.<stack>\.yaml, or: pulumi stack output/,
    );
    expect(await said(await platform("Bob: { keys: [nonsense] }"))).toMatch(
      /platform\.yaml has invalid people; see: drawbridge validate /,
    );
    const one = await file("one.yaml", `people: { bob: { keys: ["${bob}"] } }`);
    const two = await file("two.yaml", "people: { bob: { keys: [] } }");
    expect(await said(one, two)).toMatch(
      /two\.yaml and the file before it disagree on who bob is; pass one platform's files at a time/,
    );
  });

  it("says which right is missing", async () => {
    const refused = async () =>
      ({
        get: async () => {
          throw new KubeError(403, 'configmaps is forbidden: User "bob" cannot list');
        },
      }) as never as Kube;
    await expect(namedContainers([await platform("")], refused)).rejects.toThrow(
      'in all namespaces: configmaps is forbidden: User "bob" cannot list; ask as a user who may list them',
    );
  });
});
