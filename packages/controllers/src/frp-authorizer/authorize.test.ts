import { createHash } from "node:crypto";
import type { FrpGrant } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { describe, expect, it } from "vitest";
import { Buckets } from "../authorizer/buckets.ts";
import { authorize } from "./authorize.ts";
import type { AuthorizeRequest, ProxyRequest } from "./frps-protocol.ts";
import type { Units } from "./units-file.ts";

const hash = (token: string) => createHash("sha256").update(token).digest("hex");
const grants: Record<string, FrpGrant> = {
  "team-a/dev1": { tokenSha256: hash("one"), clientDomain: undefined },
  "team-a/named": { tokenSha256: hash("two"), clientDomain: "box.team-a.ssh.example.com" },
  "team-b/thief": { tokenSha256: hash("three"), clientDomain: "dev1.team-a.ssh.example.com" },
  "team-b/broken": { tokenSha256: "not a hash", clientDomain: undefined },
};
const units: Units["units"] = {
  "team-a/dev1": { tokenSha256: undefined, domains: ["short.ssh.example.com"], revoked: false },
  "far/away": { tokenSha256: hash("far"), domains: [], revoked: false },
  "team-a/gone": { tokenSha256: hash("gone"), domains: [], revoked: true },
};

const ask = async (request: Partial<AuthorizeRequest> & { user: string; token: string }) => {
  const { reason } = await authorize(
    {
      operation: "Ping",
      address: "",
      proxy: undefined,
      client: { user: request.user, token: request.token },
      ...request,
    },
    {
      units: () => ({ domainSuffix: "ssh.example.com", units, limits: {} }),
      buckets: new Buckets(),
      findGrant: async ({ namespace, name }) => {
        if (name === "down") throw new Error("the API server is away");
        return grants[`${namespace}/${name}`];
      },
    },
  );
  return reason;
};

const proxy = (user: string, customDomains: string[], more: Partial<ProxyRequest> = {}): ProxyRequest => ({
  name: `${user}.ssh`,
  type: "tcpmux",
  multiplexer: "httpconnect",
  customDomains,
  otherFields: [],
  ...more,
});

const register = (user: string, token: string, domains: string[], more?: Partial<ProxyRequest>) =>
  ask({ operation: "NewProxy", user, token, proxy: proxy(user, domains, more) });

describe("who", () => {
  const stranger = "the user is unknown or its token is wrong";
  it.each([
    ["its own token", "team-a.dev1", "one", undefined],
    ["a hash that the platform gave", "far.away", "far", undefined],
    ["another's token", "team-a.dev1", "two", stranger],
    ["no token", "team-a.dev1", "", stranger],
    ["the hash instead of the token", "team-a.dev1", hash("one"), stranger],
    ["a name that nobody has", "team-a.dev9", "one", stranger],
    ["a grant that holds no hash", "team-b.broken", "three", stranger],
    ["a token that the platform revoked", "team-a.gone", "gone", "the container is revoked by the platform"],
    [
      "a grant that cannot be looked up",
      "team-a.down",
      "one",
      "the container's grant cannot be looked up now; try again",
    ],
    ["no dot in its name", "dev1", "one", "the user is not written <namespace>.<name>"],
    ["a path in its name", "team-a/../x.dev1", "one", "the user is not written <namespace>.<name>"],
    ["two dots in its name", "team-a.dev1.ssh", "one", "the user is not written <namespace>.<name>"],
    ["an empty name", "", "", "the user is not written <namespace>.<name>"],
  ])("with %s", async (_what, user, token, refusal) => {
    expect(await ask({ user, token })).toBe(refusal);
  });
});

describe("which name", () => {
  const own = "it may register dev1.team-a.ssh.example.com, short.ssh.example.com";
  it.each([
    ["its own", ["dev1.team-a.ssh.example.com"], undefined],
    ["one reserved for it", ["short.ssh.example.com"], undefined],
    ["none", [], "the proxy names no domain; give its own in customDomains"],
    [
      "another's beside its own",
      ["dev1.team-a.ssh.example.com", "dev1.team-b.ssh.example.com"],
      `the domain "dev1.team-b.ssh.example.com" is not this container's; ${own}`,
    ],
    ["a wildcard", ["*.ssh.example.com"], `the domain "*.ssh.example.com" is not this container's; ${own}`],
    [
      "two of others",
      ["a.example.com", "b.example.com"],
      `the domain "a.example.com", "b.example.com" is not this container's; ${own}`,
    ],
    ["an empty one", [""], `the domain "" is not this container's; ${own}`],
  ])("%s", async (_what, domains, refusal) => {
    expect(await register("team-a.dev1", "one", domains)).toBe(refusal);
  });

  it("may be one that its own namespace granted", async () => {
    expect(await register("team-a.named", "two", ["box.team-a.ssh.example.com"])).toBe(undefined);
  });

  it("may not be one of another namespace, even if its own grants it", async () => {
    expect(await register("team-b.thief", "three", ["dev1.team-a.ssh.example.com"])).toBe(
      'the domain "dev1.team-a.ssh.example.com" is not this container\'s; it may register thief.team-b.ssh.example.com',
    );
  });

  it.each<[string, Partial<ProxyRequest>, string]>([
    [
      "another type",
      { type: "stcp" },
      'a proxy of type "stcp" is not allowed here; use type tcpmux with multiplexer httpconnect',
    ],
    [
      "another multiplexer",
      { multiplexer: "" },
      'a proxy of type "tcpmux" is not allowed here; use type tcpmux with multiplexer httpconnect',
    ],
    [
      "another's proxy name",
      { name: "team-a.dev2.ssh" },
      'the proxy "team-a.dev2.ssh" must be called "team-a.dev1.ssh"',
    ],
    [
      "a group",
      { otherFields: ["group", "group_key"] },
      "the proxy sets group, group_key, which has no use here; leave it out",
    ],
    [
      "one field more",
      { otherFields: ["group"] },
      "the proxy sets group, which has no use here; leave it out",
    ],
  ])("not with %s", async (_what, more, refusal) => {
    expect(await register("team-a.dev1", "one", ["dev1.team-a.ssh.example.com"], more)).toBe(refusal);
  });
});

it("knows what was revoked while a client waited for its turn", async () => {
  let isRevoked = false;
  const knowledge = {
    units: (): Units => ({
      domainSuffix: "ssh.example.com",
      units: { "team-a/dev1": { tokenSha256: hash("one"), domains: [], revoked: isRevoked } },
      limits: { perClientAndContainer: { connectionsPerMinute: 300, burst: 1 } },
    }),
    buckets: new Buckets(),
    findGrant: async () => undefined,
  };
  const client = { user: "team-a.dev1", token: "one" };
  const request = { operation: "NewUserConn", address: "192.0.2.1:1", proxy: undefined, client } as const;
  const both = [authorize(request, knowledge), authorize(request, knowledge)];
  expect(await both[0]).toEqual({ identity: { namespace: "team-a", name: "dev1" } });
  isRevoked = true;
  expect(await both[1]).toEqual({ reason: "the container is revoked by the platform" });
});
