import { expect, it } from "vitest";
import { dev } from "../attacks.fixture.ts";
import { parseBounds } from "../bounds.ts";
import { judge } from "../guard.ts";
import { today, whole } from "../sample.fixture.ts";

const gateway = { name: "egress", namespace: "egress" };
const reaching = (hosts: readonly string[] | undefined, more: object = {}) => ({
  egress: hosts === undefined ? more : { gateway, hosts, ...more },
});
const most = { teams: { "team-a": { egress: { hosts: ["pypi.org", "*.example.com"] } } } };

function said(before: object, after: object, more: object = most): string[] {
  const bounds = parseBounds({ namespaces: ["team-a"], ...more }, "bounds");
  const { refused, unjudged, access } = judge(whole(dev(after, before)), [], today, bounds);
  const crossed = [...refused, ...unjudged].map(({ rule, text }) => `${rule} ${text}`);
  const reported = access.flatMap(({ effect, text }) => (effect === "crosses" ? [] : [`${effect} ${text}`]));
  return [...crossed, ...reported].filter((text) => text.includes("hosts"));
}

it.each([
  ["a further host", ["pypi.org"], ["pypi.org", "a.example.com"], ["gains egress.hosts opens a.example.com"]],
  [
    "one beyond",
    ["pypi.org"],
    ["pypi.org", "evil.example"],
    ["network-wall egress.hosts opens evil.example, which is beyond what the bounds let team-a name"],
  ],
  [
    "a wider wildcard",
    ["a.example.com"],
    ["a.example.com", "*.com.example"],
    ["network-wall egress.hosts opens *.com.example, which is beyond what the bounds let team-a name"],
  ],
  [
    "another port",
    ["pypi.org"],
    ["pypi.org", "pypi.org:22"],
    ["network-wall egress.hosts opens pypi.org:22, which is beyond what the bounds let team-a name"],
  ],
  [
    "one less",
    ["pypi.org", "a.example.com"],
    ["pypi.org"],
    ["loses egress.hosts no longer opens a.example.com"],
  ],
  [
    "a narrower one",
    ["*.example.com"],
    ["a.example.com"],
    ["loses egress.hosts no longer opens *.example.com"],
  ],
  [
    "none at all",
    ["pypi.org"],
    undefined,
    ["network-wall egress.hosts is left out: the whole internet may be reached"],
  ],
])("%s", (_, before, after, expected) => {
  expect(said(reaching(before), reaching(after))).toEqual(expected);
});

it("the first list closes the rest", () => {
  expect(said({}, reaching(["pypi.org"]))).toEqual([
    "gains egress.hosts opens pypi.org",
    "loses egress.hosts closes the rest of the internet",
  ]);
});

it("without bounds each host is reported", () => {
  expect(said(reaching([]), reaching(["evil.example"]), {})).toEqual([
    "gains egress.hosts opens evil.example",
  ]);
});

it("bounds that hold no host are refused", () => {
  const faulty = { teams: { "team-a": { egress: { hosts: ["https://pypi.org"] } } } };
  expect(() => parseBounds(faulty, "bounds")).toThrow("teams.team-a.egress.hosts.0: is no host");
});
