/** The text of a stack's file, for the lines of its faults and for secrets that stand in it in plain. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, LineCounter, type Node, parse, parseDocument } from "yaml";
import type { YamlPath } from "./paths.ts";

export interface StackFile {
  /** The line on which a value stands, or, if it is missing, the one that would hold it. */
  lineOf(path: YamlPath): number | undefined;
  /** Whether a value stands there unencrypted. */
  isPlain(path: YamlPath): boolean;
}

/** `Pulumi.<stack>.yaml` of the project in `folder`; undefined where the configuration comes from elsewhere. */
export function openStackFile(folder: string, stack: string): StackFile | undefined {
  const file = join(folder, configFolder(folder), `Pulumi.${stack.split("/").at(-1)}.yaml`);
  if (!existsSync(file)) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: lines });
  const nodeAt = (path: YamlPath) => document.getIn(["config", ...path], true) as Node | undefined;
  return {
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const line = keyLine(nodeAt(path.slice(0, length - 1)), path[length - 1], lines);
        if (line !== undefined) return line;
      }
      return undefined;
    },
    isPlain: (path) => isScalar(nodeAt(path)),
  };
}

/** Pulumi.yaml says in which folder the stacks' files are. */
function configFolder(folder: string): string {
  const project = join(folder, "Pulumi.yaml");
  if (!existsSync(project)) return ".";
  const settings = parse(readFileSync(project, "utf8")) as { stackConfigDir?: string } | null;
  return settings?.stackConfigDir ?? ".";
}

function keyLine(parent: Node | undefined, key: string | number | undefined, lines: LineCounter) {
  const node = isMap(parent)
    ? (parent.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.key as Node | undefined)
    : ((parent as { items?: Node[] } | undefined)?.items?.[key as number] ?? undefined);
  return node?.range ? lines.linePos(node.range[0]).line : undefined;
}
