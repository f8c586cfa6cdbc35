/** docs/bench.md and its charts, from the document of one commit's runs. */
import { between, replaceBetween } from "../../support/marked-text.ts";
import { barChart } from "./chart.ts";
import { formatFigure, unitOf } from "./format.ts";
import type { BenchDocument } from "./json.ts";
import type { BenchMeta } from "./meta.ts";

/** The document's path, and the page's, from the project's root. */
export const documentFile = "docs/bench.json";
export const pageFile = "docs/bench.md";
export const chartFolder = "docs/charts";

type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What is drawn: a scenario's figure, for every rival that has it. */
const drawn: readonly { readonly scenario: string; readonly figure: string; readonly title: string }[] = [
  { scenario: "survival", figure: "lost", title: "sessions lost" },
  { scenario: "isolation", figure: "p99", title: "ordinary HTTP beside bulk copies, 99th percentile" },
  {
    scenario: "reach",
    figure: "accepted_1000",
    title: "a route more where 1000 are, until its first CONNECT",
  },
  { scenario: "preview", figure: "preview_100_wall", title: "preview of 100 containers" },
  { scenario: "preview", figure: "offline_100_cpu", title: "processor time of a preview of 100, no cluster" },
  { scenario: "preview", figure: "offline_100_memory", title: "memory of a preview of 100, no cluster" },
  { scenario: "tunnel", figure: "login", title: "login" },
  { scenario: "tunnel", figure: "echo_p99", title: "a keystroke's echo, 99th percentile" },
  { scenario: "tunnel", figure: "download_per_second", title: "download" },
  { scenario: "tunnel", figure: "upload_per_second", title: "upload" },
  { scenario: "weight", figure: "heap_per_tunnel_1000", title: "gateway memory per idle tunnel" },
  { scenario: "start", figure: "up_to_prompt", title: "from pulumi up to the first prompt" },
  { scenario: "storage", figure: "download_per_second", title: "download from a storage" },
];

function figuresOf(document: BenchDocument, scenario: string): Figures | undefined {
  return document[scenario] as Figures | undefined;
}

/** SVG by file name, for what the document holds. */
export function charts(document: BenchDocument): Readonly<Record<string, string>> {
  const made = drawn.flatMap(({ scenario, figure, title }) => {
    const bars = Object.entries(figuresOf(document, scenario) ?? {}).flatMap(([label, figures]) => {
      const value = figures[figure];
      return value === undefined ? [] : [{ label, value, text: formatFigure(figure, value) }];
    });
    return bars.length === 0
      ? []
      : [
          [
            chartName(scenario, figure),
            barChart({ title: `${title}: ${better(figure)} is better`, bars, ours: "drawbridge" }),
          ],
        ];
  });
  return Object.fromEntries(made);
}

/** What a reader wants of a figure. */
const better = (figure: string) => (unitOf(figure) === "rate" ? "more" : "less");

const chartName = (scenario: string, figure: string) => `${scenario}-${figure.replaceAll("_", "-")}.svg`;

/** The page with the figures of the document between its marks: `run`, and one per scenario. */
export function page(text: string, document: BenchDocument): string {
  const scenarios = [...text.matchAll(/^<!-- figures of (\w+) begins -->$/gm)].map((match) => match[1] ?? "");
  return scenarios.reduce(
    (done, scenario) => replaceBetween(done, `figures of ${scenario}`, section(document, scenario)),
    replaceBetween(text, "run", runText(document.meta)),
  );
}

/** The commit that the page says it is about. */
export function pageCommit(text: string): string | undefined {
  return /Commit `([0-9a-f]{40})`/.exec(between(text, "run"))?.[1];
}

function runText({ commit, provider, versions }: BenchMeta): string {
  const list = Object.entries(versions).map(([program, version]) => `${program} ${version}`);
  return `Commit \`${commit}\`. ${provider}. ${list.join(", ")}.`;
}

/** A table of figures by rival, each with its ratio to ours, and the charts of it. */
function section(document: BenchDocument, scenario: string): string {
  const figures = figuresOf(document, scenario);
  if (figures === undefined) return "Not measured in this run.";
  const rivals = Object.keys(figures);
  const names = [...new Set(Object.values(figures).flatMap((own) => Object.keys(own)))];
  const rows = names.map((name) => {
    const ours = figures.drawbridge?.[name];
    const cells = rivals.map((rival) => cell(name, figures[rival]?.[name], rival, ours));
    return `| ${name.replaceAll("_", " ")} | ${cells.join(" | ")} |`;
  });
  const table = [`| | ${rivals.join(" | ")} |`, `|---|${rivals.map(() => "---|").join("")}`, ...rows].join(
    "\n",
  );
  const images = drawn
    .filter((one) => one.scenario === scenario && names.includes(one.figure))
    .map(({ figure, title }) => `![${title}](charts/${chartName(scenario, figure)})`);
  return [table, ...images].join("\n\n");
}

function cell(figure: string, value: number | undefined, rival: string, ours: number | undefined): string {
  if (value === undefined) return "";
  const text = formatFigure(figure, value);
  if (rival === "drawbridge" || ours === undefined || ours === 0) return text;
  return `${text} (${Number((value / ours).toPrecision(3))} ×)`;
}
