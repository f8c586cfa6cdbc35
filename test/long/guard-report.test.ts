/** What a reviewer reads of a hundred containers: real previews, and the command as CI runs it. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alice, bob, containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { clusterProvider } from "../../packages/drawbridge/src/stacks/program/teams.ts";
import {
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  whole,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { entriesOf, guard } from "../support/engine/guard.ts";

const githubsLimit = 65_536;
const count = 100;
const names = Array.from({ length: count }, (_, index) => `dev${index + 1}`);

type Edit = (index: number) => object;
let edit: Edit = () => ({});
let stack: Stack;
let removeState: () => Promise<void>;

beforeAll(async () => {
  const secrets: KeptSecrets = new Map();
  let isUp = false;
  ({ stack, removeState } = await testStack(
    async () => {
      if (!isUp) keepSecrets(secrets);
      const provider = clusterProvider();
      for (const [index, name] of names.entries())
        new DevContainer(name, { ...containerBase, ...edit(index) } as never, { provider });
    },
    { env: noCluster },
  ));
  await pretendUp(stack, secrets);
  isUp = true;
});
afterAll(() => removeState());

async function reportOf(change: Edit) {
  edit = change;
  const { code, report } = await guard(await previewDigest(stack, whole));
  return { code, report, lines: report.trim().split("\n") };
}

describe("the report of a hundred containers", () => {
  it("that all change alike is a page", { timeout: 600_000 }, async () => {
    const { code, report, lines } = await reportOf(() => ({
      authorizedKeys: [alice, bob],
      home: { size: "2Gi" },
      image: "registry.example.com/team/image:2.0.0",
    }));
    expect(code).toBe(0);
    expect(lines.length).toBeLessThan(30);
    expect(report).toContain('("bob") gains access to dev1 (the same for dev2 to dev100)\n');
    expect(report).toContain("\n- pods that restart, homes kept: dev1 to dev100\n");
    expect(report).toContain("\n- storage: +100 GiB\n");
    expect(report).toContain("\n- DevContainer dev1 to dev100\n  - home.size: 1Gi → 2Gi\n");
  });

  it("of which each crosses a wall of its own fits a comment, with all of it", {
    timeout: 600_000,
  }, async () => {
    const { code, report } = await reportOf((index) => ({
      image: `registry.example.com/team/image:2.0.${index}`,
      egress: { allow: [{ cidr: `10.${index}.0.0/16` }] },
    }));
    expect(code).toBe(1);
    expect(report.length).toBeLessThan(githubsLimit);
    const refused = report.match(/^- \[\*\*network-wall\*\*\].* the private network 10\.\d+\.0\.0\/16 .*$/gm);
    expect(refused).toHaveLength(count);
    expect(report.match(/^- DevContainer dev\d+$/gm)).toHaveLength(count);
    expect(report.match(/egress\.allow: none → \[\{"cidr":"10\.\d+\.0\.0\/16"\}\]$/gm)).toHaveLength(count);
    expect(report.match(/image: registry\S+:1\.0\.0 → registry\S+:2\.0\.\d+$/gm)).toHaveLength(count);
    expect(entriesOf(report)).toHaveLength(count);
    expect(report).not.toContain("was cut to fit");
  });
});
