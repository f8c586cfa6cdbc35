import { describe, expect, it } from "vitest";
import { bobKey, faultsOf, gateway, manyPorts } from "./plan.fixture.ts";

/** A right value of each field by itself: stacks/config/wrong-types.test.ts. */
describe("valid arguments", () => {
  it.each<[string, Record<string, unknown>]>([
    ["the required ones", {}],
    ["a digest", { image: `x@sha256:${"0".repeat(64)}` }],
    ["no sshd and no keys", { ssh: { mode: "none" }, authorizedKeys: [], hostKey: undefined }],
    ["a CA instead of keys", { authorizedKeys: [], userCa: { keys: [bobKey], principals: ["dev@team-a"] } }],
    ["a key that is known later", { authorizedKeys: [Promise.resolve("x")] }],
    ["a host key of one's own", { hostKey: { privateKey: "-----BEGIN…" } }],
    ["an environment", { env: { A: "1", _B: "$(x) \"'\\ #%" } }],
    ["as many ports as a Service of a team has", { ports: manyPorts(15) }],
    [
      "as many ports through the gateway as a route has rules",
      { ports: manyPorts(7, { throughGateway: true }), access: { gateway } },
    ],
  ])("%s", (_, args) => {
    expect(faultsOf(args)).toEqual([]);
  });
});
