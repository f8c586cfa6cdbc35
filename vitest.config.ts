import { defineConfig } from "vitest/config";

// The packages' own TypeScript sources are used, never a stale dist folder.
const ssr = { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } };

/** The lab tests that every submission runs: the spine and each way in. The others run with the long ones. */
const core = [
  "attacks",
  "container",
  "container-modes",
  "frp",
  "gateway",
  "gateway-tls",
  "idle",
  "instances",
  "lab",
  "sshd-images",
  "sshpod",
  "stacks",
  "storage",
].map((name) => `test/lab/${name}.test.ts`);

/** Says which Kubernetes provider is used. */
const globalSetup = "test/support/say-provider.ts";

/**
 * unit: beside the source. engine: the real Pulumi CLI. lab and long: the real cluster, started by scripts/run; nodes: one
 * of three nodes, which the tests stop and freeze; upgrades: one that begins with the versions before.
 * release: all that a release publishes, made and started, also on the oldest versions that it allows.
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
          maxWorkers: 2,
        },
      },
      {
        ssr,
        test: {
          name: "lab",
          globalSetup,
          include: core,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Each file has namespaces of its own, and waits more than it works.
          maxWorkers: 2,
        },
      },
      {
        ssr,
        test: {
          name: "long",
          globalSetup,
          include: ["test/lab/**/*.test.ts", "test/long/**/*.test.ts"],
          exclude: core,
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
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
