/**
 * A package that users import, in few files: its own modules, and what it uses of the library's pure parts.
 * JavaScript stays readable, and its declarations are bundled alike.
 */
import { defineConfig } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** @param entries of the package: paths from its folder with `./`, without which declarations lose their name, by the name of
 *   the file in `dist` */
export const library = (entries: Readonly<Record<string, string>>) =>
  defineConfig({
    input: entries,
    platform: "node",
    resolve: { conditionNames: ["@drawbridge/source", "node", "import", "default"] },
    external: (id) => /^[@\w]/.test(id) && !id.startsWith("@drawbridge-iac/"),
    plugins: [dts({ tsconfig: "../../tsconfig.json", eager: true })],
    output: { dir: "dist", format: "esm", chunkFileNames: "[name]-[hash].js" },
  });
