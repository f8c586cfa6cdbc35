/** The commands that the lab's page shows for several nodes, as they stand there. */
import { down, status } from "@drawbridge-iac/lab";
import { afterAll, expect, test } from "vitest";
import { run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";

/** As the page calls it. */
const name = "nodes";

afterAll(() => down(name));

test("a lab of three nodes, one frozen and thawed, one stopped and started", async () => {
  // Never one that someone works in.
  expect(await status(name)).toEqual({ name, phase: "absent" });
  const block = await pageBlock("packages/lab/README.md", "sh", "node freeze");
  const { code, stdout, stderr } = await run("sh", ["-euc", block], { timeoutSeconds: 300 });
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(stdout.match(/^lab-node\S* +Ready /gm)).toHaveLength(3);
  expect(stdout).toContain('lab "nodes" is ready');
  expect(stdout.match(/^ {2}lab-node-\d is \w+$/gm)).toEqual([
    "  lab-node-2 is running",
    "  lab-node-3 is running",
  ]);
  expect(stdout).toContain('lab "nodes" is down');
  expect(await status(name)).toEqual({ name, phase: "absent" });
});
