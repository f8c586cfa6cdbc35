/** One cluster is one cluster, whatever machine its kubeconfig lies on; and another one is seen. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Change } from "./change.ts";
import { judge } from "./guard.ts";
import { change, today, whole } from "./sample.fixture.ts";

const here = "/builds/team/devs.tmp/KUBECONFIG";
const runner = "/home/runner/work/_temp/kubeconfig";

interface Place {
  readonly server?: string;
  readonly user?: object;
  readonly ca?: string;
  readonly current?: string;
}

/** An inline kubeconfig of two contexts. */
const inline = ({
  server = "https://a.example.com",
  user = { token: "t" },
  ca = "Q0E=",
  current = "a",
}: Place) =>
  JSON.stringify({
    clusters: [
      { name: "a", cluster: { server, "certificate-authority-data": ca } },
      { name: "b", cluster: { server: "https://b.example.com" } },
    ],
    users: [{ name: "u", user }],
    contexts: ["a", "b"].map((name) => ({ name, context: { cluster: name, user: "u" } })),
    "current-context": current,
  });

function provider(
  before: object | undefined,
  after: object | undefined,
  fields: Partial<Change> = {},
): Change {
  const { name = "cluster" } = fields;
  return change("Provider", name, {
    type: "pulumi:providers:kubernetes",
    urn: `urn:pulumi:stack::project::pulumi:providers:kubernetes::${name}`,
    op:
      before === undefined ? "create" : JSON.stringify(before) === JSON.stringify(after) ? "same" : "update",
    before: before && { version: "4.34.2", ...before },
    after: after && { version: "4.34.2", ...after },
    ...fields,
  });
}

const code = (...changes: Change[]) => {
  const { code, refused } = judge(
    whole([change("ConfigMap", "motd", { op: "same" }), ...changes]),
    [],
    today,
  );
  expect(refused.every(({ rule }) => rule === "provider-changed")).toBe(true);
  return code;
};

beforeEach(() => vi.stubEnv("KUBECONFIG", here));
afterEach(() => vi.unstubAllEnvs());

describe("a provider that leads where it led", () => {
  it.each<[string, object, object]>([
    ["the job up had a file, a preview has none", { kubeconfig: runner }, {}],
    ["a laptop had its own", { kubeconfig: "/home/alice/.kube/config" }, {}],
    ["one on Windows", { kubeconfig: "C:\\Users\\alice\\.kube\\config" }, {}],
    ["two files in one variable", { kubeconfig: "/home/alice/a:/home/alice/b" }, { kubeconfig: here }],
    ["a preview has one itself", { kubeconfig: runner }, { kubeconfig: here }],
    ["up had none", {}, { kubeconfig: here }],
    ["an empty one is none", { kubeconfig: "" }, {}],
    ["another version of the SDK", {}, { version: "4.35.0" }],
    ["the same context", { context: "a", kubeconfig: runner }, { context: "a" }],
    ["a new token", { kubeconfig: inline({}) }, { kubeconfig: inline({ user: { token: "u" } }) }],
    [
      "new certificates",
      { kubeconfig: inline({ user: { "client-certificate-data": "a", "client-key-data": "b" } }) },
      { kubeconfig: inline({ user: { "client-certificate-data": "c", "client-key-data": "d" } }) },
    ],
  ])("%s", (_, before, after) => {
    expect(code(provider(before, after))).toBe(0);
  });

  it("is not taken for another one because there are more of the same", () => {
    const others = [
      provider({ kubeconfig: runner }, { kubeconfig: runner }, { name: "second" }),
      provider({ kubeconfig: inline({}) }, { kubeconfig: inline({}) }, { name: "east" }),
      provider({}, {}, { name: "default_4_34_2" }),
    ];
    expect(code(provider({ kubeconfig: runner }, {}), ...others)).toBe(0);
    expect(code(provider({ kubeconfig: runner }, undefined, { op: "delete" }))).toBe(0);
    expect(code(provider(undefined, {}), provider({ kubeconfig: runner }, {}, { name: "second" }))).toBe(0);
  });
});

