/** What the guard says of a stack's first preview, when nothing of it is there and much is known at `up` only. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProjectCopy, type StackName } from "../../scripts/lib/stacks/stacks.ts";
import { guard, previewJson } from "../support/engine/guard.ts";

let project: ProjectCopy;

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: false });
});
afterAll(() => project.remove());

async function judged(name: StackName) {
  const stack = await project.open(name);
  await project.setSecrets(stack);
  const { code, report } = await guard(await previewJson(stack));
  const found = [...report.matchAll(/^- \[\*\*([a-z-]+)\*\*\]\(\S+\) (.*)$/gm)];
  return { code, found: found.map(([, rule, text]) => `${rule}: ${text}`), report };
}

describe("a first preview of", () => {
  it("the platform is daily work", async () => {
    const { code, found } = await judged("platform");
    expect({ code, found }).toEqual({ code: 0, found: [] });
  });

  it("a team whose container mounts a storage that is prepared at `up` is daily work", async () => {
    const { code, found, report } = await judged("team-a");
    expect({ code, found }).toEqual({ code: 0, found: [] });
    expect(report).toContain("\n- DevContainer dev1 is new\n");
    expect(report).not.toContain("04da6b54");
  });
});
