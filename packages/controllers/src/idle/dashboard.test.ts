import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const here = new URL(".", import.meta.url);
const metricsIn = (text: string) => [...new Set(text.match(/drawbridge_idle_[a-z_]+/g))].sort();

it("the dashboard shows each metric that the programs write, and no other", () => {
  const dashboard = readFileSync(new URL("../../dashboard.json", here), "utf8");
  const sources = globSync("**/*.ts", { cwd: here, exclude: ["**/*.test.ts"] });
  const written = sources.map((name) => readFileSync(new URL(name, here), "utf8")).join("");
  expect(metricsIn(dashboard)).toEqual(metricsIn(written));
  const { panels } = JSON.parse(dashboard) as { panels: { id: number; targets: object[] }[] };
  expect(panels.map(({ id, targets }) => [id, targets.length])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 3],
    [5, 1],
    [6, 1],
  ]);
});
