/** What an upgrade of the library does to stacks that are there, as the guard tells it. */
import { describe, expect, it } from "vitest";
import { guard, previewJson } from "../support/guard.ts";
import { type RecordedName, recordedCases, recordedStack } from "../support/recorded.ts";

/** What a release does to open sessions and walls: rules that its upgrade runs into, to be told in its notes. */
const announced: Readonly<Record<RecordedName, readonly string[]>> = {
  platform: [],
  "team-a": [],
  minimal: [],
  storage: [],
  "frp-without-istio": [],
};

const rulesOf = (report: string) =>
  [...new Set([...report.matchAll(/^- \[\*\*([a-z-]+)\*\*\]/gm)].map(([, rule]) => rule))].sort();

describe("an upgrade of the library", () => {
  it.each(Object.entries(announced) as [RecordedName, readonly string[]][])(
    "of %s is judged, and does what is announced",
    { timeout: 300_000 },
    async (name, rules) => {
      const { stack, remove } = await recordedStack(name);
      try {
        const { code, report } = await guard(await previewJson(stack));
        expect({ rules: rulesOf(report), code, report }).toMatchObject({
          rules: [...rules].sort(),
          code: rules.length === 0 ? 0 : expect.any(Number),
        });
        expect(report).not.toContain("### Why it could not be judged");
      } finally {
        await remove();
      }
    },
  );

  it("is announced with what to do where it changes a listener", { timeout: 300_000 }, async () => {
    const { stack, remove } = await recordedStack("platform");
    try {
      const exported = await stack.exportStack();
      // As if an earlier version had written the gateway's listener otherwise.
      const text = JSON.stringify(exported.deployment).replaceAll('"http-plain"', '"http-old"');
      expect(text).not.toBe(JSON.stringify(exported.deployment));
      await stack.importStack({ ...exported, deployment: JSON.parse(text) });
      const { code, report } = await guard(await previewJson(stack));
      expect(code).toBe(1);
      expect(rulesOf(report)).toEqual(["ssh-listener-changed"]);
      expect(report).toMatch(
        /^- sessions through the gateway \S+ end after its drain time .* do it at night, .* drainSeconds .* second gateway first$/m,
      );
    } finally {
      await remove();
    }
  });

  it("covers every recorded state", () => {
    expect(Object.keys(announced)).toEqual(Object.keys(recordedCases));
  });
});
