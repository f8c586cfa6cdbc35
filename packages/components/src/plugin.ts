/**
 * The components as a Pulumi plugin, for programs in other languages. Pulumi's `componentProviderHost` would do, but runs
 * the TypeScript compiler over all of @pulumi/kubernetes at every start to make the schema, which is made already.
 */
import type * as pulumi from "@pulumi/pulumi";
import { type ConstructResult, main, type Provider } from "@pulumi/pulumi/provider/index.js";
import description from "../package.json" with { type: "json" };
import written from "../schema.json" with { type: "json" };
import { DevContainer } from "./dev-container.ts";
import { FrpServer } from "./frp-server.ts";
import { InjectedSshd } from "./injected-sshd.ts";
import { InvalidArgsError } from "./invalid-args.ts";
import { SshGateway } from "./ssh-gateway.ts";
import { SshRoute } from "./ssh-route.ts";
import { StorageAccessor } from "./storage-accessor.ts";
import { StorageProxy } from "./storage-proxy.ts";
import { Team } from "./team.ts";
import { TeamMembers } from "./team-members.ts";
import { TeamPolicies } from "./team-policies.ts";

type Component = new (
  name: string,
  args: never,
  opts: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;

interface Schema {
  readonly resources: Record<string, { readonly properties: Record<string, unknown> }>;
}

const components: Readonly<Record<string, Component>> = {
  DevContainer,
  FrpServer,
  InjectedSshd,
  SshGateway,
  SshRoute,
  StorageAccessor,
  StorageProxy,
  Team,
  TeamMembers,
  TeamPolicies,
};

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
    const kind = components[type.split(":").at(-1) ?? ""];
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
      const isUnknown = (issue: { readonly code: string }) => issue.code === "unknown-key";
      if (!(error instanceof InvalidArgsError) || !error.issues.some(isUnknown)) throw error;
      throw error.with(`This is the plugin of drawbridge ${this.version}; ${sameVersion}.`);
    }
  }
}

const sameVersion = "the SDK and the plugin must have the same version";

// Nothing waits at the top of the module: as one file the plugin is no ES module.
void main(new DrawbridgePlugin(), process.argv.slice(2));
