import { defineConfig } from "vitest/config";

// The packages' own TypeScript sources are used, never a stale dist folder.
const ssr = { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } };

/** Says which Kubernetes provider is used. */
const globalSetup = "test/support/engine/say-provider.ts";

/**
 * unit: beside the source. engine: the real Pulumi CLI. lab: the real cluster, started by scripts/run; every submission runs
 * these. long: the same, before a release, and sweeps that repeat what others show; nodes: one
 * of three nodes, which the tests stop and freeze; upgrades: one that begins with the versions before; machines: one
 * with an emulated machine.
 * release: all that a release publishes, made and started, also on the oldest versions that it allows, and CI's recipes.
 */
export default defineConfig({
  ssr,
  test: {
    projects: [
      {
        ssr,
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "scripts/**/*.test.ts",
            "stacks/**/*.test.ts",
            "test/bench/**/*.test.ts",
            "test/drill/**/*.test.ts",
          ],
          testTimeout: 60_000,
          // More than two cores have, since many tests wait: for sockets, shells and clocks.
          maxWorkers: 4,
          // Nothing has state outside of its tests; importing everything again for each file is a third of the time.
          isolate: false,
        },
      },
      {
        ssr,
        test: {
          name: "engine",
          globalSetup,
          include: ["test/engine/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // One more than two cores have: each waits for the CLI at times.
          maxWorkers: 3,
        },
      },
      {
        ssr,
        test: {
          name: "lab",
          globalSetup,
          include: ["test/lab/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Each file has namespaces of its own, and waits more than it works.
          maxWorkers: 4,
        },
      },
      {
        ssr,
        test: {
          name: "long",
          globalSetup,
          include: ["test/long/**/*.test.ts"],
          // Longer ones say so themselves.
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
          fileParallelism: false,
        },
      },
      {
        ssr,
        test: {
          name: "nodes",
          globalSetup,
          include: ["test/nodes/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        ssr,
        test: {
          name: "upgrades",
          globalSetup,
          include: ["test/upgrades/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        ssr,
        test: {
          name: "machines",
          globalSetup,
          include: ["test/machines/**/*.test.ts"],
          testTimeout: 1_800_000,
          hookTimeout: 3_600_000,
          fileParallelism: false,
        },
      },
      {
        ssr,
        test: {
          name: "release",
          include: ["test/release/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 3_600_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
