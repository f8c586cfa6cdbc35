/** The text of a stack's file, for the lines of its faults and for secrets that are not encrypted in it. */
import { bounded, isExhausted, valueAt, type YamlPath } from "./yaml.ts";

export interface StackFile {
  /** The keys of its configuration. */
  readonly keys: readonly string[];
  /** The line on which a value stands, or, if it is missing, the one that would hold it. */
  lineOf(path: YamlPath): number | undefined;
  /** Its configuration as data, in which secrets are encrypted. */
  readonly config: unknown;
}

/** What is used of a document of the package `yaml`, which the caller brings. */
interface YamlDocument {
  readonly errors: readonly Error[];
  getIn(path: readonly unknown[], keepScalar: true): unknown;
  toJS(options: { readonly maxAliasCount: number }): unknown;
}

/** A node of it: a map has items that are pairs, a list has items, a plain value has neither. */
interface YamlNode {
  readonly items?: readonly (YamlNode & { readonly key?: YamlNode })[];
  readonly value?: unknown;
  readonly range?: readonly [number, ...number[]] | null;
}

/** For the package `yaml`, which takes a hundred aliases: a value may be repeated hundreds of times. */
export const anyAliases = { maxAliasCount: -1 } as const;

/** All values, with those that are repeated shared; throws if they cannot be walked. */
export function contentOf(document: Pick<YamlDocument, "toJS" | "errors">): unknown {
  const exhausted = document.errors.find(isExhausted);
  if (exhausted !== undefined) throw exhausted;
  return bounded(document.toJS(anyAliases));
}

/** @param lineAt the line of a position in the text */
export function stackFile(document: YamlDocument, lineAt: (position: number) => number): StackFile {
  const nodeAt = (path: YamlPath) => document.getIn(["config", ...path], true) as YamlNode | undefined;
  const keyLine = (parent: YamlNode | undefined, key: string | number | undefined) => {
    const pair = parent?.items?.find((item) => item.key !== undefined && item.key.value === key);
    const node = pair?.key ?? (typeof key === "number" ? parent?.items?.[key] : undefined);
    return node?.range ? lineAt(node.range[0]) : undefined;
  };
  return {
    keys: (nodeAt([])?.items ?? []).map((item) => String(item.key?.value)),
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const line = keyLine(nodeAt(path.slice(0, length - 1)), path[length - 1]);
        if (line !== undefined) return line;
      }
      return undefined;
    },
    config: valueAt(contentOf(document), ["config"]),
  };
}

/** `Pulumi.team-a.yaml` is the file of the stack team-a; any other file name is taken for the stack's name. */
export function stackNamed(fileName: string): string {
  return /^Pulumi\.(.+)\.ya?ml$/.exec(fileName)?.[1] ?? fileName;
}
