import { describe, expect, it } from "vitest";
import { container, dev } from "../attacks.fixture.ts";
import { parseBounds } from "../bounds.ts";
import { judge } from "../guard.ts";
import { edited, today, whole } from "../sample.fixture.ts";

const gateway = { name: "egress", namespace: "egress" };
const reaching = (hosts: readonly string[] | undefined, more: object = {}) => ({
  egress: hosts === undefined ? more : { gateway, hosts, ...more },
});
const most = { teams: { "team-a": { egress: { hosts: ["pypi.org", "*.example.com"] } } } };

function said(before: object, after: object, more: object = most, about = "hosts"): string[] {
  const bounds = parseBounds({ namespaces: ["team-a"], ...more }, "bounds");
  const { refused, unjudged, access } = judge(whole(dev(after, before)), [], today, bounds);
  const crossed = [...refused, ...unjudged].map(({ rule, text }) => `${rule} ${text}`);
  const reported = access.flatMap(({ effect, text }) => (effect === "crosses" ? [] : [`${effect} ${text}`]));
  return [...crossed, ...reported].filter((text) => text.includes(about));
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

const ofCustomers = (host: string) =>
  `network-wall egress.hosts opens ${host}, every name of which is another customer's of the same provider; name those that are meant, or let the bounds name it`;
it("a wildcard of all customers of a provider below a wildcard of the bounds", () => {
  const bounds = { teams: { "team-a": { egress: { hosts: ["*.amazonaws.com"] } } } };
  const hosts = ["*.s3.amazonaws.com:443", "*.bucket.s3.amazonaws.com"];
  expect(said(reaching([]), reaching(hosts), bounds)).toEqual([
    ofCustomers("*.s3.amazonaws.com:443"),
    "gains egress.hosts opens *.bucket.s3.amazonaws.com",
  ]);
});

it.each([
  ["without bounds", {}, [ofCustomers("*.github.io")]],
  [
    "within wider ones",
    { teams: { "team-a": { egress: { hosts: ["*.github.io:443", "*.io.example"] } } } },
    ["network-wall egress.hosts opens *.github.io, which is beyond what the bounds let team-a name"],
  ],
  [
    "that the bounds name",
    { teams: { "team-a": { egress: { hosts: ["*.github.io"] } } } },
    ["gains egress.hosts opens *.github.io"],
  ],
])("a wildcard of all customers of a provider %s", (_, bounds, expected) => {
  expect(said(reaching([]), reaching(["*.github.io"]), bounds)).toEqual(expected);
  expect(said(reaching([]), reaching(["me.github.io"]), {})).toEqual([
    "gains egress.hosts opens me.github.io",
  ]);
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

describe("a team that the bounds let reach hosts by name alone", () => {
  const open =
    "network-wall egress opens the whole internet, and the bounds let team-a reach hosts by name alone; set hosts, or internet: false";
  const none = { teams: { "team-a": { egress: { hosts: [] } } } };
  const added = (args: object) => {
    const change = edited("DevContainer", "dev1", undefined, { ...container, ...args });
    const bounds = parseBounds({ namespaces: ["team-a"], ...none }, "bounds");
    const { refused } = judge(whole(change), [], today, bounds);
    return refused.map(({ rule, text }) => `${rule} ${text}`).filter((text) => text.includes("egress"));
  };

  const allowed = "gains egress.allow opens 198.51.100.0/24 at TCP 443";
  const past = (bounds: object) => {
    const allow = [{ cidr: "198.51.100.0/24", ports: [443] }];
    return said(reaching([]), reaching([], { allow }), bounds, "egress.allow");
  };

  it.each([
    ["a new container without hosts", added({}), [open]],
    ["its twin with none of them", added(reaching([])), []],
    ["its twin without the internet", added({ egress: { internet: false } }), []],
    ["the internet again", said({ egress: { internet: false } }, { egress: {} }, none), [open]],
    ["its twin without bounds", said({ egress: { internet: false } }, { egress: {} }, {}), []],
    [
      "a host",
      said(reaching([]), reaching(["pypi.org"]), none),
      [expect.stringContaining("beyond what the bounds")],
    ],
    [
      "an address past the gateway",
      past(none),
      ["network-wall egress.allow opens the network 198.51.100.0/24 at TCP 443"],
    ],
    ["its twin that the bounds name", past({ ...none, networks: ["198.51.100.0/24"] }), [allowed]],
    ["its twin without such bounds", past({}), [allowed]],
    ["another edit of what was open before", said({}, { egress: { deny: ["192.0.2.1/32"] } }, none), []],
  ])("%s", (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

it("bounds that hold no host are refused", () => {
  const faulty = { teams: { "team-a": { egress: { hosts: ["https://pypi.org"] } } } };
  expect(() => parseBounds(faulty, "bounds")).toThrow("teams.team-a.egress.hosts.0: is no host");
  faulty.teams["team-a"].egress.hosts = ["*.co.uk"];
  expect(() => parseBounds(faulty, "bounds")).toThrow(
    "teams.team-a.egress.hosts.0: is every name of a registry",
  );
});
