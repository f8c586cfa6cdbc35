import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const here = new URL(".", import.meta.url);

it.each([
  ["dashboard.json", "idle", "idle", [1, 1, 1, 3, 1, 1]],
  ["dashboard-egress.json", "egress", "egress-authorizer", [1, 1, 1, 2]],
])("%s shows each metric that the programs write, and no other", (file, what, folder, counts) => {
  const metricsIn = (text: string) =>
    [...new Set(text.match(new RegExp(`drawbridge_${what}_[a-z_]+`, "g")))].sort();
  const dashboard = readFileSync(new URL(`../${file}`, here), "utf8");
  const sources = globSync(`${folder}/**/*.ts`, { cwd: here, exclude: ["**/*.test.ts"] });
  const written = sources.map((name) => readFileSync(new URL(name, here), "utf8")).join("");
  expect(metricsIn(dashboard)).toEqual(metricsIn(written));
  const { panels } = JSON.parse(dashboard) as { panels: { id: number; targets: object[] }[] };
  expect(panels.map(({ id, targets }) => [id, targets.length])).toEqual(
    counts.map((count, index) => [index + 1, count]),
  );
});
