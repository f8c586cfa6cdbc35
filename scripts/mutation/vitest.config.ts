/** One process of vitest that runs the tests again for each change; started by scripts/mutation.ts. */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { instrument } from "./instrumented.ts";

const { files, tests, notes, done } = JSON.parse(process.env.DRAWBRIDGE_MUTATION ?? "{}");
const { texts, changes } = await instrument(files);

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  ssr: { resolve: { conditions: ["@drawbridge/source", "node", "import", "default"] } },
  plugins: [
    {
      name: "changes",
      enforce: "pre",
      resolveId(source, importer) {
        const collected = source === "vitest" && importer?.endsWith(".test.ts");
        return collected ? resolve(import.meta.dirname, "collected.ts") : undefined;
      },
      load: (id) => texts.get(id),
    },
  ],
  test: {
    include: ["scripts/mutation/each-change.ts"],
    testTimeout: 0,
    // It would give the code as it was without the switches, and other runs the code with them.
    fsModuleCache: false,
    pool: "forks",
    reporters: ["dot"],
    // What a changed program leaves behind says nothing.
    dangerouslyIgnoreUnhandledErrors: true,
    provide: {
      changes,
      tests: globSync(tests)
        .map((file) => resolve(file))
        .sort(),
      notes,
      done,
    },
  },
});
