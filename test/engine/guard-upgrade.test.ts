/** What an upgrade of the library does to stacks that are there, as the guard tells it. */
import { describe, expect, it } from "vitest";
import { type RecordedName, recordedCases, recordedStack } from "../../scripts/lib/engine/recorded.ts";
import { acceptanceFile, guard, previewJson } from "../support/engine/guard.ts";

/** What a release interrupts or declares anew: rules that its upgrade runs into, to be told in its notes. */
const announced: Readonly<Partial<Record<RecordedName, readonly string[]>>> = {};

/** What the report says of sessions where a listener changes. */
const advice =
  /^- sessions through the gateway \S+ end after its drain time .* do it at night, .* drainSeconds .* second gateway first$/m;

const rulesOf = (report: string) =>
  [...new Set([...report.matchAll(/^- \[\*\*([a-z-]+)\*\*\]/gm)].map(([, rule]) => rule))].sort();

describe("an upgrade of the library", () => {
  it.each(Object.keys(recordedCases) as RecordedName[])(
    "of %s is judged, and does what is announced",
    { timeout: 300_000 },
    async (name) => {
      const rules = announced[name] ?? [];
      const { stack, folder, remove } = await recordedStack(name);
      try {
        const preview = await previewJson(stack);
        const { code, report } = await guard(preview);
        expect({ rules: rulesOf(report), code }).toEqual({ rules, code: rules.length === 0 ? 0 : 1 });
        expect(advice.test(report)).toBe(rules.includes("ssh-listener-changed"));
        const file = await acceptanceFile(report, rules, folder);
        expect((await guard(preview, "--accept-file", file)).code).toBe(0);
      } finally {
        await remove();
      }
    },
  );
});
