import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pageBlock } from "./pages/page-blocks.ts";
import { repositoryFault, writtenRepository } from "./repository.ts";

it("lets a release go only from the repository that package.json names", () => {
  expect(repositoryFault("a/b", "a/b")).toBeUndefined();
  expect(repositoryFault("a/b", undefined)).toBeUndefined();
  expect(repositoryFault("a/b", "c/d")).toBe(
    "package.json names the repository a/b, and npm's provenance would name c/d; run npm run release -- --set-repository c/d",
  );
});

// What the registry's own `metadata from-github` demands of an entry of the community's list.
it("has what Pulumi's registry reads, where its entry says", async () => {
  const entry = JSON.parse(await pageBlock("CONTRIBUTING.md", "json", "repoSlug"));
  expect(Object.keys(entry)).toEqual(["repoSlug", "schemaFile"]);
  const schema = JSON.parse(readFileSync(entry.schemaFile, "utf8"));
  expect(schema.name).toBe(writtenRepository().split("/")[1]?.replace("pulumi-", ""));
  for (const field of ["displayName", "description", "publisher"]) expect(schema[field]).toMatch(/\w/);
  expect(schema.repository).toBe(`https://github.com/${writtenRepository()}`);
  expect(schema.keywords).toEqual(expect.arrayContaining(["category/infrastructure", "kind/component"]));
  const logo = schema.logoUrl.split(`/${writtenRepository()}/main/`)[1];
  expect(readFileSync(logo, "utf8")).toContain("<svg");
  for (const page of ["docs/_index.md", "docs/installation-configuration.md"]) {
    const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(page, "utf8")) ?? [];
    const fields = head.split("\n").map((line) => line.split(": ")[0]);
    expect([page, fields]).toEqual([page, ["title", "meta_desc", "layout"]]);
  }
});
