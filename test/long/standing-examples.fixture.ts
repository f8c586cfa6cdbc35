/** Brings examples up as their READMEs say: an `up`, no change by a further preview or refresh, and a login. */
import type { ConfigMap, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { expect } from "vitest";
import { type TestStack, testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, kubectl, type Laptop, type Outcome } from "../../scripts/lib/lab/lab.ts";
import { changes } from "../support/engine/settled.ts";
import { testSeed } from "../support/lab/cluster.ts";

type EngineStack = Awaited<ReturnType<typeof testStack>>;

const opened: EngineStack[] = [];

/** Removes everything again: all examples use the same names, so the next one needs them free. */
export async function closeExamples(): Promise<void> {
  const made = opened.splice(0).reverse();
  for (const { stack } of made) await stack.destroy();
  for (const { removeState } of made) await removeState();
  await kubectl(["delete", "namespace", "team-a", "ssh-ingress", "files", "--ignore-not-found"]);
}

/** A stack that is up and has settled. */
export async function standing(
  laptop: Laptop,
  program: PulumiFn,
  config: Readonly<Record<string, string>> = {},
  place?: TestStack,
) {
  const made = await testStack(program, place);
  opened.push(made);
  const plain: ConfigMap = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, { value }]),
  );
  await made.stack.setAllConfig({ ...plain, "authorizedKeys[0]": { value: laptop.publicKey } }, true);
  await made.stack.setConfig("hostKeySeed", { value: testSeed, secret: true });
  await made.stack.setConfig("alicePassword", { value: "only-for-tests-alice", secret: true });
  const { outputs } = await made.stack.up();
  for (const operation of ["preview", "refresh", "preview"] as const)
    expect(await changes(made.stack, operation)).toEqual([]);
  return Object.assign((name: string) => String(outputs[name]?.value), { backend: made.backend });
}

/** What a command prints once the way in is open. */
export async function printed(attempt: () => Promise<Outcome>): Promise<string> {
  return eventually(
    "the first login",
    async () => {
      const { code, stdout, stderr } = await attempt();
      if (code !== 0) throw new Error(stderr.trim());
      return stdout.trim();
    },
    90,
  );
}
