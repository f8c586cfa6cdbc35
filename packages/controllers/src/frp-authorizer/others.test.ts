/** What one team writes into its grant, or sends, never changes what another is answered; only the API server is a fake. */

import { createHash } from "node:crypto";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Buckets } from "../authorizer/buckets.ts";
import { cachedGrants } from "../authorizer/grants.ts";
import { allSpoiled, named, spoiled } from "../others.fixture.ts";
import { Metrics, Problems } from "../telemetry.ts";
import { authorize } from "./authorize.ts";
import { frpGrants } from "./frp-grants.ts";
import { parseRequest } from "./frps-protocol.ts";
import { parseUnits } from "./units-file.ts";

const hash = (token: string) => createHash("sha256").update(token).digest("hex");
const grant = (team: string) => ({
  data: { tokenSha256: hash(team), clientDomain: `own.${team}.ssh.example.com` },
});

/** Team A's grant is answered with this. */
function authorizer(ofTeamA: () => unknown) {
  const problems: unknown[] = [];
  const api = { get: async (path: string) => (path.includes("/team-a/") ? ofTeamA() : grant("team-b")) };
  const told = new Problems(
    ({ container, reason }) => problems.push([container, reason]),
    new Metrics(),
    "x_total",
  );
  let time = 0;
  const knowledge = {
    units: () => ({ domainSuffix: "ssh.example.com", units: {}, limits: {} }),
    findGrant: cachedGrants(frpGrants(api, told), () => {
      time += 10_000;
      return time;
    }),
    buckets: new Buckets(),
  };
  const ask = async (team: string, token = team) => {
    const user = { user: `${team}.dev1`, metas: { token } };
    const proxy = {
      ...{ proxy_name: `${team}.dev1.ssh`, proxy_type: "tcpmux", multiplexer: "httpconnect" },
      custom_domains: [`own.${team}.ssh.example.com`],
    };
    const body = JSON.stringify({ op: "NewProxy", content: { user, ...proxy } });
    return (await authorize(parseRequest(body), knowledge)).reason;
  };
  return { ask, problems };
}

/** The value as it comes over a wire; half a text if it is nested too deeply for JSON. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "[".repeat(20_000);
  }
}

const nobody = "the user is unknown or its token is wrong";

it("a grant with a stranger in any field lets in nobody else, and the others as ever", async () => {
  for (const one of allSpoiled(grant("team-a"))) {
    const { ask } = authorizer(() => one.spoiled);
    const [own, ...others] = await Promise.all([
      ask("team-a"),
      ask("team-a", ""),
      ask("team-a", "x"),
      ask("team-b"),
    ]);
    expect([named(one), others]).toEqual([named(one), [nobody, nobody, undefined]]);
    // Its own name may have gone with its domain; what cannot be read is no grant at all.
    const isLeftOut = one.by === undefined || one.by === null;
    const isDomain = one.path.at(-1) === "clientDomain";
    if (isDomain && isLeftOut) expect(own).toMatch(/is not this container's/);
    else if (!isDomain) expect([named(one), own]).toEqual([named(one), nobody]);
    else expect(own).not.toBe(undefined);
  }
});

it("a grant that cannot be read is told of once, until it is another or none", async () => {
  const texts = ["x", "x", "x", "y".repeat(65), hash("team-a"), "x"];
  const { ask, problems } = authorizer(() => ({ data: { tokenSha256: texts.shift() } }));
  for (let times = 0; times < 6; times += 1) await ask("team-a");
  const sentence = ["team-a/dev1", "its grant.data.tokenSha256 is not a SHA-256 hash"];
  expect(problems).toEqual([sentence, sentence]);
});

it.each([
  ["refused", () => Promise.reject(new ApiError(403, "forbidden"))],
  ["throttled", () => Promise.reject(new ApiError(429, "later"))],
  ["broken", () => Promise.reject(new SyntaxError("garbage"))],
  ["never answered", () => new Promise(() => {})],
])("a lookup that is %s keeps nobody else waiting", async (_what, ofTeamA) => {
  const { ask } = authorizer(ofTeamA);
  void ask("team-a");
  expect(await ask("team-b")).toBe(undefined);
});

it("any request is read, or refused with a sentence", () => {
  const content = {
    user: { user: "team-a.dev1", metas: { token: "t" } },
    custom_domains: ["a.b"],
    proxy_name: "x",
  };
  fc.assert(
    fc.property(spoiled({ op: "NewProxy", content }), (request) => {
      const body = json(request);
      try {
        const { client } = parseRequest(body);
        expect([typeof client.user, typeof client.token]).toEqual(["string", "string"]);
      } catch (error) {
        expect(error).not.toBeInstanceOf(TypeError);
      }
    }),
  );
});

it("the platform's file is read, or refused with a sentence", () => {
  const file = {
    domainSuffix: "ssh.example.com",
    units: { "team-a/dev1": { tokenSha256: hash("t"), domains: ["a.b"], revoked: false } },
    limits: { logins: { connectionsPerMinute: 1, burst: 1 } },
  };
  for (const one of allSpoiled(file)) {
    try {
      parseUnits(json(one.spoiled));
    } catch (error) {
      expect([named(one), (error as Error).message]).toEqual([
        named(one),
        expect.not.stringMatching(/^Cannot|iterable|is not a function/),
      ]);
    }
  }
});
