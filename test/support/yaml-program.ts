/**
 * Programs in Pulumi YAML, whose own host comes with Pulumi's release only: as much of the language as the examples use.
 * Components go through the plugin, as from any other language.
 */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { Remote } from "./remote.ts";

export interface YamlResource {
  readonly type: string;
  readonly name?: string;
  readonly properties?: Record<string, unknown>;
  readonly options?: { readonly dependsOn?: readonly string[] };
}

export interface YamlProgram {
  readonly config?: Record<
    string,
    { readonly type: string; readonly secret?: boolean; readonly default?: unknown }
  >;
  readonly resources: Record<string, YamlResource>;
  readonly outputs?: Record<string, unknown>;
}

export const readYaml = (text: string): YamlProgram => parse(text) as YamlProgram;

const wholeReference = /^\$\{([^}]+)\}$/;

/** What the references in a text name: a resource or a configuration value, and what of it. */
export const referencesIn = (text: string): string[][] =>
  [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, path = ""]) => path.split("."));

/** Registers what the program declares; returns its outputs. */
export function runYaml({ config = {}, resources, outputs = {} }: YamlProgram): pulumi.Inputs {
  const made = new Map<string, pulumi.Resource>();

  function referred([name = "", ...path]: string[]): unknown {
    const declared = config[name];
    const whole = declared === undefined ? resourceOf(name) : configured(name, declared);
    return path.reduce((value, key) => (value as Record<string, unknown>)[key], whole as unknown);
  }

  function resourceOf(name: string): pulumi.Resource {
    const resource = resources[name];
    if (resource === undefined) throw new Error(`there is no resource or configuration value "${name}"`);
    const known = made.get(name);
    if (known !== undefined) return known;
    const { type, properties = {}, options = {} } = resource;
    const dependsOn = (options.dependsOn ?? []).map((text) => evaluated(text) as pulumi.Resource);
    const args = evaluated(properties) as Record<string, never>;
    const fresh = registered(type, resource.name ?? name, args, { dependsOn });
    made.set(name, fresh);
    return fresh;
  }

  function evaluated(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(evaluated);
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, evaluated(inner)]));
    }
    const [, path] = wholeReference.exec(String(value)) ?? [];
    if (path !== undefined) return referred(path.split("."));
    if (typeof value === "string" && value.includes("${"))
      throw new Error(`a reference inside a text: ${value}`);
    return value;
  }

  for (const name of Object.keys(resources)) resourceOf(name);
  return evaluated(outputs) as pulumi.Inputs;
}

function configured(
  name: string,
  { type, secret, default: otherwise }: NonNullable<YamlProgram["config"]>[string],
) {
  const config = new pulumi.Config();
  if (secret === true) return config.requireSecret(name);
  if (otherwise !== undefined) return config.get(name) ?? otherwise;
  return type === "string" ? config.require(name) : config.requireObject(name);
}

function registered(
  type: string,
  name: string,
  args: Record<string, never>,
  opts: pulumi.CustomResourceOptions,
) {
  const [, component] = /^drawbridge:(\w+)$/.exec(type) ?? [];
  if (component !== undefined) return new Remote(component, name, args, opts);
  if (type === "kubernetes:core/v1:Namespace") return new k8s.core.v1.Namespace(name, args, opts);
  throw new Error(`the tests know no resource of type ${type}`);
}
