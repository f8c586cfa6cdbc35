/** `node --import test/drill/defects/plant.ts …` with a defect's name in DRAWBRIDGE_DEFECT: the program has that defect. */
import { registerHooks } from "node:module";
import { defects, editsOf } from "./index.ts";

const name = process.env.DRAWBRIDGE_DEFECT;
const defect = defects.find((one) => one.name === name);
if (defect === undefined) throw new Error(`there is no defect "${name}"`);
const edits = new Map(
  editsOf(defect).map((edit) => [new URL(`../../../${edit.file}`, import.meta.url).href, edit]),
);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edit = edits.get(url);
    if (edit === undefined) return loaded;
    return { ...loaded, source: String(loaded.source).replace(edit.code, () => edit.replacement) };
  },
});
