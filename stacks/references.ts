/** What the platform's stack gives out, read from its state. */
import * as pulumi from "@pulumi/pulumi";

/** Outputs of a platform's stack that a team uses. */
export interface PlatformOutputs {
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly storageProxy?: unknown;
}

const names = ["gateway", "frp", "storageProxy"] as const;

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
