import { type KubeObject, stringAt } from "../kubernetes/object.ts";
import { type Wait, waitForVerdict } from "./wait.ts";

/** The official provider never waits longer for a claim, whatever the timeouts say. */
export const BOUND_CAP_MS = 5 * 60_000;

/**
 * Waits until a claim is bound; pending is enough where its class binds at first use. A user who may not read storage
 * classes waits for "bound", as with the official provider.
 */
export async function waitForBound(wait: Wait): Promise<KubeObject> {
  const pendingIsEnough = await bindsAtFirstUse(wait);
  return waitForVerdict(wait, (claim) => {
    const phase = stringAt(claim, "status", "phase") ?? "Pending";
    if (phase === "Bound" || (phase === "Pending" && pendingIsEnough)) return { is: "ready" };
    return { is: "waiting", for: `the claim to be bound (${phase})` };
  });
}

async function bindsAtFirstUse({ client, live, signal }: Wait): Promise<boolean> {
  const name = stringAt(live, "spec", "storageClassName");
  if (!name) return false;
  const ref = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name };
  const storageClass = await client.get(ref, signal).catch(() => undefined);
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}
