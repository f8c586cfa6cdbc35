/**
 * The published command in few files. A ProxyCommand runs at the start of every session, and loading the
 * Kubernetes client's thousand files would take longer than everything else of it together. CommonJS, and all that a
 * gateway needs in the first file: Node starts an ES module and each of its imports much more slowly.
 *   rolldown -c packages/cli/rolldown.config.ts
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  input: { main: here("src/main.ts") },
  platform: "node",
  resolve: { conditionNames: ["@drawbridge/source", "node", "import", "default"] },
  // Native helpers that `ws` uses where someone has installed them.
  external: ["bufferutil", "utf-8-validate"],
  // The client's generated models are classes that do nothing when loaded, so unused ones may go.
  treeshake: { moduleSideEffects: (id) => !id.includes("@kubernetes/client-node") },
  output: {
    dir: process.env.DRAWBRIDGE_CLI_DIST ?? here("dist"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: true,
  },
});