describe("a provider that leads elsewhere", () => {
  const other = "/builds/team/devs/evil.kubeconfig";
  it.each<[string, object, object]>([
    [
      "another server",
      { kubeconfig: inline({}) },
      { kubeconfig: inline({ server: "https://evil.example.com" }) },
    ],
    ["another authority", { kubeconfig: inline({}) }, { kubeconfig: inline({ ca: "RVZJTA==" }) }],
    ["another current context", { kubeconfig: inline({}) }, { kubeconfig: inline({ current: "b" }) }],
    [
      "a program for the credentials",
      { kubeconfig: inline({}) },
      { kubeconfig: inline({ user: { exec: {} } }) },
    ],
    [
      "another user",
      { kubeconfig: inline({}) },
      { kubeconfig: inline({ user: { token: "t", as: "admin" } }) },
    ],
    ["an inline one for a file", { kubeconfig: runner }, { kubeconfig: inline({}) }],
    ["an inline one for none", {}, { kubeconfig: inline({}) }],
    ["none for an inline one", { kubeconfig: inline({}) }, {}],
    ["the job's file for an inline one", { kubeconfig: inline({}) }, { kubeconfig: here }],
    ["a file that the program names", { kubeconfig: runner }, { kubeconfig: other }],
    ["one where there was none", {}, { kubeconfig: other }],
    ["one of the repository", { kubeconfig: runner }, { kubeconfig: "evil.kubeconfig" }],
    ["none for one of the repository", { kubeconfig: "prod.kubeconfig" }, {}],
    ["the home's, by a sign that no environment holds", {}, { kubeconfig: "~/.kube/other" }],
    ["another context", { context: "a" }, { context: "b" }],
    ["a context where there was none", { kubeconfig: runner }, { context: "b" }],
    ["another cluster of the kubeconfig", { cluster: "a" }, { cluster: "b" }],
    ["another identifier", { clusterIdentifier: "a" }, { clusterIdentifier: "b" }],
    ["no identifier any more", { clusterIdentifier: "a" }, {}],
    ["a folder instead of a cluster", {}, { renderYamlToDirectory: "out" }],
    ["another namespace", {}, { namespace: "kube-system" }],
    ["a provider from elsewhere", {}, { pluginDownloadURL: "https://evil.example.com" }],
    ["what is not reached is forgotten", {}, { deleteUnreachable: "true" }],
    ["hidden settings", { kubeconfig: "[secret]" }, { kubeconfig: "[secret]", version: "4.35.0" }],
    ["a hidden one for none", {}, { kubeconfig: "[secret]" }],
    ["one that up alone knows", {}, { kubeconfig: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
  ])("%s", (_, before, after) => {
    expect(code(provider(before, after, { op: "update" }))).toBe(1);
  });

  it("is one of several files, which no single environment has named", () => {
    const west = provider(
      { kubeconfig: "/etc/kube/west" },
      { kubeconfig: "/etc/kube/west" },
      { name: "west" },
    );
    expect(code(provider({ kubeconfig: "/etc/kube/east" }, {}), west)).toBe(1);
    const unset = provider({}, {}, { name: "west" });
    expect(code(provider({ kubeconfig: "/etc/kube/east" }, {}), unset)).toBe(1);
  });

  it("is one that Pulumi replaces, whatever its settings look like", () => {
    expect(code(provider({ kubeconfig: runner }, {}, { op: "replace" }))).toBe(1);
  });

  it("is a new one with other settings, where the stack has had one", () => {
    const had = provider({ kubeconfig: runner }, {});
    expect(code(had, provider(undefined, { context: "b" }, { name: "more" }))).toBe(1);
    expect(code(had, provider(undefined, { kubeconfig: other }, { name: "more" }))).toBe(1);
    expect(code(had, provider(undefined, {}, { name: "more" }))).toBe(0);
  });

  it("is a file where the environment names none", () => {
    vi.stubEnv("KUBECONFIG", undefined);
    expect(code(provider({}, { kubeconfig: here }))).toBe(1);
    expect(code(provider({ kubeconfig: here }, {}))).toBe(0);
  });
});

describe("the first provider of a stack", () => {
  const starting = (user: object) => inline({ user });
  const merged = "x: &x { exec: {} }\nusers: [{ name: u, user: { <<: *x } }]";
  it.each<[string, string, string]>([
    ["a program for the credentials", starting({ exec: { command: "sh" } }), "starts a program"],
    [
      "an earlier kubectl's",
      starting({ "auth-provider": { config: { "cmd-path": "sh" } } }),
      "starts a program",
    ],
    ["a program beside a token", starting({ token: "t", exec: { command: "aws" } }), "starts a program"],
    ["a key that is merged in", merged, "starts a program"],
    ["a key twice, for which readers differ", '{"users":[],"users":[{"user":{"exec":{}}}]}', "is a file"],
    ["a file of the repository", "evil.kubeconfig", "is a file"],
    ["a file in the home, by a sign", "~/.kube/evil", "is a file"],
    ["what is secret", "[secret]", "not shown"],
    ["what `up` alone knows", "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "not shown"],
  ])("is stopped with %s", (_, kubeconfig, says) => {
    const { code, refused, unjudged } = judge(whole([provider(undefined, { kubeconfig })]), [], today);
    expect([...refused, ...unjudged].map(({ text }) => text).join()).toContain(says);
    expect(code).toBe(says === "not shown" ? 2 : 1);
  });

  it.each<[string, object]>([
    ["none", {}],
    ["that of the environment", { kubeconfig: here }],
    ["a machine's own", { kubeconfig: runner }],
    ["a token", { kubeconfig: inline({}) }],
    ["certificates", { kubeconfig: starting({ "client-certificate-data": "a", "client-key-data": "b" }) }],
    ["a password, in YAML", { kubeconfig: "users: [{ name: u, user: { username: a, password: b } }]" }],
    [
      "marks of a tool",
      {
        kubeconfig:
          "clusters: [{ name: a, cluster: { server: b, extensions: [{ name: c, extension: { exec: d } }] } }]",
      },
    ],
    ["a folder", { renderYamlToDirectory: "out" }],
  ])("passes with %s", (_, settings) => {
    expect(code(provider(undefined, settings))).toBe(0);
  });

  it("may start the program that the stack's other one starts", () => {
    const settings = { kubeconfig: starting({ exec: { command: "aws" } }) };
    expect(code(provider(settings, settings), provider(undefined, settings, { name: "more" }))).toBe(0);
  });
});
