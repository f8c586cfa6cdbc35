/** What components register, without an engine: the new states of a preview that makes them. */
import * as pulumi from "@pulumi/pulumi";
import { type Instance, make } from "./engine/every-argument.ts";

/** A resource's state, as in a preview's digest. */
export interface RegisteredState {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly parent: string;
  readonly inputs: Record<string, unknown>;
  readonly retainOnDelete: boolean;
}

interface Request {
  getType(): string;
  getName(): string;
  getParent(): string;
  getCustom(): boolean;
  getRetainondelete(): boolean;
  getObject(): { toJavaScript(): Record<string, unknown> };
}

interface Monitor {
  registerResource(request: Request, done: unknown): Promise<void>;
  newUrn(parent: string, type: string, name: string): string;
}

/**
 * The new states of a preview that makes the instances.
 * @param settings the stack's configuration
 */
export async function registered(
  instances: readonly Instance[],
  settings: Readonly<Record<string, string>> = {},
): Promise<RegisteredState[]> {
  const mocks = {
    newResource: ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({ id: name, state: inputs }),
    call: ({ inputs }: pulumi.runtime.MockCallArgs) => inputs,
  };
  await pulumi.runtime.setMocks(mocks, "project", "stack", true);
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const states: RegisteredState[] = [];
  const original = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    const [type, parent] = [request.getType(), request.getParent()];
    states.push({
      urn: monitor.newUrn(parent, type, request.getName()),
      type,
      custom: request.getCustom(),
      parent,
      inputs: shown(request.getObject().toJavaScript()) as Record<string, unknown>,
      retainOnDelete: request.getRetainondelete(),
    });
    return original(request, done);
  };
  pulumi.runtime.setAllConfig(settings);
  for (const one of instances) make(one);
  pulumi.runtime.setAllConfig({});
  await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  return states;
}

// How the SDK marks a secret on its way to the engine.
const signature = "4dabf18193072939515e22adb298388d";

function shown(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return "[secret]";
  if (Array.isArray(value)) return value.map(shown);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner)]));
}
