/**
 * A package that users import, in few files: its own modules, and what it uses of the packages that are not published.
 * JavaScript stays readable, and its declarations are bundled alike.
 */
import { basename } from "node:path";
import { defineConfig } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** @param entries of the package, as paths from its folder; each is `dist/<name>.js` */
export const library = (entries: readonly string[]) =>
  defineConfig({
    input: Object.fromEntries(entries.map((entry) => [basename(entry, ".ts"), entry])),
    platform: "node",
    resolve: { conditionNames: ["@drawbridge/source", "node", "import", "default"] },
    external: (id) => /^[@\w]/.test(id) && !id.startsWith("@drawbridge-iac/"),
    plugins: [dts({ tsconfig: "../../tsconfig.json", eager: true })],
    output: { dir: "dist", format: "esm", chunkFileNames: "[name]-[hash].js" },
  });
