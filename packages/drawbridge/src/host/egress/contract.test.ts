import { expect, it } from "vitest";
import { allowsHost, hostToDeclare, isHostWithin, parseHostPattern } from "./contract.ts";

it.each([
  ["pypi.org", { name: "pypi.org", below: false, ports: [443, 80] }],
  ["*.example.com", { name: "example.com", below: true, ports: [443, 80] }],
  ["git.example.com:22", { name: "git.example.com", below: false, ports: [22] }],
  ["*.example.com:8443", { name: "example.com", below: true, ports: [8443] }],
])("%s is a host", (text, pattern) => {
  expect(parseHostPattern(text)).toEqual(pattern);
});

it.each([
  "",
  "*",
  "*.",
  "localhost",
  "PyPI.org",
  "pypi.org.",
  "https://pypi.org",
  "pypi.org/simple",
  "192.0.2.1",
  "*.0.2.1",
  "0x7f.1",
  "[::1]",
  "*.*.example.com",
  "a*.example.com",
  "bücher.example",
  "pypi.org:",
  "pypi.org:0",
  "pypi.org:0443",
  "pypi.org:65536",
  "pypi.org\nevil.example",
])("%j is none", (text) => {
  expect([parseHostPattern(text), allowsHost(new Set([text]), text, 443)]).toEqual([undefined, false]);
});

it.each([
  ["pypi.org", 443, true],
  ["pypi.org", 80, true],
  ["pypi.org", 22, false],
  ["www.pypi.org", 443, false],
  ["example.com", 443, false],
  ["a.example.com", 443, true],
  ["a.b.example.com", 443, true],
  ["aexample.com", 443, false],
  ["git.example.org", 22, true],
  ["git.example.org", 443, false],
])("%s:%d: %s", (host, port, allowed) => {
  const hosts = ["pypi.org", "*.example.com", "git.example.org:22", "*.org", "*.com:443"];
  expect(allowsHost(new Set(hosts), host, port)).toBe(allowed);
  // What is refused says what to write.
  expect(allowsHost(new Set([...hosts, hostToDeclare(host, port)]), host, port)).toBe(true);
});

it.each([
  ["pypi.org", "pypi.org", true],
  ["pypi.org:443", "pypi.org", true],
  ["pypi.org", "pypi.org:443", false],
  ["pypi.org:22", "pypi.org", false],
  ["a.pypi.org", "pypi.org", false],
  ["a.pypi.org", "*.pypi.org", true],
  ["*.a.pypi.org", "*.pypi.org", true],
  ["*.pypi.org", "*.pypi.org", true],
  ["pypi.org", "*.pypi.org", false],
  ["apypi.org", "*.pypi.org", false],
  ["*.pypi.org", "pypi.org", false],
  ["*.org", "*.pypi.org", false],
  ["nonsense", "nonsense", false],
])("%s within %s: %s", (host, bound, within) => {
  expect(isHostWithin(host, bound)).toBe(within);
});
