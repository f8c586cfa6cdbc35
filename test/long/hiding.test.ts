import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { secretsIn, withSecrets } from "../../packages/drawbridge/src/kit/secret-places.ts";
import { formatPath } from "../../packages/drawbridge/src/kit/zod-faults.ts";
import { valueAt } from "../../packages/drawbridge/src/stacks/yaml.ts";
import { make, schemaOf } from "../support/engine/every-argument.ts";
import {
  type Case,
  isSecretArgument,
  laterArguments,
  masksIn,
  masksOf,
  planned,
  withValue,
} from "./hidden-leaves.fixture.ts";

const cases = laterArguments();
const [secrets, others] = [cases.filter(isSecretArgument), cases.filter((one) => !isSecretArgument(one))];
const titleOf = ({ kind, path }: Case) => `${kind} ${path.join(".")}`;

/** Registers the components, with each one's argument as `later` gives it. */
function register(some: readonly Case[], later: (value: unknown) => unknown): void {
  for (const one of some) {
    make({ ...one, args: withValue(one.args, one.path, later(valueAt(one.args, one.path))) });
  }
}

it("hides of a secret what a plain one has hidden: its own place, and all of a Secret's data", async () => {
  const plain = await planned(async () => register(secrets, (value) => value));
  const secret = await planned(async () => register(secrets, (value) => pulumi.secret(value)));
  expect([plain.said, secret.said]).toEqual([[], []]);
  expect(secret.components.size).toBe(secrets.length);
  for (const one of secrets) {
    const objects = secret.components.get(one.name) ?? new Map();
    expect(masksOf(objects, plain.components.get(one.name))).toEqual([]);
    const own = secretsIn(withSecrets(schemaOf(one.kind), one.args)).map(({ path }) =>
      ["drawbridge:index:" + one.kind + " " + one.name, ...path].join("."),
    );
    const data = [...objects.keys()].filter((name) => name.startsWith("kubernetes:core/v1:Secret "));
    expect(masksIn(objects).sort()).toEqual(
      [...own, ...data.map((name) => `${name}.data`)].map((at) => `${at}.ciphertext`).sort(),
    );
  }
});

/** No object is made of what clients are told alone. */
const told = new Set([
  "DevContainer access.gateway.address",
  "DevContainer access.address",
  "DevContainer access.frp.address",
  "InjectedSshd access.gateway.address",
  "InjectedSshd access.address",
  "InjectedSshd access.frp.address",
  "SshRoute access.gateway.address",
  "SshRoute access.address",
  "SshRoute access.frp.address",
  "SshRoute hostPublicKeys",
  "SshRoute hostPublicKeys.0",
  "SshRoute userName",
  "SshRoute homePath",
  "SshGateway existing.address",
  "StorageAccessor browse.proxy.address",
  "StorageAccessor browse.address",
]);

it("refuses a secret anywhere else, before an object is made", async () => {
  const refused = others.filter((one) => !told.has(titleOf(one)));
  expect(refused.length).toBe(others.length - told.size);
  const { said, components } = await planned(async () => register(others, (value) => pulumi.secret(value)));
  const found = refused.map(({ kind, name }) => {
    const texts = said.filter((text) => text.startsWith(`${kind} "${name}": `));
    const [first = "", ...lines] = [...new Set(texts)].join("\n").trim().split("\n");
    return [
      components.get(name)?.size,
      first,
      ...lines.map((line) => line.replace(/^ {2}- (.*): is a secret.*/, "$1")),
    ];
  });
  expect(found).toEqual(
    refused.map(({ kind, name, path }) => [
      1,
      `${kind} "${name}": 1 fault in its arguments, what uses them was not made:`,
      formatPath(path),
    ]),
  );
});
