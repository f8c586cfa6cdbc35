import { describe, expect, it } from "vitest";
import { credentialsOf, targetOf } from "./target.ts";

const connect = (authority: string) =>
  targetOf({ method: "CONNECT", authority, scheme: "", authorization: "", source: "" });
const get = (authority: string, scheme = "http") =>
  targetOf({ method: "GET", authority, scheme, authorization: "", source: "" });

describe("what CONNECT names", () => {
  it.each([
    ["pypi.org:443", "pypi.org", 443],
    ["PyPI.org:443", "pypi.org", 443],
    ["pypi.org.:443", "pypi.org", 443],
    ["xn--bcher-kva.example:443", "xn--bcher-kva.example", 443],
    ["a.b-c.d1:65535", "a.b-c.d1", 65_535],
    ["1.2.3.4.example:1", "1.2.3.4.example", 1],
  ])("%s is a host", (authority, host, port) => {
    expect(connect(authority)).toEqual({ host, port });
  });

  it.each([
    "192.0.2.1:443",
    "3325256714:443",
    "0xC633640A:443",
    "0xc6.0x33.0x64.0x0a:443",
    "example.0x1f:443",
    "0306.063.0144.012:443",
    "127.1:443",
    "0:443",
    "[::1]:443",
    "::1:443",
    "[::ffff:192.0.2.1]:443",
    "localhost:443",
    "kubernetes:443",
    "",
    ":443",
    ".:443",
    "pypi.org",
    "pypi.org..:443",
    ".pypi.org:443",
    "pypi..org:443",
    "*.pypi.org:443",
    "-pypi.org:443",
    "pypi-.org:443",
    "_dmarc.pypi.org:443",
    "pypi.org:0",
    "pypi.org:",
    "pypi.org:00443",
    "pypi.org:+443",
    "pypi.org:443:443",
    "pypi.org:65536",
    "pypi.org:4433333",
    "pypi.org:443/x",
    "user@pypi.org:443",
    "pypi.org:443@evil.example:443",
    "https://pypi.org:443",
    "pypi%2eorg:443",
    "pypi.org\0.evil.example:443",
    "pypi.org\t:443",
    "pypi.org :443",
    "pypi.org\n:443",
    "pypı.org:443",
    "pypi。org:443",
    `${"a".repeat(64)}.org:443`,
    `${"a.".repeat(127)}org:443`,
  ])("%j is none", (authority) => {
    expect(connect(authority)).toEqual(expect.any(String));
  });
});

it("plain http is what its Host says, on port 80 if that says none; other schemes take CONNECT", () => {
  expect([get("pypi.org"), get("pypi.org:8080")]).toEqual([
    { host: "pypi.org", port: 80 },
    { host: "pypi.org", port: 8080 },
  ]);
  expect([get("pypi.org", "https"), get("pypi.org", ""), get("pypi.org,evil.example")]).toEqual(
    Array(3).fill(expect.any(String)),
  );
});

describe("credentials", () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

  it.each([
    [basic("team-a.dev1:token"), { user: "team-a.dev1", token: "token" }],
    [basic("team-a.dev1:a:b").replace("Basic", "basic"), { user: "team-a.dev1", token: "a:b" }],
    ["", undefined],
    ["Basic ", undefined],
    ["Bearer dG9rZW4=", undefined],
    [basic("team-a.dev1"), undefined],
    [`${basic("team-a.dev1:a")},${basic("team-b.dev1:b")}`, undefined],
    [`${basic("team-a.dev1:a")} x`, undefined],
  ])("of %j", (header, expected) => {
    expect(credentialsOf(header)).toEqual(expected);
  });
});
