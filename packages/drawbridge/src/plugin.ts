/**
 * The components as a Pulumi plugin, for programs in other languages. Pulumi's `componentProviderHost` would do, but runs
 * the TypeScript compiler over all of @pulumi/kubernetes at every start to make the schema, which is made already.
 */
import type * as pulumi from "@pulumi/pulumi";
import { type ConstructResult, main, type Provider } from "@pulumi/pulumi/provider/index.js";
import description from "../package.json" with { type: "json" };
import written from "../schema.json" with { type: "json" };
import * as drawbridge from "./index.ts";

type Component = new (
  name: string,
  args: never,
  opts: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;

interface Schema {
  readonly resources: Record<string, { readonly properties: Record<string, unknown> }>;
}

const exported: Readonly<Record<string, unknown>> = drawbridge;

class DrawbridgePlugin implements Provider {
  readonly version = description.version;
  readonly schema: string;
  readonly #described = written as Schema;

  constructor() {
    this.schema = JSON.stringify({ ...this.#described, version: this.version });
  }

  async construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: pulumi.ComponentResourceOptions,
  ): Promise<ConstructResult> {
    const described = this.#described.resources[type];
    const kind = exported[type.split(":").at(-1) ?? ""] as Component | undefined;
    if (described === undefined || kind === undefined) {
      throw new Error(`there is no component ${type} in drawbridge ${this.version}; ${sameVersion}`);
    }
    const made = this.#made(kind, name, inputs, options);
    const outputs = Object.keys(described.properties).map((output) => [
      output,
      (made as unknown as pulumi.Inputs)[output],
    ]);
    return { urn: made.urn, state: Object.fromEntries(outputs) };
  }

  #made(kind: Component, name: string, inputs: pulumi.Inputs, options: pulumi.ComponentResourceOptions) {
    try {
      return new kind(name, inputs as never, options);
    } catch (error) {
      // An argument that the SDK has and the plugin does not know may mean that their versions differ.
      const isUnknown = ({ unknownKey }: { readonly unknownKey?: string | undefined }) =>
        unknownKey !== undefined;
      if (!(error instanceof drawbridge.InvalidArgsError) || !error.issues.some(isUnknown)) throw error;
      throw error.with(`This is the plugin of drawbridge ${this.version}; ${sameVersion}.`);
    }
  }
}

const sameVersion = "the SDK and the plugin must have the same version";

// No top-level await: the bundled plugin is CommonJS.
void main(new DrawbridgePlugin(), process.argv.slice(2));
