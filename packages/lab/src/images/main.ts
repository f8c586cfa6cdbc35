/** Builds images by hand: `node packages/lab/src/images/main.ts [name …]`, all of them by default. */

import { lineProgress } from "../progress.ts";
import { ensureImages, IMAGE_NAMES, type ImageName } from "./index.ts";

const names = process.argv.slice(2);
const unknown = names.filter((name) => !IMAGE_NAMES.includes(name as ImageName));
if (unknown.length > 0) {
  console.error(`no image is called ${unknown.join(", ")}; there are: ${IMAGE_NAMES.join(", ")}`);
  process.exit(2);
}
const images = await ensureImages(names.length > 0 ? (names as ImageName[]) : IMAGE_NAMES, lineProgress());
for (const { ref, tar } of Object.values(images)) console.log(`${ref} ${tar}`);
