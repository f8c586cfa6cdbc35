/** What there is to install where no registry is reached: packages that say hello. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { typed } from "../../scripts/lib/lab/lab.ts";

export const wheel = "greeter-1.0-py3-none-any.whl";

/** Writes texts below a folder, by their paths. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Makes the Python `wheel` and `greeter.tgz` for npm in a folder. */
export async function writeGreeters(folder: string): Promise<void> {
  await writeFiles(folder, {
    "wheel/greeter.py": "def main():\n    print('hello from Python')\n",
    "wheel/greeter-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: greeter\nVersion: 1.0\n",
    "wheel/greeter-1.0.dist-info/WHEEL":
      "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "wheel/greeter-1.0.dist-info/entry_points.txt": "[console_scripts]\ngreet-python = greeter:main\n",
    "wheel/greeter-1.0.dist-info/RECORD": "",
    "npm/package/package.json": JSON.stringify({
      name: "greeter",
      version: "1.0.0",
      bin: { "greet-node": "greet.js" },
    }),
    "npm/package/greet.js": "#!/usr/bin/env node\nconsole.log('hello from Node');\n",
  });
  const zip = `python3 -m zipfile -c ../${wheel} greeter.py greeter-1.0.dist-info`;
  await typed(zip, { cwd: join(folder, "wheel") });
  await typed("tar -czf ../greeter.tgz package", { cwd: join(folder, "npm") });
}
