import { afterEach, expect, it } from "vitest";
import { register } from "./register.ts";

const before = Error.stackTraceLimit;
afterEach(() => {
  Error.stackTraceLimit = before;
});

const manifest = {
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "thing", annotations: { own: "kept" } },
};
const annotations = { own: "kept", "pulumi.com/deletionPropagationPolicy": "background" };
const registered = { ...manifest, metadata: { name: "thing", annotations } };

/** Stands for a resource class: what it was given, and a stack trace as Pulumi takes them. */
class Thing {
  readonly stack = new Error("noted").stack;
  readonly given: unknown[];
  constructor(...given: unknown[]) {
    this.given = given;
  }
}

class Refusing {
  constructor() {
    throw new Error("refused");
  }
}

it("takes no stack traces while a resource is made, and lets them be taken again", () => {
  Error.stackTraceLimit = 7;
  const thing = register(Thing as never, "thing", manifest, {}) as unknown as Thing;
  expect(thing.given).toEqual(["thing", registered, {}]);
  expect(thing.stack).toBe("Error: noted");
  expect(Error.stackTraceLimit).toBe(7);
});

it("lets them be taken again when the resource cannot be made", () => {
  Error.stackTraceLimit = 7;
  expect(() => register(Refusing as never, "thing", manifest, {})).toThrow("refused");
  expect(Error.stackTraceLimit).toBe(7);
});

it.each(["Deployment", "Job", "Namespace", "PersistentVolumeClaim", "Service", "StatefulSet"])(
  "leaves a %s as it is",
  (kind) => {
    const owner = { ...manifest, kind };
    const thing = register(Thing as never, "thing", owner, {}) as unknown as Thing;
    expect(thing.given).toEqual(["thing", owner, {}]);
  },
);
