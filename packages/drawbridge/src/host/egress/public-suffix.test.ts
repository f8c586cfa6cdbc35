import { expect, it } from "vitest";
import { openTo } from "./public-suffix.ts";

it.each([
  ["*.com", "registrants"],
  ["*.co.uk", "registrants"],
  ["*.co.uk:8443", "registrants"],
  ["*.com.br", "registrants"],
  ["*.pvt.k12.ma.us", "registrants"],
  ["*.xn--55qx5d.cn", "registrants"],
  // By a rule with a wildcard of its own, and above it.
  ["*.foo.kawasaki.jp", "registrants"],
  ["*.kawasaki.jp", "registrants"],
  ["*.github.io", "customers"],
  ["*.githubusercontent.com", "customers"],
  ["*.s3.amazonaws.com", "customers"],
  ["*.s3.eu-west-1.amazonaws.com", "customers"],
  ["*.cloudfront.net", "customers"],
  ["*.herokuapp.com", "customers"],
  ["*.eu-west-1.compute.amazonaws.com", "customers"],
  ["*.example.co.uk", undefined],
  ["*.me.github.io", undefined],
  ["*.bucket.s3.amazonaws.com", undefined],
  ["*.example.com", undefined],
  ["*.pythonhosted.org", undefined],
  // An exception to the rule of kawasaki.jp.
  ["*.city.kawasaki.jp", undefined],
  ["*.corp.internal", undefined],
  ["me.github.io", undefined],
  ["co.uk", undefined],
  ["nonsense:", undefined],
])("%s is open to %s", (host, expected) => {
  expect(openTo(host)).toBe(expected);
});
