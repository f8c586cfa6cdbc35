/** One preview for all trials of a component: each edit is made to an instance of its own. */
import type * as pulumi from "@pulumi/pulumi";
import type { AnyTrials, Args } from "../../../packages/drawbridge/src/kit/trials.fixture.ts";
import { clusterProvider } from "../../../packages/drawbridge/src/stacks/program/teams.ts";
import { describeCost } from "../../../packages/guard/src/cost.ts";
import { type Change, judge, parseBounds, readPreview } from "../../../packages/guard/src/index.ts";
import { type KeptSecrets, keepSecrets, pretendUp, previewDigest, whole } from "../engine/digest.ts";
import { noCluster, testStack } from "../engine/engine.ts";
import { edited } from "./edit.ts";

// What an argument refers to is the team's own.
const bounds = parseBounds({ namespaces: ["team-a", "team-b"] }, "bounds");

/** Registers one instance. */
export type Make = (name: string, args: Args, opts: pulumi.ComponentResourceOptions) => unknown;

/** The instance that is left as it is, to show that nothing else makes a difference. */
export const untouched = "untouched";

/** What the guard and the engine make of each edit, by the fields' paths. */
export async function verdicts(
  trials: AnyTrials,
  make: Make,
  base: (name: string) => Args,
): Promise<Record<string, string>> {
  const all: AnyTrials = { [untouched]: { to: {}, verdict: "unchanged" }, ...trials };
  const instances = Object.entries(all).map(([path, edit], index) => ({
    path,
    edit,
    name: `x${String(index).padStart(3, "0")}`,
  }));
  let isEdited = false;
  const secrets: KeptSecrets = new Map();
  const { stack, removeState } = await testStack(
    async () => {
      if (!isEdited) keepSecrets(secrets);
      const provider = clusterProvider();
      for (const { path, name, edit } of instances) {
        const { before, after } = edited(path, edit, base(name));
        make(name, isEdited ? after : before, { provider });
      }
    },
    { env: noCluster },
  );
  try {
    await pretendUp(stack, secrets);
    isEdited = true;
    const changes = readPreview(await previewDigest(stack, whole));
    return Object.fromEntries(
      instances.map(({ path, name }) => [path, verdict(changes.filter((change) => belongs(change, name)))]),
    );
  } finally {
    await removeState();
  }
}

function belongs({ name, component }: Change, instance: string): boolean {
  return [name, component?.name].some((one) => one === instance || one?.startsWith(`${instance}-`));
}

function verdict(changes: readonly Change[]): string {
  const { refused, unjudged, access } = judge({ changes, failures: [] }, [], new Date(), bounds);
  const rules = [...new Set([...refused, ...unjudged].map(({ rule }) => rule))].sort();
  // A component is no object; the state that is made up for it lacks its secrets, so that it always differs.
  const isChanged = changes.some(({ op, type }) => op !== "same" && !type.startsWith("drawbridge:"));
  const pods = changes.some(restarts) ? "restarts" : isChanged ? "harmless" : "unchanged";
  const reported = ["gains", "loses"].filter((one) => access.some(({ effect }) => effect === one));
  const costs = describeCost(changes).length > 0 ? ["costs"] : [];
  return [...rules, pods, ...reported, ...costs].join(" ");
}

/** Whether pods end for it: another template, no replicas any more, or the whole workload replaced. */
function restarts({ op, type, before, after }: Change): boolean {
  if (!/^kubernetes:apps\/v1:/.test(type) || op === "create") return false;
  const spec = (inputs: Change["before"]) =>
    (inputs?.spec ?? {}) as { template?: unknown; replicas?: unknown };
  const [was, is] = [spec(before), spec(after)];
  const ends = is.replicas === 0 && was.replicas !== 0;
  const differs = JSON.stringify(was.template) !== JSON.stringify(is.template);
  return op !== "same" && (op !== "update" || ends || differs);
}
