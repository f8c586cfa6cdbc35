import { expect, test } from "vitest";
import { keepSecrets, Secret } from "./property.ts";

test("only what was secret is secret, at any depth", () => {
  expect(
    keepSecrets(
      { spec: { token: "t", port: 1 }, status: "x" },
      { spec: { token: new Secret("old"), port: 2 } },
    ),
  ).toEqual({ spec: { token: new Secret("t"), port: 1 }, status: "x" });
});

test("a list with one secret in it is secret as a whole", () => {
  const list = [{ name: "a", value: "1" }];
  expect(keepSecrets({ env: list }, { env: [{ value: new Secret("1") }] })).toEqual({
    env: new Secret(list),
  });
});

test("data of a Kubernetes Secret is secret whatever the program said", () => {
  expect(
    keepSecrets({ kind: "Secret", type: "Opaque", data: { a: "b" }, stringData: { c: "d" } }, {}),
  ).toEqual({
    kind: "Secret",
    type: "Opaque",
    data: new Secret({ a: "b" }),
    stringData: new Secret({ c: "d" }),
  });
});
