/** Someone leaves: what the guard says of the platform's preview, and then of each team's, under the real engine. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { beforeAll, expect, it } from "vitest";
import { alice, bob } from "../../packages/drawbridge/src/host/base.trials.ts";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { program } from "../../packages/drawbridge/src/stacks/program/index.ts";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../packages/lab/src/pulumi.ts";
import {
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  whole,
} from "../../scripts/lib/engine/digest.ts";
import { unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { stackSecrets } from "../../scripts/lib/stacks/stacks.ts";
import { guard } from "../support/engine/guard.ts";

const people = (bobs: string) => `config:
  drawbridge:platform:
    people:
      alice: { keys: ["${alice}"], groups: [ml] }
      bob: { keys: [${bobs}], groups: [ml] }
`;
const team = (name: string, named: string) => `config:
  drawbridge:team:
    namespace: ${name}
    platform: platform
    members: { sshpod: { groups: [${name}] } }
    containerDefaults: { image: "registry.example.com/team/image:1.0.0", people: [alice] }
    containers: { dev1: { ${named} }, dev2: {} }
`;

const folder = temporaryFolder();
let isUp = false;
const secrets: KeptSecrets = new Map();

async function open(stack: string): Promise<Stack> {
  return inlineStack(await pulumiTools(silentProgress), {
    stack,
    project: "drawbridge",
    program: () => {
      if (!isUp) keepSecrets(secrets);
      return program(folder);
    },
    workDir: folder,
    backend: join(folder, "state"),
    passphrase: "only for tests",
    env: { KUBECONFIG: join(folder, "kubeconfig"), PULUMI_K8S_KUBECONFIG: unreachableKubeconfig },
  });
}

beforeAll(async () => {
  const files = {
    "Pulumi.yaml": "name: drawbridge\nruntime: nodejs\n",
    "Pulumi.platform.yaml": people(`"${bob}"`),
    "Pulumi.team-a.yaml": team("team-a", "people: [bob], groups: [ml]"),
    "Pulumi.team-b.yaml": team("team-b", "people: [], groups: [ml]"),
    "Pulumi.team-c.yaml": team("team-c", "people: [alice]"),
    "Pulumi.elsewhere.yaml": team("elsewhere", "people: [bob]").replace(
      "platform: platform",
      "platform: other",
    ),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});

/** The lines of the report's section on people; undefined where there is none. */
async function section(stack: Stack): Promise<string[] | undefined> {
  const { code, report } = await guard(await previewDigest(stack, whole), "--stacks", folder);
  expect(code, report).toBe(0);
  const [, lines] = /### Where people change\n\n((?:- .*\n)+)/.exec(report) ?? [];
  return lines?.trim().split("\n");
}

it("names the stacks at the platform's change, and says of each that it has to be brought up", {
  timeout: 600_000,
}, async () => {
  const platform = await open("platform");
  await platform.up();
  const a = await open("team-a");
  await a.setConfig("drawbridge:hostKeySeed", { value: stackSecrets.hostKeySeed, secret: true });
  await pretendUp(a, secrets);
  isUp = true;
  expect(await section(a)).toBeUndefined();

  const before = await readFile(join(folder, "Pulumi.platform.yaml"), "utf8");
  await writeFile(join(folder, "Pulumi.platform.yaml"), before.replace(`"${bob}"`, ""));
  expect(await section(platform)).toEqual([
    "- bob loses 1 key; to bring up after this stack: team-a",
    "- group:ml loses 1 key; to bring up after this stack: team-a, team-b",
  ]);
  // Until the platform is up, a team gets the people of before.
  expect(await section(a)).toBeUndefined();

  await platform.up();
  expect(await section(platform)).toBeUndefined();
  expect(await section(a)).toEqual(["- bob loses 1 key; to bring up: this stack, team-a (dev1)"]);
});
