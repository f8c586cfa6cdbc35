import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "../../kube/object.ts";

/** The objects of a text in YAML. */
export const objectsOf = (text: string): KubeObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);

/** Objects of a program's own manifest, which the cache keeps beside it. */
export const manifestsBeside = async (program: string, file: string): Promise<KubeObject[]> =>
  objectsOf(await readFile(join(dirname(program), file), "utf8"));
