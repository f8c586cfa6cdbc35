/**
 * The components as a Pulumi plugin, for programs in other languages. Pulumi's `componentProviderHost` would do, but runs
 * the TypeScript compiler over all of @pulumi/kubernetes at every start to make the schema, which is made already.
 */
import * as pulumi from "@pulumi/pulumi";
import { type ConstructResult, main, type Provider } from "@pulumi/pulumi/provider/index.js";
import description from "../package.json" with { type: "json" };
import written from "../schema.json" with { type: "json" };
import * as drawbridge from "./index.ts";
import { classOf } from "./kit/type-token.ts";

type Component = new (
  name: string,
  args: never,
  opts: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;

interface Schema {
  readonly resources: Record<string, { readonly properties: Record<string, unknown> }>;
}

/** A component of the program that the plugin serves, as an argument: its outputs are what the program knows of them. */
class Referenced extends pulumi.ComponentResource {
  constructor(type: string, name: string, urn: string) {
    const { properties = {} } = (written as Schema).resources[type] ?? {};
    const outputs = Object.keys(properties).map((output) => [output, undefined]);
    // Remote: without that, dependencies on it would be in no state.
    super(type, name, Object.fromEntries(outputs), { urn }, true);
  }
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
    const kind = exported[classOf(type)] as Component | undefined;
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

pulumi.runtime.registerResourceModule("drawbridge", "index", {
  version: description.version,
  construct: (name, type, urn) => new Referenced(type, name, urn),
});

// No top-level await: the bundled plugin is CommonJS.
void main(new DrawbridgePlugin(), process.argv.slice(2));
