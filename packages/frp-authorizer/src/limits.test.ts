import { clientLimitsSchema } from "@drawbridge-iac/manifests";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWorthALine } from "./audit.ts";
import { authorize } from "./authorize.ts";
import { Buckets, clientNetwork, defaultLimits, limitFault, overLimit, stillOverLimit } from "./limits.ts";
import type { AuthorizeRequest } from "./protocol.ts";

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
    expect([take(), take(), take(), take()]).toEqual([undefined, undefined, overLimit, stillOverLimit]);
    expect(buckets.take("b", rate(30, 2))).toBe(undefined);
    clock.time = 1999;
    expect(take()).toBe(stillOverLimit);
    clock.time = 2000;
    expect([take(), take()]).toEqual([undefined, overLimit]);
    clock.time = 60 * 60_000;
    expect([take(), take(), take()]).toEqual([undefined, undefined, overLimit]);
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
            if (buckets.take("a", rate(r, b)) === undefined) passed += 1;
          }
          expect(passed).toBeLessThanOrEqual(b + (clock.time / 60_000) * r + 1e-6);
        },
      ),
    );
  });

  it("goes by its own clock", () => {
    const own = new Buckets();
    expect([own.take("a", rate(1, 1)), own.take("a", rate(1, 1))]).toEqual([undefined, overLimit]);
  });

  it("that was asked for lately is not the longest unused", () => {
    const buckets = new Buckets(() => 0);
    for (let one = 0; one < 10_000; one++) buckets.take(`${one}`, rate(1, 1));
    expect(buckets.take("0", rate(1, 1))).toBe(overLimit);
    buckets.take("another", rate(1, 1));
    expect([buckets.take("0", rate(1, 1)), buckets.take("1", rate(1, 1))]).toEqual([
      stillOverLimit,
      undefined,
    ]);
  });

  it("is forgotten when ten thousand others came after it, and no earlier", () => {
    const buckets = new Buckets(() => 0);
    buckets.take("first", rate(1, 1));
    for (let other = 1; other < 10_000; other++) buckets.take(`other ${other}`, rate(1, 1));
    expect(buckets.take("first", rate(1, 1))).toBe(overLimit);
    for (let other = 1; other <= 10_000; other++) buckets.take(`another ${other}`, rate(1, 1));
    expect(buckets.take("first", rate(1, 1))).toBe(undefined);
  });
});

describe("a client", () => {
  it("has the same limits by default as at a gateway", () => {
    const { logins: _, ...clients } = defaultLimits;
    expect(clientLimitsSchema.parse({})).toEqual(clients);
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
    const limits = { perClient: rate(1, 3), perClientAndContainer: rate(1, 2) };
    const come = (user: string, address = "192.0.2.7:1") =>
      limitFault(request("NewUserConn", address, user), limits, buckets);
    expect([come("a.one"), come("a.one"), come("a.one")]).toEqual([undefined, undefined, overLimit]);
    expect([come("a.two"), come("a.three")]).toEqual([undefined, overLimit]);
    expect(come("a.one", "192.0.2.8:1")).toBe(undefined);
    // What else frps asks about is no connection.
    const others = (["Ping", "NewProxy"] as const).flatMap((operation) => Array(9).fill(operation));
    const answers = others.map((one) => limitFault(request(one, "192.0.2.7:1", "a.one"), limits, buckets));
    expect(answers.filter((answer) => answer !== undefined)).toEqual([]);
  });

  it("that is an frpc is limited by its logins alone", () => {
    const buckets = new Buckets(() => 0);
    const ask = (operation: AuthorizeRequest["operation"]) =>
      limitFault(request(operation, "10.0.0.1:1"), { logins: rate(1, 1) }, buckets);
    expect([ask("Login"), ask("Login"), ask("Ping"), ask("NewProxy"), ask("NewUserConn")]).toEqual([
      undefined,
      overLimit,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("over its limit is refused before its container is looked up, and logged once", async () => {
    const looked: string[] = [];
    const knowledge = {
      units: () => ({ domainSuffix: "x.y", units: {}, limits: { logins: rate(1, 1) } }),
      findGrant: async ({ name }: { name: string }) => {
        looked.push(name);
        return undefined;
      },
      buckets: new Buckets(() => 0),
    };
    const answers: (string | undefined)[] = [];
    for (const name of ["a", "b", "c"]) {
      answers.push(await authorize(request("Login", "10.0.0.1:1", `team-a.${name}`), knowledge));
    }
    expect(answers).toEqual(["the user is unknown or its token is wrong", overLimit, stillOverLimit]);
    expect(looked).toEqual(["a"]);
    expect(answers.map((answer) => isWorthALine(request("Login", ""), answer))).toEqual([true, true, false]);
  });
});
