import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Buckets, overLimit } from "../authorizer/buckets.ts";
import { publicAddresses } from "./addresses.ts";
import { decide, type Knowledge } from "./decide.ts";

const hash = (token: string) => createHash("sha256").update(token).digest("hex");
const zone: Record<string, readonly string[]> = {
  "pypi.org": ["198.51.100.1", "2a00:1450::1"],
  "six.example": ["2a00:1450::1"],
  "git.example": ["198.51.100.1"],
  "mixed.example": ["198.51.100.1", "10.0.0.1"],
  "mixed6.example": ["198.51.100.1", "::1"],
  "empty.example": [],
};
const hosts = [
  "pypi.org",
  "git.example:22",
  "*.wild.example",
  "nonsense:",
  ...Object.keys(zone),
  "away.example",
];
const asked: string[] = [];

const knowledge: Knowledge = {
  findGrant: async ({ name }) => {
    if (name === "down") throw new Error("the API server is away");
    return name === "dev1" || name === "moved"
      ? { tokenSha256: hash("one"), hosts: new Set(hosts), podName: `${name}-0` }
      : undefined;
  },
  findAddresses: async ({ name }) => (name === "moved-0" ? ["10.244.0.9"] : ["10.244.0.7", "fd00::7"]),
  resolve: async (host) => {
    asked.push(host);
    const addresses = zone[host.replace(/^x\.wild/, "git")];
    if (addresses === undefined) throw new Error("SERVFAIL");
    return addresses;
  },
  isPublic: publicAddresses([]),
  buckets: new Buckets(),
};

const ask = (authority: string, { user = "team-a.dev1", token = "one", source = "10.244.0.7" } = {}) =>
  decide(
    {
      method: "CONNECT",
      authority,
      scheme: "",
      authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
      source,
    },
    knowledge,
  );

describe("a host that is declared", () => {
  it.each([
    ["pypi.org:443", "198.51.100.1:443"],
    ["pypi.org:80", "198.51.100.1:80"],
    ["git.example:22", "198.51.100.1:22"],
    ["x.wild.example:443", "198.51.100.1:443"],
    ["six.example:443", "[2a00:1450::1]:443"],
  ])("%s is dialled at the address that was looked at", async (authority, destination) => {
    expect(await ask(authority)).toMatchObject({ destination, tokenSha256: hash("one") });
  });

  it("may be asked for from each address of the pod", async () => {
    expect(await ask("pypi.org:443", { source: "fd00::7" })).toMatchObject({
      destination: "198.51.100.1:443",
    });
  });
});

describe("what is refused", () => {
  const private_ = "has an address that is not the internet's";
  it.each([
    ["another port", "pypi.org:22", 403, 'may not reach pypi.org:22; add "pypi.org:22" to its egress.hosts'],
    ["another host", "evil.example:443", 403, 'may not reach evil.example:443; add "evil.example" to'],
    ["the wildcard's own name", "wild.example:443", 403, "may not reach wild.example:443"],
    ["a name without a dot before the wildcard's", "xwild.example:443", 403, "may not reach"],
    ["a private address beside a public one", "mixed.example:443", 403, private_],
    ["the same of the other family", "mixed6.example:443", 403, private_],
    ["a name without an address", "empty.example:443", 403, "empty.example has no address"],
    ["a name that nobody resolves now", "away.example:443", 503, "cannot be resolved now"],
    ["an address", "198.51.100.1:443", 403, "hosts are reached by name"],
  ])("%s", async (_, authority, status, reason) => {
    expect(await ask(authority)).toMatchObject({ status, reason: expect.stringContaining(reason) });
  });

  it("is not asked for in DNS", async () => {
    asked.length = 0;
    await ask("secret-in-a-name.evil.example:443");
    await ask("pypi.org:443", { token: "two" });
    expect(asked).toEqual([]);
  });
});

describe("who asks", () => {
  const unknown = "the container is unknown or its token is wrong; use the proxy's address in HTTPS_PROXY";
  it.each([
    ["with another's token", { token: "two" }, 407, unknown],
    ["with none", { token: "" }, 407, unknown],
    ["with the hash", { token: hash("one") }, 407, unknown],
    ["as a container that is not there", { user: "team-a.dev9" }, 407, unknown],
    ["as something that is no container", { user: "../team-a" }, 407, unknown],
    ["from another pod", { user: "team-a.moved" }, 407, "the token is that of another pod"],
    ["while nobody can be asked", { user: "team-a.down" }, 503, "cannot be looked up now"],
  ])("%s", async (_, from, status, reason) => {
    expect(await ask("pypi.org:443", from)).toMatchObject({
      status,
      reason: expect.stringContaining(reason),
    });
  });

  it("too often", async () => {
    const flood = { ...knowledge, buckets: new Buckets(() => 0) };
    const request = { method: "CONNECT", authority: "", scheme: "", authorization: "", source: "10.244.0.8" };
    for (let count = 0; count < 3_000; count += 1) await decide(request, flood);
    expect(await decide(request, flood)).toEqual({ status: 429, reason: overLimit, isStill: false });
    expect(await decide(request, flood)).toMatchObject({ status: 429, isStill: true });
    expect(await decide({ ...request, source: "10.244.0.9" }, flood)).toMatchObject({ status: 407 });
  });
});
