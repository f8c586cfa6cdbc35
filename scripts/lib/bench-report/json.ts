/** The bench's figures as a document for programs. */
import { readFileSync } from "node:fs";
import type { BenchMeta } from "./meta.ts";
import { UsageError } from "./options.ts";
import type { Samples } from "./scenario.ts";
import { median } from "./statistics.ts";

/** rival -> figure -> median */
export type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** `{ meta, <scenario>: { <rival>: { <figure>: median } } }` */
export type BenchDocument = { readonly meta: BenchMeta } & Readonly<Record<string, Figures | BenchMeta>>;

export function benchDocument(meta: BenchMeta, results: Readonly<Record<string, Samples>>): BenchDocument {
  const medians = (samples: Samples): Figures => mapValues(samples, (figures) => mapValues(figures, median));
  return { meta, ...mapValues(results, medians) };
}

/** Documents of parts of one run, the largest first; of a scenario that several have, the last one counts. */
export function joined(parts: readonly BenchDocument[]): BenchDocument | undefined {
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const commits = parts.flatMap(({ meta, ...scenarios }) =>
    Object.keys(scenarios).map((scenario) => [scenario, meta.others?.[scenario] ?? meta.commit] as const),
  );
  const others = Object.entries(Object.fromEntries(commits)).filter(
    ([, commit]) => commit !== last.meta.commit,
  );
  const meta = others.length === 0 ? last.meta : { ...last.meta, others: Object.fromEntries(others) };
  return { ...Object.assign({}, ...parts), meta };
}

/** A document, and from a full run's each figure that it does not have. */
export function withFull(document: BenchDocument, full: BenchDocument | undefined): BenchDocument {
  if (full === undefined) return document;
  const { meta: own, ...scenarios } = { ...full, ...document };
  const others = { ...full.meta.others, ...own.others };
  const meta = Object.keys(others).length === 0 ? own : { ...own, others };
  const figures = Object.keys(scenarios).map((scenario) => {
    const [usual, more] = [figuresOf(document, scenario) ?? {}, figuresOf(full, scenario) ?? {}];
    // All rivals of a figure are of one run.
    const known = new Set(Object.values(usual).flatMap((rival) => Object.keys(rival)));
    const lacking = mapValues(more, (rival) =>
      Object.fromEntries(Object.entries(rival).filter(([figure]) => !known.has(figure))),
    );
    const rivals = [...new Set([...Object.keys(usual), ...Object.keys(more)])];
    return [
      scenario,
      Object.fromEntries(rivals.map((rival) => [rival, { ...usual[rival], ...lacking[rival] }])),
    ];
  });
  return { meta, ...Object.fromEntries(figures) };
}

/** What a document has of a scenario; undefined where that was not run. */
export function figuresOf(document: BenchDocument, scenario: string): Figures | undefined {
  return document[scenario] as Figures | undefined;
}

/** An earlier run's document; throws one sentence for a file that is none. */
export function readBenchDocument(path: string): BenchDocument {
  let document: Partial<BenchDocument> | null;
  try {
    document = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read as JSON (${(error as Error).message}); name a file of --json`,
    );
  }
  if (typeof document?.meta?.commit !== "string") {
    throw new UsageError(`${path} holds no figures of the bench; name a file of --json`);
  }
  return document as BenchDocument;
}

function mapValues<T, U>(from: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]));
}
