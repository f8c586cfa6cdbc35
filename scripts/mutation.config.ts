/** The unit tests as Stryker runs them in a copy of the tree (`stryker.config.json`); all import the copy's library. */
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } },
  resolve: {
    alias: [
      {
        find: /^@drawbridge-iac\/drawbridge\/src\/(.*)$/,
        replacement: `${resolve("packages/drawbridge/src")}/$1.ts`,
      },
    ],
  },
  test: {
    include: [
      "packages/drawbridge/src/**/*.test.ts",
      "packages/cli/src/{sshpod/*,terminal}.test.ts",
      "packages/controllers/src/frp-authorizer/**/*.test.ts",
      // The objects as they are recorded.
      "scripts/lib/trials/objects.test.ts",
    ],
    testTimeout: 60_000,
  },
});
