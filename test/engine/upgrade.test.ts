/** New code against the states that earlier code left: nothing is replaced, and no pod restarts. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPreview } from "../../packages/preview-guard/src/index.ts";
import { previewJson } from "../support/guard.ts";
import { type RecordedName, recordedCases, recordedStack } from "../support/recorded.ts";

const recorded = Object.keys(recordedCases).filter((name) => existsSync(`test/recorded/${name}`));

/** Pod template of a workload's inputs. */
function template(inputs: Readonly<Record<string, unknown>> | undefined): unknown {
  return (inputs?.spec as { template?: unknown } | undefined)?.template;
}

describe("an upgrade of the library", () => {
  it("is tested against every case that is recorded", () => {
    expect(recorded).toEqual(Object.keys(recordedCases));
  });

  it.each(recorded as RecordedName[])("keeps every object of %s, and every pod running", async (name) => {
    const { stack, remove } = await recordedStack(name);
    try {
      const changes = readPreview(await previewJson(stack));
      const ops = changes
        .filter(({ op }) => op !== "same" && op !== "update")
        .map(({ op, urn }) => `${op} ${urn}`);
      expect(ops).toEqual([]);
      const restarted = changes
        .filter(({ before, after }) => JSON.stringify(template(before)) !== JSON.stringify(template(after)))
        .map(({ urn }) => urn);
      expect(restarted).toEqual([]);
      // The components' workloads are among them, so an empty list above says something.
      expect(changes.filter(({ after }) => template(after) !== undefined).length).toBeGreaterThan(0);
    } finally {
      await remove();
    }
  });
});
