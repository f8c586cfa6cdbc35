/** The unit tests as Stryker runs them in a copy of the tree (`stryker.config.json`); all import the copy's manifests. */
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } },
  resolve: {
    alias: [
      { find: /^@drawbridge-iac\/manifests$/, replacement: resolve("packages/drawbridge/src/index.ts") },
    ],
  },
  test: {
    include: [
      "packages/drawbridge/src/**/*.test.ts",
      "packages/cli/src/{sshpod/*,terminal}.test.ts",
      "packages/controllers/src/frp-authorizer/**/*.test.ts",
      // The manifests' objects as they are recorded.
      "packages/drawbridge/src/isolation-builders.test.ts",
    ],
    testTimeout: 60_000,
  },
});
