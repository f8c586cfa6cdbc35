/** docs/bench.md and its charts, from the document of one commit's runs. */
import { existsSync } from "node:fs";
import { between, replaceBetween } from "../pages/marked-text.ts";
import { barChart } from "./chart.ts";
import { better, type Drawn, drawn, labelOf, reader } from "./drawn.ts";
import { formatFigure } from "./format.ts";
import { type BenchDocument, figuresOf, readBenchDocument, withFull } from "./json.ts";
import type { BenchMeta } from "./meta.ts";

/** The documents' paths, of a whole run and of a full one, and the page's, from the project's root. */
export const documentFile = "docs/bench.json";
export const fullFile = "docs/bench-full.json";
export const pageFile = "docs/bench.md";
export const chartFolder = "docs/charts";

/** The figures of both documents, as the pages show them. */
export function published(): BenchDocument {
  const full = existsSync(fullFile) ? readBenchDocument(fullFile) : undefined;
  return withFull(readBenchDocument(documentFile), full);
}

/** SVG by file name, for what the document holds and can be compared. */
export function charts(document: BenchDocument): Readonly<Record<string, string>> {
  return Object.fromEntries(
    drawnOf(document).map(({ scenario, figure, finding, conditions, ours }) => {
      const figures = figuresOf(document, scenario) ?? {};
      const bars = Object.entries(figures).flatMap(([rival, { [figure]: value }]) =>
        value === undefined
          ? []
          : [{ label: labelOf(rival), value, text: formatFigure(figure, value), ours: ours.includes(rival) }],
      );
      const title = finding(reader(figures, figure));
      const chart = barChart({ title, conditions: `${conditions}; ${better(figure)}.`, bars });
      return [chartName(scenario, figure), chart];
    }),
  );
}

/** A chart of one bar says nothing. */
function drawnOf(document: BenchDocument): readonly Drawn[] {
  return drawn.filter(({ scenario, figure }) => {
    const measured = Object.values(figuresOf(document, scenario) ?? {}).filter((own) => figure in own);
    return measured.length > 1;
  });
}

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

function runText({ commit, others = {}, provider, versions }: BenchMeta): string {
  const also = [...new Set(Object.values(others))].map((other) => {
    const names = Object.keys(others).filter((scenario) => others[scenario] === other);
    return `${names.map((name) => `\`${name}\``).join(", ")} at \`${other}\``;
  });
  const same =
    also.length === 0
      ? ""
      : ` (${also.join("; ")}, with the same packages of the product, in an earlier lab)`;
  const list = Object.entries(versions).map(([program, version]) => `${program} ${version}`);
  return wrapped(`Commit \`${commit}\`${same}. ${provider}. ${list.join(", ")}.`);
}

/** In lines of 120 columns, as all pages are. */
function wrapped(text: string): string {
  return text.replaceAll(/(?=\S)(.{1,120})(?: |$)/g, "$1\n").trimEnd();
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
  const table = [
    `| | ${rivals.map(labelOf).join(" | ")} |`,
    `|---|${rivals.map(() => "---|").join("")}`,
    ...rows,
  ].join("\n");
  const images = drawnOf(document)
    .filter((one) => one.scenario === scenario)
    .map(({ figure, finding }) => {
      return `![${finding(reader(figures, figure))}](charts/${chartName(scenario, figure)})`;
    });
  return [table, ...images].join("\n\n");
}

function cell(figure: string, value: number | undefined, rival: string, ours: number | undefined): string {
  if (value === undefined) return "";
  const text = formatFigure(figure, value);
  if (rival === "drawbridge" || ours === undefined || ours === 0) return text;
  return `${text} (${Number((value / ours).toPrecision(3))} ×)`;
}
