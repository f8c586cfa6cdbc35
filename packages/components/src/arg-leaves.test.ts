import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { leavesOf, mapped } from "./arg-leaves.ts";

class Settings {
  readonly token: unknown;
  constructor(token: unknown) {
    this.token = token;
  }
}

const hidden = pulumi.secret("hidden");
const later = Promise.resolve("later");

it.each([
  ["a plain object", { token: hidden, at: [later] }],
  ["one without a prototype", Object.assign(Object.create(null), { token: hidden, at: [later] })],
  ["an instance of a class", Object.assign(new Settings(hidden), { at: [later] })],
])("finds what is in %s: nothing is hidden by how it is made", (_what, value) => {
  expect(leavesOf({ env: value })).toEqual([
    { path: ["env", "token"], value: hidden },
    { path: ["env", "at", 0], value: later },
  ]);
  expect(mapped({ env: value }, (_leaf, path) => path.join("."))).toEqual({
    env: { token: "env.token", at: ["env.at.0"] },
  });
});

it("takes for one value what comes later, a function, and what has no parts", () => {
  const call = () => 1;
  const values = [hidden, later, call, null, undefined, 7];
  expect(leavesOf(values)).toEqual(values.map((value, index) => ({ path: [index], value })));
});
