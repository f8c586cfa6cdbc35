import { defineConfig } from "vitest/config";

// The packages' own TypeScript sources are used, never a stale dist folder.
const ssr = { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } };

/** unit: beside the source. engine: the real Pulumi CLI. lab and long: the real cluster, started by scripts/run. */
export default defineConfig({
  ssr,
  test: {
    projects: [
      {
        ssr,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "stacks/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        ssr,
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        ssr,
        test: {
          name: "lab",
          include: ["test/lab/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        ssr,
        test: {
          name: "long",
          include: ["test/long/**/*.test.ts"],
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
