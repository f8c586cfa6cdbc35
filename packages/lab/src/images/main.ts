/** Builds images by hand: `node packages/lab/src/images/main.ts [name …]`, all of them by default. */

import { lineProgress } from "../progress.ts";
import { ensureImages, type ImageName, imageNames } from "./index.ts";

const names = process.argv.slice(2);
const unknown = names.filter((name) => !imageNames.includes(name as ImageName));
if (unknown.length > 0) {
  console.error(`no image is called ${unknown.join(", ")}; there are: ${imageNames.join(", ")}`);
  process.exit(2);
}
const images = await ensureImages(names.length > 0 ? (names as ImageName[]) : imageNames, lineProgress());
for (const { ref, tar } of Object.values(images)) console.log(`${ref} ${tar}`);
