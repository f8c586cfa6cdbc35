import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf } from "../kit/crypto.ts";
import { isDeferred } from "../kit/input.ts";
import { compact } from "./manifest.ts";
import { joinName } from "./names.ts";
import { canonicalQuantity, mebibytes, quantityValue } from "./quantity.ts";

describe("hashOf", () => {
  it("does not depend on the order of keys, but on that of lists", () => {
    expect(hashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOf({ b: { d: 3, c: 2 }, a: 1 }));
    expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
  });

  it("stays the same from release to release", () => {
    expect(hashOf({ a: [1, "x", null] })).toBe("cf946966268a");
  });
});

describe("joinName", () => {
  const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);

  it("joins what fits", () => {
    expect(joinName("dev1", "home")).toBe("dev1-home");
    expect(joinName("a".repeat(58), "home")).toBe(`${"a".repeat(58)}-home`);
  });

  it("always gives a DNS label that ends in the suffix", () => {
    fc.assert(
      fc.property(label, fc.constantFrom("home", "authorized-keys"), (base, suffix) => {
        const name = joinName(base, suffix);
        expect(name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
        expect(name.endsWith(`-${suffix}`)).toBe(true);
      }),
    );
  });

  it("keeps long names apart", () => {
    const base = "a".repeat(62);
    expect(joinName(`${base}b`, "home")).not.toBe(joinName(`${base}c`, "home"));
  });
});

describe("quantities", () => {
  it.each([
    ["500m", 0.5],
    ["4", 4],
    ["1.5", 1.5],
    ["2k", 2000],
    ["1Gi", 1073741824],
    ["512Mi", 536870912],
    ["1G", 1000000000],
  ])("%s is %d", (text, value) => {
    expect(quantityValue(text)).toBe(value);
  });

  it.each(["", "Gi", "1GB", "-1", "1e3", "x"])("%j is none", (text) => {
    expect(quantityValue(text)).toBeUndefined();
  });

  it("writes bytes in whole mebibytes", () => {
    expect([2 ** 30, 2 ** 20 + 1, 1].map(mebibytes)).toEqual(["1Gi", "1Mi", "1Mi"]);
  });

  it.each([
    ["1024Mi", "1Gi"],
    ["1000Mi", "1000Mi"],
    ["1.5Gi", "1536Mi"],
    ["0.1Mi", "104857600m"],
    ["0.5", "500m"],
    ["1000m", "1"],
    ["2000", "2k"],
    ["0Gi", "0"],
  ])("%s is %s to the cluster", (quantity, canonical) => {
    expect(canonicalQuantity(quantity)).toBe(canonical);
  });
});

describe("manifest helpers", () => {
  it("drops undefined values only", () => {
    expect(compact({ a: undefined, b: null, c: 0, d: "" })).toEqual({ b: null, c: 0, d: "" });
  });

  it("knows what is resolved later", () => {
    const values = [Promise.resolve(1), { __pulumiOutput: true }, "x", null, undefined, {}];
    expect(values.map(isDeferred)).toEqual([true, true, false, false, false, false]);
  });
});
