import { expect, test } from "vitest";
import { assign } from "./assign.ts";

const range = "10.201.1.0/29";

test("gives the lowest free addresses and keeps those that are given", () => {
  expect(
    assign(
      [
        { key: "a/new", wanted: true },
        { key: "a/old", wanted: true, current: "10.201.1.1" },
        { key: "a/other", wanted: true },
      ],
      range,
    ),
  ).toEqual([
    { key: "a/new", address: "10.201.1.2" },
    { key: "a/old", address: "10.201.1.1" },
    { key: "a/other", address: "10.201.1.3" },
  ]);
});

test("honours a requested address, also in place of another", () => {
  expect(
    assign([{ key: "a/b", wanted: true, requested: "10.201.1.5", current: "10.201.1.1" }], range),
  ).toEqual([{ key: "a/b", address: "10.201.1.5" }]);
});

test("frees the address of a Service that is no longer a LoadBalancer", () => {
  expect(
    assign(
      [
        { key: "a/was", wanted: false, current: "10.201.1.1" },
        { key: "a/is", wanted: true },
      ],
      range,
    ),
  ).toEqual([
    { key: "a/was", none: true },
    { key: "a/is", address: "10.201.1.1" },
  ]);
});

test("refuses an address that is outside of the range or another's", () => {
  expect(
    assign(
      [
        { key: "a/first", wanted: true, current: "10.201.1.1" },
        { key: "a/second", wanted: true, requested: "10.201.1.1" },
        { key: "a/third", wanted: true, requested: "10.201.1.7" },
        { key: "a/fourth", wanted: true, requested: "gateway" },
      ],
      range,
    ).slice(1),
  ).toEqual([
    { key: "a/second", refused: "loadBalancerIP 10.201.1.1 belongs to the Service a/first" },
    { key: "a/third", refused: "loadBalancerIP 10.201.1.7 is outside of the lab's range 10.201.1.0/29" },
    { key: "a/fourth", refused: "loadBalancerIP gateway is outside of the lab's range 10.201.1.0/29" },
  ]);
});

test("refuses when the range is used up", () => {
  const services = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ key: `a/${n}`, wanted: true }));
  expect(assign(services, range).at(-1)).toEqual({
    key: "a/7",
    refused: "no address is left in 10.201.1.0/29",
  });
});
