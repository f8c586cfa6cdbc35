/** Components as a program in another language has them: made by the plugin, which the engine starts. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { writtenSchema } from "../plugin-schema.ts";
import type { DigestResource } from "./digest.ts";

const { resources } = writtenSchema();

/** The names of a component's outputs. */
export function outputsOf(kind: string): string[] {
  return Object.keys(resources[`drawbridge:index:${kind}`]?.properties ?? {});
}

/** What the SDK of any language sends. Its outputs are properties, as in a generated class. */
export class Remote extends pulumi.ComponentResource {
  constructor(kind: string, name: string, args: object, opts: pulumi.ComponentResourceOptions = {}) {
    const outputs = Object.fromEntries(outputsOf(kind).map((output) => [output, undefined]));
    super(`drawbridge:index:${kind}`, name, { ...outputs, ...args }, opts, true);
  }
}

interface Planned extends DigestResource {
  readonly sourcePosition?: unknown;
  readonly stackTrace?: unknown;
  readonly dependencies?: readonly string[];
}

/** What a preview's digest plans, by URN, without places in a program and with dependencies in one order. */
export function plannedIn(digest: string): Map<string, { readonly op: string }> {
  const { steps } = JSON.parse(digest.slice(digest.indexOf("{"))) as {
    steps: { op: string; urn: string; newState?: Planned }[];
  };
  return new Map(
    steps.map(({ op, urn, newState = {} }) => {
      const { sourcePosition: _, stackTrace: __, dependencies = [], ...state } = newState as Planned;
      return [urn, { op, ...state, dependencies: [...dependencies].sort() }];
    }),
  );
}

/** Makes a preview print its events, one a line, instead of a digest, which has no outputs. */
export const asEvents = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };

interface State {
  readonly urn: string;
  readonly type: string;
  readonly outputs?: object;
}

/** The new states in a preview's events of one kind: before its resources' steps, or after. */
function statesIn(events: string, kind: "resourcePreEvent" | "resOutputsEvent"): State[] {
  const lines = events.split("\n").filter((text) => text.startsWith("{"));
  return lines.flatMap((line) => JSON.parse(line)[kind]?.metadata.new ?? []);
}

/** What a preview's events plan, by URN; unlike a digest, they have no dependencies. */
export function plannedInEvents(events: string): Map<string, object> {
  return new Map(statesIn(events, "resourcePreEvent").map((state) => [state.urn, state]));
}

/** The outputs of the stack and of components, by URN, in a preview's events. */
export function outputsIn(events: string): Map<string, object> {
  const made = statesIn(events, "resOutputsEvent").filter(({ type }) => !type.startsWith("kubernetes:"));
  return new Map(
    made.flatMap(({ urn, outputs }) => (outputs === undefined ? [] : [[urn, outputs] as const])),
  );
}

/** A resource without its dependencies: the plugin names a component where TypeScript names a resource of it. */
export function withoutSources(resource: object = {}): object {
  const { dependencies: _, propertyDependencies: __, ...rest } = resource as Record<string, unknown>;
  return rest;
}

/** Where the engine finds `pulumi-resource-drawbridge`: npm links it there. */
export function withPlugin(path = process.env.PATH ?? ""): string {
  return [resolve("node_modules/.bin"), path].join(delimiter);
}

/** A stack in a project of another language. Its program is inline, as with the Automation API of any language. */
export async function stackOf(
  runtime: string,
  program: PulumiFn,
  { backend, env = {} }: { readonly backend?: string; readonly env?: Record<string, string> } = {},
) {
  const workDir = await mkdtemp(join(tmpdir(), "drawbridge-language-"));
  await writeFile(join(workDir, "Pulumi.yaml"), `name: drawbridge-test\nruntime: ${runtime}\n`);
  const tools = await pulumiTools(silentProgress);
  const stack = await inlineStack(tools, {
    stack: "test",
    project: "drawbridge-test",
    program,
    workDir,
    backend: backend ?? join(workDir, "state"),
    passphrase: "only for tests",
    env: { PATH: withPlugin(tools.env.PATH), ...env },
  });
  return { stack, workDir, remove: () => rm(workDir, { recursive: true, force: true }) };
}
