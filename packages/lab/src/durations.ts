import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from "./cache.ts";
import { moduleFile } from "./tools/module-files.ts";

/** How long steps took, in milliseconds. */
export interface Durations {
  of(title: string): number | undefined;
  keep(title: string, milliseconds: number): void;
}

/** Those of this machine's last runs; before its first, those of another with two cores (`tools/durations.json`). */
export function pastDurations(file: string = join(cacheDir(), "durations.json")): Durations {
  const known = { ...read(moduleFile("", "durations.json")), ...read(file) };
  return {
    of: (title) => known[stepOf(title)],
    keep: (title, milliseconds) => {
      known[stepOf(title)] = Math.round(milliseconds);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(known, undefined, 2));
    },
  };
}

/** Another version of a program takes about as long. */
function stepOf(title: string): string {
  return title.replace(/ v\d\S*(?=:)/, "");
}

function read(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    // Only an estimate is lost.
    return {};
  }
}
