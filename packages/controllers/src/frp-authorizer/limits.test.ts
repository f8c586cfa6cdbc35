import { frpClientLimitsSchema } from "@drawbridge-iac/drawbridge/src/host/ways/client-limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Buckets, clientNetwork, overLimit, stillOverLimit } from "../authorizer/buckets.ts";
import { isWorthALine } from "./answer-frps.ts";
import { authorize } from "./authorize.ts";
import type { AuthorizeRequest } from "./frps-protocol.ts";
import { defaultLimits, type Limits, turnOf } from "./limits.ts";

const request = (operation: AuthorizeRequest["operation"], address: string, user = "team-a.dev1") =>
  ({ operation, address, client: { user, token: "" }, proxy: undefined }) as const;
const rate = (connectionsPerMinute: number, burst: number) => ({ connectionsPerMinute, burst });

it("is told that it is over, and then that it still is, which is not logged", () => {
  expect([overLimit, stillOverLimit]).toEqual([
    "the address opens more connections than it may",
    "the address opens more connections than it may, still",
  ]);
});

describe("a bucket", () => {
  it("gives its burst at once, then evenly, and says once that it is empty", () => {
    const clock = { time: 0 };
    const buckets = new Buckets(() => clock.time);
    const take = () => buckets.take("a", rate(30, 2));
    expect([take(), take(), take(), take()]).toEqual([0, 0, overLimit, stillOverLimit]);
    expect(buckets.take("b", rate(30, 2))).toBe(0);
    clock.time = 1999;
    expect(take()).toBe(stillOverLimit);
    clock.time = 2000;
    expect([take(), take()]).toEqual([0, overLimit]);
    clock.time = 60 * 60_000;
    expect([take(), take(), take()]).toEqual([0, 0, overLimit]);
  });

  it("never lets more pass than its burst and its rate, whenever they ask", () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 50 }),
        pauses,
        (r, b, waits) => {
          const clock = { time: 0 };
          const buckets = new Buckets(() => clock.time);
          let passed = 0;
          for (const wait of waits) {
            clock.time += wait;
            if (buckets.take("a", rate(r, b)) === 0) passed += 1;
          }
          expect(passed).toBeLessThanOrEqual(b + (clock.time / 60_000) * r + 1e-6);
        },
      ),
    );
  });

  it("goes by its own clock", () => {
    const own = new Buckets();
    expect([own.take("a", rate(1, 1)), own.take("a", rate(1, 1))]).toEqual([0, overLimit]);
  });

  it("that was asked for lately is not the longest unused", () => {
    const buckets = new Buckets(() => 0);
    for (let one = 0; one < 10_000; one++) buckets.take(`${one}`, rate(1, 1));
    expect(buckets.take("0", rate(1, 1))).toBe(overLimit);
    buckets.take("another", rate(1, 1));
    expect([buckets.take("0", rate(1, 1)), buckets.take("1", rate(1, 1))]).toEqual([stillOverLimit, 0]);
  });

  it("is forgotten when ten thousand others came after it, and no earlier", () => {
    const buckets = new Buckets(() => 0);
    buckets.take("first", rate(1, 1));
    for (let other = 1; other < 10_000; other++) buckets.take(`other ${other}`, rate(1, 1));
    expect(buckets.take("first", rate(1, 1))).toBe(overLimit);
    for (let other = 1; other <= 10_000; other++) buckets.take(`another ${other}`, rate(1, 1));
    expect(buckets.take("first", rate(1, 1))).toBe(0);
  });
});

