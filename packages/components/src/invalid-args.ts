import { ArgsError, parseArgs } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";

/**
 * All faults of a component's arguments. The engine prints its message without a stack, whether the component
 * runs in the user's program or in a plugin.
 */
export class InvalidArgsError extends pulumi.InputPropertiesError {
  // Pulumi recognises its own error classes by fields like this one, not by instanceof.
  readonly __pulumiRunError = true;
  readonly issues: ArgsError["issues"];

  constructor(error: ArgsError) {
    // The second argument would make the engine print values, secrets included; the message says it all.
    super({ message: error.message, errors: [] });
    this.name = "InvalidArgsError";
    this.issues = error.issues;
  }
}

/** Called before super(), so that a component with faults registers nothing. */
export function checkArgs<S extends z.ZodType>(
  component: string,
  name: string,
  schema: S,
  args: unknown,
): z.output<S> {
  try {
    return parseArgs(component, name, schema, args);
  } catch (error) {
    throw error instanceof ArgsError ? new InvalidArgsError(error) : error;
  }
}
