import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const pinsFolder = fileURLToPath(new URL("../../tools", import.meta.url));

/** The absolute path of a file that pins versions, for example `etcd`, `go.mod`. */
export function moduleFile(module: string, file: string): string {
  return join(pinsFolder, module, file);
}

/** The text of a file that pins versions. */
export function readModuleFile(module: string, file: string): string {
  return readFileSync(moduleFile(module, file), "utf8");
}

/** All files of a module: its pins and the main packages that are our own. */
export function moduleTexts(module: string): string[] {
  const files = readdirSync(join(pinsFolder, module), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return paths.sort().map((path) => readFileSync(path, "utf8"));
}

/** A short name for a list of inputs: another input, another order or another machine architecture gives another name. */
export function fingerprint(inputs: readonly string[], architecture: string = process.arch): string {
  const hash = createHash("sha256");
  // The length before each part, so that ["ab", "c"] and ["a", "bc"] differ.
  for (const input of [architecture, ...inputs]) hash.update(`${Buffer.byteLength(input)}:`).update(input);
  return hash.digest("hex").slice(0, 12);
}
