/**
 * A preview hides of an argument that comes later, or is secret, what holds its value and nothing else: no list, and no
 * object, beside which something else could change unseen. Every argument once; some are in test/engine/container.test.ts.
 */
import * as k8s from "@pulumi/kubernetes";
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
  type Mask,
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

/** The same beside a value that is not known. The provider writes what it knows as a whole in another form, so it never does. */
const withUnknown =
  (some: readonly Case[], later: (value: unknown, unknown: pulumi.Output<unknown>) => unknown) =>
  async () => {
    const { id } = new k8s.core.v1.ConfigMap("source", { metadata: { namespace: "team-a" } });
    pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
      if (!type.startsWith("kubernetes:")) return undefined;
      const annotations = { ...props.metadata?.annotations, "test/unknown": id };
      return { props: { ...props, metadata: { ...props.metadata, annotations } }, opts };
    });
    register(some, (value) => later(value, id));
  };

/** What is made of an argument and does not have its text in it. */
const made: readonly [argument: RegExp, leaf: RegExp][] = [
  // Keys and hashes.
  [/^(DevContainer|InjectedSshd) (namespace|hostKey\.)/, /\/(public-keys|host-keys|secret-env)$/],
  [/^DevContainer .*secretEnv\.TOKEN$/, /\/secret-env$/],
  [/^(DevContainer|InjectedSshd) (namespace|hostKey\.seed|access\.frp\.token)$/, /\.tokenSha256$/],
  [/^SshRoute access\.frp\.token$/, /\.tokenSha256$/],
  [/^SshRoute (namespace|serviceName|access\.frp\.)/, /\/frpc$/],
  [/^FrpServer (seed|namespace|tls\.caBundle)$/, /\/frps-certificate$/],
  [/^StorageAccessor browse\.credentials\.0\.password$/, /\/credentials$/],
  [/^StorageAccessor (namespace|browse\.jwt\.)/, /\/token-check$/],
  [/^StorageProxy namespace$/, /\/config$/],
  // Half of the memory.
  [/^DevContainer resources\.(limits\.)?memory$/, /emptyDir\.sizeLimit$/],
  // Texts in another form: a pattern, JSON, an identity without its scheme.
  [/^(DevContainer|InjectedSshd|SshRoute) access\.allowIdentities/, /x-forwarded-client-cert\.regex$/],
  [/^SshGateway domain$/, /validations\.\d\.expression$/],
  [/^StorageAccessor browse\.jwt\.jwks$/, /envoy\.json$/],
  [/^SshGateway allowIdentities(\.0)?$/, /spec\.rules(\.0\.from\.0\.source\.principals\.0)?$/],
  // Whether pods must share a node.
  [/^DevContainer storage\.0\.from$/, /\.affinity$/],
  [/^StorageAccessor prepare\.copyFrom(\.accessMode)?$/, /(\.affinity|\/node-group)$/],
  // A network is in the list of its own protocol, and which that is, is not known either.
  [/^DevContainer egress\.deny(\.0)?$/, /ipBlock\.except$/],
  [/^Team outsideHosts\.vm1\.address$/, /addressType$/],
  // The labels of the gateway's pods, which are its own or others.
  [/^(DevContainer|InjectedSshd|SshRoute) access\.gateway$/, /podSelector\.matchLabels$/],
];

/** Whether what is masked is a leaf that holds the argument. */
function holds(one: Case, { object, at, plain }: Mask): boolean {
  const value = valueAt(one.args, one.path);
  if (made.some(([argument, leaf]) => argument.test(titleOf(one)) && leaf.test(`${object} ${at}`)))
    return true;
  const parts = textsOf(value);
  if (!isTree(plain)) return parts.some((part) => String(plain).includes(part)) || parts.length === 0;
  // How long a list is that comes later as a whole is not known, so it is the list in which it stands.
  const all = textsOf(plain);
  if (Array.isArray(value)) return Array.isArray(plain) && parts.every((part) => all.includes(part));
  return isTree(value) && all.every((text) => parts.includes(text));
}

const isTree = (value: unknown) => typeof value === "object" && value !== null;
const textsOf = (value: unknown): string[] =>
  isTree(value) ? Object.values(value as object).flatMap(textsOf) : [String(value)];

it("hides of an argument that comes later the leaves that hold it", async () => {
  const plain = await planned(withUnknown(cases, (value) => value));
  const later = await planned(withUnknown(cases, (_, unknown) => unknown));
  expect([plain.said, later.said]).toEqual([[], []]);
  expect([plain.components.size, later.components.size]).toEqual([cases.length, cases.length]);
  const masks = cases.map((one) => masksOf(later.components.get(one.name), plain.components.get(one.name)));
  const wrong = cases.flatMap((one, index) =>
    (masks[index] ?? [])
      .filter((mask) => !holds(one, mask))
      .map(({ object, at, plain: was }) => `${titleOf(one)} hides ${object} ${at}: ${JSON.stringify(was)}`),
  );
  expect(wrong).toEqual([]);
  // These are hidden whether they are known or not, and nothing else is made of them.
  expect(cases.filter((_, index) => (masks[index] ?? []).length === 0).map(titleOf)).toEqual([
    "DevContainer access.frp.token",
    "InjectedSshd access.frp.token",
    "SshRoute access.frp.token",
    "StorageAccessor prepare.secretEnv.TOKEN",
  ]);
});

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
