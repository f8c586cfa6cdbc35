import type { Json } from "../values/property.ts";

const STEP = /\.((?:[^.[\]\\'"{}]|\\.)+)|\[(\d+|\*)\]|\[(?:'([^']*)'|"([^"]*)")\]/gy;

/**
 * The plain part of kubectl's JSONPath: `{.status.phase}`, `.spec.ports[0].port`, `.webhooks[*].name`,
 * `.metadata.labels['a.b/c']`, `.metadata.labels.a\.b/c`. The function it returns gives the values found.
 */
export function parseJsonPath(path: string): (value: Json) => Json[] {
  const inner = /^\{(.*)\}$/s.exec(path.trim())?.[1] ?? path.trim();
  const text = inner.startsWith(".") || inner.startsWith("[") ? inner : `.${inner}`;
  const steps: (string | number)[] = [];
  let end = 0;
  STEP.lastIndex = 0;
  for (let found = STEP.exec(text); found !== null; found = STEP.exec(text)) {
    const [, name, index, single, double] = found;
    if (index !== undefined) steps.push(index === "*" ? "*" : Number(index));
    else steps.push(single ?? double ?? name!.replace(/\\(.)/g, "$1"));
    end = STEP.lastIndex;
  }
  if (end !== text.length || steps.length === 0) {
    throw new Error(
      `the JSONPath "${path}" is not supported by the stand-in provider. Use plain fields, indices and [*], such as {.status.phase}.`,
    );
  }
  return (value) =>
    steps.reduce<Json[]>((found, step) => found.flatMap((part) => follow(part, step)), [value]);
}

function follow(value: Json, step: string | number): Json[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === "*") return Object.values(value);
  const next = (value as Record<string | number, Json>)[step];
  return next === undefined ? [] : [next];
}
