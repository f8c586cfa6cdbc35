/** The bench's figures as a document for programs. */
import type { Samples } from "../scenario.ts";
import type { BenchMeta } from "./meta.ts";
import { median } from "./statistics.ts";

/** rival -> figure -> median */
type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** `{ meta, <scenario>: { <rival>: { <figure>: median } } }` */
export type BenchDocument = { readonly meta: BenchMeta } & Readonly<Record<string, Figures | BenchMeta>>;

export function benchDocument(meta: BenchMeta, results: Readonly<Record<string, Samples>>): BenchDocument {
  const medians = (samples: Samples): Figures => mapValues(samples, (figures) => mapValues(figures, median));
  return { meta, ...mapValues(results, medians) };
}

function mapValues<T, U>(from: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]));
}
