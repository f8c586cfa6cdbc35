/**
 * A package that users import, in few files: its own modules, and what it uses of the library's pure parts.
 * JavaScript stays readable, and its declarations are bundled alike.
 */
import { defineConfig, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/**
 * Declarations without the imports that only their sources' values need, and each once more as `.d.cts` for programs in
 * CommonJS: TypeScript before 5.8 refuses to `require` an ES module, which Node does.
 */
const declarations: Plugin = {
  name: "declarations",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk" || !file.fileName.endsWith(".d.ts")) continue;
      file.code = file.code.replace(/^import \{ (\w+) \} from "[^"]+";\n/gm, (line, name: string) =>
        file.code.split(new RegExp(`\\b${name}\\b`)).length > 2 ? line : "",
      );
      this.emitFile({ type: "asset", fileName: file.fileName.replace(/ts$/, "cts"), source: file.code });
    }
  },
};

/**
 * @param entries of the package by the name of the file in `dist`: paths from its folder that begin with `./`, or their
 * declarations would be called after the source
 */
export const library = (entries: Readonly<Record<string, string>>) =>
  defineConfig({
    input: entries,
    platform: "node",
    resolve: { conditionNames: ["@drawbridge/source", "node", "import", "default"] },
    external: (id) => /^[@\w]/.test(id) && !id.startsWith("@drawbridge-iac/"),
    plugins: [dts({ tsconfig: "../../tsconfig.json", eager: true }), declarations],
    output: { dir: "dist", format: "esm", chunkFileNames: "[name]-[hash].js" },
  });
