/** Property paths, such as `spec.ports[0].port` or `metadata.labels["app.kubernetes.io/name"]`. */

export type Step = string | number;
export type Path = readonly Step[];

/** A path in the notation in which Pulumi prints and reads it. */
export function printPath(path: Path): string {
  return path.reduce<string>((printed, step) => {
    if (typeof step === "number") return `${printed}[${step}]`;
    if (/[."[\]]/.test(step)) return `${printed}["${step.replaceAll('"', '\\"')}"]`;
    return printed === "" ? step : `${printed}.${step}`;
  }, "");
}

/** Reads a path; `*` stands for any element. */
export function parsePath(text: string): Path {
  const steps: Step[] = [];
  const token = /\.?([^.[\]"]+)|\[(\d+)\]|\[\*\]|\["((?:[^"\\]|\\.)*)"\]/gy;
  let end = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [, name, index, quoted] = found;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted === undefined ? "*" : quoted.replaceAll('\\"', '"'));
    end = token.lastIndex;
  }
  if (end !== text.length || steps.length === 0) {
    throw new Error(`"${text}" is no property path. Write it like spec.template.spec.containers[0].image.`);
  }
  return steps;
}

/** Whether `path` is `prefix` or lies below it. */
export function isWithin(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((step, at) => step === "*" || step === path[at]);
}
