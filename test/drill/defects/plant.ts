/** `node --import test/drill/defects/plant.ts …` with a defect's name in DRAWBRIDGE_DEFECT: the program has that defect. */
import { registerHooks } from "node:module";
import { defects } from "./index.ts";

const name = process.env.DRAWBRIDGE_DEFECT;
const defect = defects.find((one) => one.name === name);
if (defect === undefined) throw new Error(`there is no defect "${name}"`);
const { href } = new URL(`../../../${defect.file}`, import.meta.url);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== href) return loaded;
    return { ...loaded, source: String(loaded.source).replace(defect.code, () => defect.replacement) };
  },
});
