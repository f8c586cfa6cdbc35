import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scenarios } from "../../../test/bench/scenarios/index.ts";
import { chartFolder, charts, page, pageCommit, pageFile, published } from "./docs.ts";
import type { BenchDocument } from "./json.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";
const sample: BenchDocument = {
  meta: { commit, versions: { envoy: "1.40.0", node: "v24" }, provider: "the provider", full: false },
  tunnel: { drawbridge: { login: 0.2, echo_p99: 0.01 }, direct: { login: 0.25 } },
};
const marks = (name: string, inner: string) => `<!-- ${name} begins -->\n${inner}\n<!-- ${name} ends -->`;

describe("the page", () => {
  const text = `# Bench\n${marks("run", "old")}\n${marks("figures of tunnel", "old")}\n${marks("figures of reach", "old")}\nend`;

  it("has the run, the figures with their ratio to ours, and what was not measured", () => {
    const table =
      "| | drawbridge | without a gateway |\n|---|---|---|\n| login | 200 ms | 250 ms (1.25 ×) |\n| echo p99 | 10 ms |  |";
    const images = "![A login takes 200 ms through the gateway, 250 ms without one](charts/tunnel-login.svg)";
    const run = `Commit \`${commit}\`. the provider. envoy 1.40.0, node v24.`;
    expect(page(text, sample)).toBe(
      `# Bench\n${marks("run", run)}\n${marks("figures of tunnel", `${table}\n\n${images}`)}\n${marks("figures of reach", "Not measured in this run.")}\nend`,
    );
    expect(pageCommit(page(text, sample))).toBe(commit);
  });

  it("names what was measured at another commit", () => {
    const meta = { ...sample.meta, others: { reach: "1".repeat(40), crowd: "1".repeat(40) } };
    const run = `Commit \`${commit}\` (\`reach\`, \`crowd\` at \`${"1".repeat(40)}\``;
    expect(page(text, { ...sample, meta })).toContain(run);
    expect(pageCommit(page(text, { ...sample, meta }))).toBe(commit);
  });

  it("has a chart that says its finding for each figure of several rivals, and none of one bar", () => {
    const made = charts(sample);
    expect(Object.keys(made)).toEqual(["tunnel-login.svg"]);
    expect(made["tunnel-login.svg"]).toContain(">250 ms</text>");
    expect(made["tunnel-login.svg"]).toContain(
      ">A login takes 200 ms through the gateway, 250 ms without one</text>",
    );
    expect(made["tunnel-login.svg"]).toContain("shorter is better.</text>");
  });
});

it("docs/bench.md has a place for the figures of every scenario", () => {
  const text = readFileSync(pageFile, "utf8");
  const places = [
    ...text.matchAll(/^<!-- figures of (\w+) begins -->\n[\s\S]*?\n<!-- figures of \1 ends -->$/gm),
  ];
  const missing = scenarios.filter(({ name }) => !places.some((place) => place[1] === name));
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(places.length).toBe(11);
});

describe("docs/bench.md", () => {
  const document = published();
  const text = readFileSync(pageFile, "utf8");

  it("says the commit of docs/bench.json", () => {
    expect(pageCommit(text)).toBe(document.meta.commit);
  });

  it("has charts whose words fit into them", () => {
    for (const svg of Object.values(charts(document))) {
      const words = (style: string) => new RegExp(`class="${style}"[^>]*>([^<]*)<`).exec(svg)?.[1] ?? "";
      expect(words("title").length).toBeGreaterThan(20);
      expect(words("title").length).toBeLessThan(85);
      expect(words("conditions").length).toBeGreaterThan(20);
      expect(words("conditions").length).toBeLessThan(118);
    }
  });

  it("shows exactly the charts of docs/bench.json", () => {
    const files = readdirSync(chartFolder).sort();
    const drawn = Object.fromEntries(
      files.map((file) => [file, readFileSync(`${chartFolder}/${file}`, "utf8")]),
    );
    expect(drawn).toEqual(charts(document));
    for (const file of files) expect(text).toContain(`(charts/${file})`);
  });
});
