/** What one set of flows has beyond another is exact: shown by probing single addresses and ports. */
import { parseCidr, toCidrs } from "@drawbridge-iac/manifests";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beyond, type Flow, flowsOf, isRange } from "./flow.ts";

// A small world, so that random ranges meet often.
const address = fc.integer({ min: 0, max: 255 });
const cidr = fc
  .tuple(address, fc.integer({ min: 24, max: 32 }))
  .map(([host, length]) => `192.0.2.${host}/${length}`);
const port = fc.integer({ min: 1, max: 12 });
const ports = fc
  .tuple(port, port, fc.constantFrom("TCP", "UDP"))
  .map(([a, b, protocol]) => ({ port: Math.min(a, b), endPort: Math.max(a, b), protocol }));
const rule = fc.record({
  to: fc.array(fc.record({ ipBlock: fc.record({ cidr, except: fc.array(cidr, { maxLength: 3 }) }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  ports: fc.array(ports, { maxLength: 2 }),
});
const rules = fc.array(rule, { maxLength: 3 });

const ipv4 = (text: string) => text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
/** Whether a rule lets one packet through, by the definition and not by sets. */
function lets(
  one: { to: { ipBlock: { cidr: string; except: string[] } }[]; ports: object[] },
  host: number,
  to: number,
) {
  const within = (text: string) => {
    const [base = "", length] = text.split("/");
    const size = 2 ** (32 - Number(length));
    return Math.floor(ipv4(base) / size) === Math.floor(ipv4(`192.0.2.${host}`) / size);
  };
  const isPeer = one.to.some(({ ipBlock }) => within(ipBlock.cidr) && !ipBlock.except.some(within));
  const isPort =
    one.ports.length === 0 ||
    (one.ports as { port: number; endPort: number; protocol: string }[]).some(
      ({ port, endPort, protocol }) => protocol === "TCP" && port <= to && to <= endPort,
    );
  return isPeer && isPort;
}

function holds(flows: readonly Flow[], host: number, to: number): boolean {
  const value = BigInt(ipv4(`192.0.2.${host}`));
  return flows.some(
    ({ peer, protocol, low, high }) =>
      isRange(peer) &&
      peer.family === 4 &&
      peer.low <= value &&
      value <= peer.high &&
      protocol === "TCP" &&
      low <= to &&
      to <= high,
  );
}

describe("flows", () => {
  it("beyond others are exactly those that only the first let through", () => {
    fc.assert(
      fc.property(
        rules,
        rules,
        fc.array(fc.tuple(address, port), { minLength: 30, maxLength: 30 }),
        (was, is, probes) => {
          const sets = [was, is].map((all) => all.flatMap((one) => flowsOf(one, "to", "team-a")));
          const gained = beyond(sets[1] ?? [], sets[0] ?? []);
          for (const [host, to] of probes) {
            const before = was.some((one) => lets(one, host, to));
            const after = is.some((one) => lets(one, host, to));
            expect(holds(gained, host, to)).toBe(after && !before);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("of peers with more labels are part of those with fewer", () => {
    const labels = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"));
    fc.assert(
      fc.property(labels, labels, (few, more) => {
        const from = (matchLabels: object) =>
          flowsOf({ from: [{ podSelector: { matchLabels } }] }, "from", "team-a");
        expect(beyond(from({ ...more, ...few }), from(few))).toEqual([]);
        const isNarrower = Object.entries(few).every(([name, value]) => more[name] === value);
        expect(beyond(from(more), from(few)).length === 0).toBe(isNarrower);
      }),
    );
  });
});

describe("ranges", () => {
  const part = fc.integer({ min: 0, max: 255 });
  const group = fc.oneof(
    fc.constant("0"),
    fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
  );

  it("are written as they are read", () => {
    const v4 = fc
      .tuple(part, part, part, part, fc.integer({ min: 0, max: 32 }))
      .map(([a, b, c, d, length]) => `${a}.${b}.${c}.${d}/${length}`);
    const v6 = fc
      .tuple(fc.array(group, { minLength: 8, maxLength: 8 }), fc.integer({ min: 0, max: 128 }))
      .map(([groups, length]) => `${groups.join(":")}/${length}`);
    fc.assert(
      fc.property(fc.oneof(v4, v6), (text) => {
        const range = parseCidr(text);
        const shown = range === undefined ? [] : toCidrs(range);
        expect(shown).toHaveLength(1);
        expect(parseCidr(shown[0] ?? "")).toEqual(range);
      }),
    );
  });

  it.each([
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["::1/128", "::1/128"],
    ["fc00::/7", "fc00::/7"],
    ["::ffff:10.0.0.1/128", "::ffff:a00:1/128"],
    ["2001:db8:0:0:1:0:0:0/64", "2001:db8::/64"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::/0", "::/0"],
  ])("%s is %s", (text, shown) => {
    const range = parseCidr(text);
    expect(range === undefined ? [] : toCidrs(range)).toEqual([shown]);
  });

  it("are nothing else", () => {
    for (const text of [
      "10.0.0.0",
      "10.0.0.0/33",
      "::/129",
      "10.0.0/8",
      "a/8",
      "10.0.0.0/8/8",
      "10.0.0.0/x",
      "",
    ])
      expect(parseCidr(text)).toBeUndefined();
  });
});
