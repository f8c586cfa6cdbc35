import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { published } from "../report/docs.ts";
import { pageFile, planPage } from "./page.ts";

it("docs/plan.md says what the bench's figures come to", () => {
  const text = readFileSync(pageFile, "utf8");
  expect(planPage(text, published())).toBe(text);
});
