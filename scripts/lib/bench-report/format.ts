/** A figure as people read it. Its name says what it counts. */

/** What a figure's number means. */
export type Unit = "count" | "bytes" | "rate" | "seconds";

/** The unit of a figure by its name: counts, sizes and rates are named so, times are everything else. */
export function unitOf(figure: string): Unit {
  if (/^(lost|objects|stored_objects|requests|ports|load_balancers|passed|specs|runs)(_\d+)?$/.test(figure))
    return "count";
  if (figure.endsWith("_per_second")) return "rate";
  return /(^|_)(memory|bytes|heap|image|resident)(_|$)/.test(figure) ? "bytes" : "seconds";
}

/** @example formatFigure("login", 0.2134) is "213 ms" */
export function formatFigure(figure: string, value: number): string {
  switch (unitOf(figure)) {
    case "count":
      return short(value);
    case "bytes":
      return size(value);
    case "rate":
      return `${size(value)}/s`;
    case "seconds":
      return value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`;
  }
}

function size(bytes: number): string {
  const steps = ["B", "KiB", "MiB", "GiB"];
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${short(bytes / 1024 ** step)} ${steps[step]}`;
}

/** Three digits that count, and never an exponent. */
function short(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