describe("a client", () => {
  it("has the limits by default that an FrpServer says", () => {
    const { logins: _, ...clients } = defaultLimits;
    expect(frpClientLimitsSchema.parse({})).toEqual(clients);
  });

  it.each([
    ["192.0.2.7:4711", "192.0.2.7"],
    ["192.0.2.7", "192.0.2.7"],
    ["[::ffff:192.0.2.7]:4711", "192.0.2.7"],
    ["[2001:db8:0:1::7]:4711", "2001:db8:0:1::/64"],
    ["[2001:DB8:0:1:ffff:1:2:3]:1", "2001:db8:0:1::/64"],
    ["[2001:db8::1]:1", "2001:db8:0:0::/64"],
    ["[::1]:1", "0:0:0:0::/64"],
    ["[2001:db8::7:1]:4711", "2001:db8:0:0::/64"],
    ["[1:2:3:4:5:6:7::]:1", "1:2:3:4::/64"],
    ["[::5:6:7:8]:1", "0:0:0:0::/64"],
    ["[1::4:5:6:7:8]:1", "1:0:0:4::/64"],
    ["[a::ffff:192.0.2.7]:1", "a:0:0:0::/64"],
    ["a\nb", ""],
    ["::ffff:192.0.2.7x", "::ffff:192.0.2.7x"],
    ["", ""],
  ])("of %s counts as %s", (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it("is limited for each container, and in total; refused ones do not count in total", () => {
    const buckets = new Buckets(() => 0);
    // The next turn is more than a minute away.
    const limits = { perClient: rate(0.9, 3), perClientAndContainer: rate(0.9, 2) };
    const come = (user: string, address = "192.0.2.7:1") =>
      turnOf(request("NewUserConn", address, user), limits, buckets);
    expect([come("a.one"), come("a.one"), come("a.one")]).toEqual([0, 0, overLimit]);
    expect([come("a.two"), come("a.three")]).toEqual([0, overLimit]);
    expect(come("a.one", "192.0.2.8:1")).toBe(0);
    // What else frps asks about is no connection.
    const others = (["Ping", "NewProxy"] as const).flatMap((operation) => Array(9).fill(operation));
    const answers = others.map((one) => turnOf(request(one, "192.0.2.7:1", "a.one"), limits, buckets));
    expect(answers.filter((answer) => answer !== 0)).toEqual([]);
  });

  it("beyond its burst waits for its turn, up to a minute; a frpc does not, and nobody else does", () => {
    const clock = { time: 0 };
    const buckets = new Buckets(() => clock.time);
    const limits = { logins: rate(60, 1), perClientAndContainer: rate(60, 2) };
    const come = (address = "192.0.2.7:1") => turnOf(request("NewUserConn", address), limits, buckets);
    const turns = Array.from({ length: 64 }, () => come());
    const seconds = Array.from({ length: 60 }, (_, index) => 1000 * (index + 1));
    expect(turns).toEqual([0, 0, ...seconds, overLimit, stillOverLimit]);
    expect(come("192.0.2.8:1")).toBe(0);
    // Whose turn is to come is in the bucket already: a second is one more, and no burst.
    clock.time = 1000;
    expect([come(), come()]).toEqual([60_000, overLimit]);
    const logins = [1, 2].map(() => turnOf(request("Login", "192.0.2.9:1"), limits, buckets));
    expect(logins).toEqual([0, overLimit]);
  });

  it("in a loop is never refused, however fast it comes again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 500 }), (perMinute, took) => {
        const clock = { time: 0 };
        const buckets = new Buckets(() => clock.time);
        for (let round = 0; round < 300; round++) {
          const limits = { perClientAndContainer: rate(Math.max(2, perMinute), 1) };
          const turn = turnOf(request("NewUserConn", "192.0.2.7:1"), limits, buckets);
          expect(turn).toBeTypeOf("number");
          clock.time += Number(turn) + took;
        }
      }),
    );
  });

  it("that is an frpc is limited by its logins alone", () => {
    const buckets = new Buckets(() => 0);
    const ask = (operation: AuthorizeRequest["operation"]) =>
      turnOf(request(operation, "10.0.0.1:1"), { logins: rate(1, 1) }, buckets);
    expect([ask("Login"), ask("Login"), ask("Ping"), ask("NewProxy"), ask("NewUserConn")]).toEqual([
      0,
      overLimit,
      0,
      0,
      0,
    ]);
  });

  /** An authorizer with these limits that knows nobody, and the names that it looked up. */
  const authorizer = (limits: Limits) => {
    const looked: string[] = [];
    const knowledge = {
      units: () => ({ domainSuffix: "x.y", units: {}, limits }),
      findGrant: async ({ name }: { name: string }) => {
        looked.push(name);
        return undefined;
      },
      buckets: new Buckets(() => 0),
    };
    return { looked, ask: async (asked: AuthorizeRequest) => (await authorize(asked, knowledge)).reason };
  };

  it("waits before its container is looked up, and is then allowed", async () => {
    const { looked, ask } = authorizer({ perClientAndContainer: rate(600, 1) });
    const answer = () => ask(request("NewUserConn", "192.0.2.7:1", "team-a.a"));
    await answer();
    const second = answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(looked).toEqual(["a"]);
    expect(await second).toBe("the user is unknown or its token is wrong");
    expect(looked).toEqual(["a", "a"]);
  });

  it("over its limit is refused before its container is looked up, and logged once", async () => {
    const { looked, ask } = authorizer({ logins: rate(1, 1) });
    const answers: (string | undefined)[] = [];
    for (const name of ["a", "b", "c"]) {
      answers.push(await ask(request("Login", "10.0.0.1:1", `team-a.${name}`)));
    }
    expect(answers).toEqual(["the user is unknown or its token is wrong", overLimit, stillOverLimit]);
    expect(looked).toEqual(["a"]);
    const logged = answers.map((reason) => isWorthALine(request("Login", ""), { reason }));
    expect(logged).toEqual([true, true, false]);
  });
});
