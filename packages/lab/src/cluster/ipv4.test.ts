import { expect, test } from "vitest";
import { formatIpv4, hostRange, parseIpv4 } from "./ipv4.ts";

test.each([
  ["0.0.0.0", 0],
  ["10.201.1.7", 0x0ac90107],
  ["255.255.255.255", 0xffffffff],
])("%s is read and written", (text, number) => {
  expect(parseIpv4(text)).toBe(number);
  expect(formatIpv4(number)).toBe(text);
});

test.each(["", "10.0.0", "10.0.0.256", "10.0.0.01", "10.0.0.-1", "::1", "host"])(
  "%s is no address",
  (text) => {
    expect(parseIpv4(text)).toBe(undefined);
  },
);

test("a range is its addresses for hosts", () => {
  expect(hostRange("10.201.1.0/24")).toEqual({ first: 0x0ac90101, last: 0x0ac901fe });
});

test.each(["10.0.0.0", "10.0.0.0/31", "10.0.0.0/x", "net/24"])("fails for the range %s", (range) => {
  expect(() => hostRange(range)).toThrow(`"${range}" is no IPv4 range`);
});
