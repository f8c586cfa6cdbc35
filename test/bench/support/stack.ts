/** Pulumi stacks of a scenario, which go when it ends. */
import type { OutputMap, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { testStack } from "../../../scripts/lib/engine/engine.ts";
import { kubectl } from "../../../scripts/lib/lab/lab.ts";
import type { Removal } from "../cleanup.ts";

/**
 * A stack that is destroyed when the scenario ends.
 * @param namespaces deleted after it, with what the stack retains in them
 */
export async function benchStack(
  later: (removal: Removal) => void,
  program: PulumiFn,
  namespaces: readonly string[] = [],
) {
  const made = await testStack(program);
  later(async () => {
    // An interrupted update leaves the stack locked.
    await made.stack.cancel().catch(() => undefined);
    await made.stack.destroy();
    await removeNamespaces(namespaces);
    await made.removeState();
  });
  return made;
}

/** Deletes namespaces with all that is in them; returns before they are gone. */
export async function removeNamespaces(namespaces: readonly string[]): Promise<void> {
  if (namespaces.length === 0) return;
  await kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
}

/** One output that holds a text per container, as one text. */
export function joinedOutput(outputs: OutputMap, name: string): string {
  const value = outputs[name]?.value as string[] | undefined;
  return (value ?? []).join("\n");
}
