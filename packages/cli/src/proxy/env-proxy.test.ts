import { describe, expect, it } from "vitest";
import { proxyFor } from "./env-proxy.ts";

const proxy = "http://p.example.com:3128";
const shown = (
  env: Record<string, string>,
  scheme: "http" | "https" = "https",
  host = "gate.example.com",
  port = 443,
) => proxyFor(scheme, host, port, env)?.text;

describe("proxyFor", () => {
  it.each([
    [{ HTTPS_PROXY: proxy }, "p.example.com:3128", undefined],
    [{ https_proxy: proxy }, "p.example.com:3128", undefined],
    [{ HTTP_PROXY: proxy }, undefined, "p.example.com:3128"],
    [{ http_proxy: proxy }, undefined, "p.example.com:3128"],
    [{ ALL_PROXY: proxy }, "p.example.com:3128", "p.example.com:3128"],
    [{ all_proxy: "q", HTTPS_PROXY: "", https_proxy: "p:1" }, "p:1", "q:80"],
    [{ HTTPS_PROXY: "https://p" }, "p:443", undefined],
    [{ HTTPS_PROXY: "[2001:db8::1]:8080" }, "[2001:db8::1]:8080", undefined],
    [{}, undefined, undefined],
  ])("takes it from %j", (env, https, http) => {
    expect([shown(env), shown(env, "http")]).toEqual([https, http]);
  });

  it.each([
    ["gate.example.com", true],
    ["GATE.Example.com", true],
    ["example.com", true],
    [".example.com", true],
    ["*.example.com", true],
    ["*", true],
    ["other, gate.example.com:443", true],
    ["other gate.example.com", true],
    ["gate.example.com:80", false],
    ["ample.com", false],
    [".gate.example.com", false],
    ["e.example.com", false],
    ["", false],
    [" , ,", false],
  ])("goes directly by NO_PROXY %j: %s", (no, isDirect) => {
    for (const variable of ["NO_PROXY", "no_proxy"])
      expect(shown({ HTTPS_PROXY: proxy, [variable]: no }) === undefined).toBe(isDirect);
  });

  it.each([
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.0/24", true],
    ["192.0.2.7", "192.0.2.7:443", true],
    ["192.0.2.7", "192.0.2.7:80", false],
    ["192.0.2.7", "192.0.3.0/24", false],
    ["192.0.2.7", "192.0.2.0/99", false],
    ["192.0.2.77", "192.0.2.7", false],
    ["2001:db8::7", "2001:db8::/32", true],
    ["2001:db8::7", "2001:0db8:0::7", true],
    ["2001:db8::7", "[2001:db8::7]:443", true],
    ["2001:db8::7", "[2001:db8::7]:80", false],
    ["2001:db8::7", "192.0.2.0/24", false],
    ["127.0.0.1", "", true],
    ["127.9.9.9", "", true],
    ["::1", "", true],
    ["localhost", "", true],
    ["a.localhost", "", true],
    ["localhost.example.com", "", false],
  ])("goes to %s with NO_PROXY %j directly: %s", (host, no, isDirect) => {
    expect(shown({ HTTPS_PROXY: proxy, NO_PROXY: no }, "https", host) === undefined).toBe(isDirect);
  });

  it("reads credentials, and shows them nowhere", () => {
    const found = proxyFor("https", "x", 1, { HTTPS_PROXY: "http://me:p%40ss%@p:1" });
    expect(found).toMatchObject({ text: "p:1", credentials: `Basic ${btoa("me:p%40ss%")}` });
    expect(proxyFor("https", "x", 1, { HTTPS_PROXY: "me:p%40ss@p:1" })?.credentials).toBe(
      `Basic ${btoa("me:p@ss")}`,
    );
  });

  it.each(["socks5://me:hidden@p:1080", "http://", "http://me:hidden@:99999999", "ftp://hidden@p"])(
    "refuses %s without its secret",
    (value) => {
      expect(() => proxyFor("https", "x", 1, { ALL_PROXY: value })).toThrow(
        "ALL_PROXY names no HTTP proxy; write it like http://proxy.example.com:3128 (SOCKS is not supported), or name what is reached without one in NO_PROXY",
      );
    },
  );
});
