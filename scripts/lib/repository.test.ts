import { expect, it } from "vitest";
import { repositoryFault } from "./repository.ts";

it("lets a release go only from the repository that package.json names", () => {
  expect(repositoryFault("a/b", "a/b")).toBeUndefined();
  expect(repositoryFault("a/b", undefined)).toBeUndefined();
  expect(repositoryFault("a/b", "c/d")).toBe(
    "package.json names the repository a/b, and npm's provenance would name c/d; run npm run release -- --set-repository c/d",
  );
});
