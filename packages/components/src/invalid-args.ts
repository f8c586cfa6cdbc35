import type { ArgsError } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";

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
    // Where it was thrown is in this library, and a plugin would print it.
    this.stack = this.message;
  }

  /** The same faults, and a sentence behind them. */
  with(sentence: string): this {
    this.message = `${this.message}\n${sentence}`;
    this.stack = this.message;
    return this;
  }
}
