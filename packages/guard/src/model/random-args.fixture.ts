/** Random arguments: of all values that the tables of edits have for an argument, and some more, one at a time. */
import { isMap } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import fc from "fast-check";
import type { Title } from "../../../../scripts/lib/trials/index.ts";
import { everyArgument } from "../../../../test/support/engine/every-argument.ts";
import type { Args } from "./rights.fixture.ts";

type Path = readonly string[];

/** Another value at a path; undefined takes it away. */
export interface Setting {
  readonly path: Path;
  readonly value: unknown;
}

export function withSetting(args: Args, { path: [key = "", ...rest], value }: Setting): Args {
  const { [key]: own, ...others } = args ?? {};
  const inner = rest.length === 0 ? value : withSetting(isMap(own) ? own : {}, { path: rest, value });
  return inner === undefined ? others : { ...others, [key]: inner };
}

function settings(value: unknown, path: Path = []): Setting[] {
  if (!isMap(value)) return [{ path, value }];
  const below = Object.entries(value).flatMap(([key, one]) => settings(one, [...path, key]));
  return path.length === 0 ? below : [...below, { path, value }, { path, value: undefined }];
}

const key = (body: string) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${body}`;
const [one, two] = [
  key("COp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN"),
  key("IP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB"),
];
const networks =
  "10.0.0.0/8 10.0.0.0/9 10.64.0.0/10 10.20.0.0/16 0.0.0.0/0 ::/0 fd00::/8 203.0.113.0/24 192.0.2.0/24 169.254.169.254/32";
const identities = ["alice", "bob"]
  .map((name) => `spiffe://example.com/user/${name}`)
  .concat("spiffe://evil.com/user/a");
const gatewayRef = { name: "gw", namespace: "gw", domain: "dev.example.com", tlsPort: 443, mutualTls: true };
const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;

/** Values that decide on access, beside those of the tables. */
const more: Readonly<Record<string, readonly unknown[]>> = {
  authorizedKeys: [
    one,
    `restrict ${one}`,
    `restrict,pty ${one}`,
    `no-pty ${two}`,
    `cert-authority ${two}`,
    two,
  ],
  "ssh.userCa.keys": [one, two],
  "ssh.userCa.principals": ["team-a", "ops"],
  "access.allowIdentities": identities,
  allowIdentities: identities,
  "access.gateway": [gatewayRef],
  "egress.deny": ["203.0.113.0/24", "192.0.2.0/24", "8.8.8.0/24"],
  "egress.allow": networks
    .split(" ")
    .flatMap((cidr) => [{ cidr }, { cidr, ports: [443] }, { cidr, ports: [22, 443] }]),
  "egress.dns": ["10.0.0.53/32", "10.0.0.0/24"],
  "egress.istiod": ["10.0.0.9/32", "10.1.0.0/16"],
  "egress.outsideHosts": [{ cidr: "10.20.0.0/16" }, { cidr: "10.20.0.5/32", ports: [22, 2022] }],
  "egress.apiServer": networks
    .split(" ")
    .slice(-2)
    .map((cidr) => ({ cidr })),
  allowedPrivateNetworks: networks.split(" ").filter((network) => /^(10|fd)/.test(network)),
  "loadBalancer.sourceRanges": networks.split(" "),
  "loadBalancer.scope": ["public", "internal"],
  "loadBalancer.preset": ["aws-nlb", "gke", "aks", "generic", "metallb"],
  "listeners.tls": [
    { certificate: { secretName: "a" }, clientCa: pem("MIIB") },
    { certificate: { secretName: "a" }, clientCa: pem("MIIC") },
    { certificate: { secretName: "a" } },
  ],
  "listeners.plain": [{}, { port: 81 }],
  ingress: [
    { ports: [8080] },
    { podLabels: { app: "a" }, ports: [8080] },
    { namespace: "web", ports: [8080] },
    { namespace: "web", podLabels: { app: "a" }, ports: [8080, 22] },
  ],
  metricsNamespaces: ["monitoring", "web"],
  "deployers.groups": ["team-a", "system:authenticated"],
  "deployers.serviceAccounts": [{ name: "ci", namespace: "team-a" }],
  "viewers.groups": ["all", "some"],
  "browse.actions": ["upload", "delete", "search"],
  "browse.credentials": ["alice", "bob"].flatMap((user) =>
    [true, false].map((write) => ({ user, password: "only-for-tests-0", write })),
  ),
  "browse.jwt.values": ["team-a", "team-b"],
  "browse.jwt.audiences": ["files", "other"],
  networkPolicy: ["none", "allow-gateway", "only-gateway"],
  idle: [{}, { enabled: false }, true],
  mounts: [
    { claimName: "data", mountPath: "/data" },
    { claimName: "data", mountPath: "/data", readOnly: true },
  ],
};

/** A component's arguments before and after one or two settings, or many. */
export interface Edit {
  readonly kind: Title;
  readonly before: Args;
  readonly after: Args;
}

export function edits(): fc.Arbitrary<Edit> {
  const byKind = new Map<Title, Args[]>();
  for (const { kind, name, args } of [...everyArgument(false), ...everyArgument()]) {
    // Every one of them under the same name.
    const own = JSON.parse(JSON.stringify(args).replaceAll(name, "it"));
    byKind.set(kind, [...(byKind.get(kind) ?? []), own]);
  }
  return fc.oneof(...[...byKind].map(([kind, all]) => editOf(kind, all)));
}

function editOf(kind: Title, all: readonly Args[]): fc.Arbitrary<Edit> {
  const found = new Map<string, unknown[]>();
  const add = (path: string, value: unknown) => found.set(path, [...(found.get(path) ?? []), value]);
  for (const { path, value } of all.flatMap((args) => settings(args)))
    if (Array.isArray(value)) for (const item of value) add(`${path.join(".")}[]`, item);
    else add(path.join("."), value);
  const known = new Set([...found.keys()].map((path) => path.replace(/\[\]$/, "")));
  for (const [path, values] of Object.entries(more))
    if (known.has(path) || known.has(path.split(".")[0] ?? ""))
      for (const value of values) add(`${path}${found.has(`${path}[]`) || isItem(path) ? "[]" : ""}`, value);
  const setting = fc.constantFrom(...found.keys()).chain((at): fc.Arbitrary<Setting> => {
    const values = distinct(found.get(at) ?? []);
    const path = at.replace(/\[\]$/, "").split(".");
    const some = at.endsWith("[]")
      ? fc.subarray(values, { maxLength: Math.min(3, values.length) })
      : fc.option(fc.constantFrom(...values), { nil: undefined, freq: 6 });
    return some.map((value) => ({ path, value }));
  });
  const few = fc.oneof(
    { weight: 8, arbitrary: fc.array(setting, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(setting, { minLength: 3, maxLength: 8 }) },
  );
  return fc
    .record({
      args: fc.constantFrom(...all),
      context: fc.array(setting, { maxLength: 3 }),
      change: few,
      isBack: fc.boolean(),
    })
    .map(({ args, context, change, isBack }) => {
      const before = context.reduce(withSetting, args);
      const after = change.reduce(withSetting, before);
      return isBack ? { kind, before: after, after: before } : { kind, before, after };
    });
}

const isItem = (path: string) =>
  /Keys|keys|principals|dentities|deny|allow|dns|istiod|Hosts|Server|Networks|Ranges|ingress|paces|groups|Accounts|actions|credentials|values|audiences|mounts/.test(
    path.split(".").at(-1) ?? "",
  );
const distinct = (values: readonly unknown[]) => [
  ...new Map(values.map((one) => [JSON.stringify(one), one])).values(),
];
