/**
 * The controllers, each with all that it uses of the library, for npm and for their image, where nothing else is installed.
 *   rolldown -c packages/controllers/rolldown.config.ts
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  input: {
    "idle/main": here("src/idle/main.ts"),
    "frp-authorizer/main": here("src/frp-authorizer/main.ts"),
    "egress-authorizer/main": here("src/egress-authorizer/main.ts"),
  },
  platform: "node",
  // The image's build has the sources alone, no packages that are linked to each other.
  resolve: { alias: { "@drawbridge-iac/drawbridge/src": here("../drawbridge/src") } },
  output: {
    dir: process.env.DRAWBRIDGE_CONTROLLERS_DIST ?? here("dist"),
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
  },
});
