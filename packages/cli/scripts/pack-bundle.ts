/**
 * Takes the sshd bundle out of its image and writes the archive that `drawbridge proxy` copies into containers.
 *   node packages/cli/scripts/pack-bundle.ts IMAGE.tar amd64 [FOLDER]
 * IMAGE.tar is a docker-archive (`docker save`, `podman save`, or the lab's own). FOLDER is `packages/cli/bundle`
 * unless given. Run it once per architecture before the package is published.
 */
import { fileURLToPath } from "node:url";
import { packBundle } from "../src/sshpod/pack-bundle.ts";

const [image, architecture, folder] = process.argv.slice(2);
if (image === undefined || architecture === undefined) {
  console.error("usage: node packages/cli/scripts/pack-bundle.ts IMAGE.tar amd64|arm64 [FOLDER]");
  process.exit(2);
}
const target = folder ?? fileURLToPath(new URL("../bundle", import.meta.url));
console.log(await packBundle(image, architecture, target));
