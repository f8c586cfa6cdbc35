/** What the platform's stack gives out, read from its state. */
import type { PlatformOutputs } from "@drawbridge-iac/manifests/stack";
import * as pulumi from "@pulumi/pulumi";

const names = ["gateway", "frp", "storageProxy", "teams", "people"] as const;

/**
 * The values, not Outputs of them: which resources a team has must be known before anything is registered.
 * A stack that does not exist ends the program with Pulumi's own message, `unknown stack`.
 */
export async function platformOutputs(stack: string): Promise<PlatformOutputs> {
  const reference = new pulumi.StackReference(stack);
  const found = await Promise.all(
    names.map(async (name) => [name, (await reference.getOutputDetails(name)).value] as const),
  );
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}
