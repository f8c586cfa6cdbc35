/** docs/security.md and isolation.md say what is there: their tables against the policies, the role and the tests. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { deployerRules } from "../../packages/drawbridge/src/team/deployer-role.ts";
import { apiAttacks, attacksOn, olderAttacks, onRequest } from "../support/attacks/api-attacks.ts";
import { placeOf, policiesOf } from "../support/attacks/stage.ts";

/** The rows of the first table under a heading of a page, without its head. */
async function table(page: "security" | "isolation", heading: string): Promise<string[][]> {
  const text = await readFile(`docs/${page}.md`, "utf8");
  const [section = ""] = text.slice(text.indexOf(`# ${heading}\n`)).split("\n## ");
  const lines = (/^\|.*(?:\n\|.*)*/m.exec(section)?.[0] ?? "").split("\n");
  return lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const code = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

it("names a test for everybody, and every test of attacks", async () => {
  const rows = await table("security", "Who is kept apart from whom");
  const everybody = ["neighbour", "inmate", "client", "visitor", "author", "bystander", "idle"];
  expect(rows.map(([who]) => who?.replace(/^\*\*(.*?)\*\*.*$/, "$1"))).toEqual(everybody);
  const policies = await table("isolation", "How isolation works, and what was tried");
  expect(policies.map(([who]) => who)).toEqual(everybody);
  // `attacks-storage`, `-relay`: the second goes on from the first.
  const named = (await table("isolation", "What was tried")).flatMap(([cell]) => {
    const [first = "", ...others] = code(cell);
    return [first, ...others.map((name) => (name.startsWith("-") ? `${first}${name}` : name))];
  });
  const placesOf = (name: string) =>
    (name.includes("/") ? [name] : [`test/lab/${name}`, `test/long/${name}`]).map(
      (place) => `${place}.test.ts`,
    );
  expect(named.filter((name) => !placesOf(name).some((file) => existsSync(file)))).toEqual([]);
  const there = [...(await readdir("test/lab")), ...(await readdir("test/long"))];
  const attacks = there.filter((file) => file.startsWith("attacks"));
  expect(attacks.length).toBeGreaterThan(5);
  expect(attacks.filter((file) => !named.includes(file.replace(/\.test\.ts$/, "")))).toEqual([]);
});

it("lists the policies that are made", async () => {
  const made = new Set(policiesOf(placeOf("page")).map(({ policy }) => policy.name));
  const listed = (await table("isolation", "The policies")).flatMap(([name]) => code(name));
  expect(listed.sort()).toEqual([...made].filter((name) => name !== "").sort());
});

it("lists the kinds that the deployer's role writes", async () => {
  const [written] = await table("isolation", "The deployer's role");
  const kinds = (written?.[0] ?? "").split(", ").map((kind) => plural(kind));
  const rights = deployerRules.filter(({ verbs }) => verbs.includes("update"));
  expect(kinds.sort()).toEqual(rights.flatMap(({ resources }) => resources).sort());
});

const plural = (kind: string) => `${kind.toLowerCase().replace(/y$/, "ie")}s`;

it("each policy has attacks, and there are many of them", () => {
  const all = [...apiAttacks, ...olderAttacks];
  const without = policiesOf(placeOf("page")).filter(
    ({ policy }) => !onRequest.includes(policy.name) && attacksOn(all, policy.name).length < 2,
  );
  expect(without.map(({ policy }) => policy.name)).toEqual([]);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(all.filter(({ who }) => who === "deployer").length).toBeGreaterThanOrEqual(80);
});
