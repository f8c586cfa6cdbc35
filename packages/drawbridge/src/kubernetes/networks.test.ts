import { expect, it } from "vitest";
import { privateNetworks as all, networksWithoutHosts } from "./networks.ts";
import { isWithin } from "./outside-host.ts";

const privateNetworks = [...all.ipv4, ...all.ipv6];
const isPrivate = (network: string) => privateNetworks.some((one) => isWithin(network, one));

it("every address where a cloud hands out credentials is private, also as IPv4 in IPv6", () => {
  const { "where a cloud hands out credentials": credentials } = networksWithoutHosts;
  expect(credentials.filter((network) => !isPrivate(network))).toEqual([]);
  expect(isPrivate("64:ff9b::169.254.169.254/128")).toBe(true);
  expect(isPrivate("64:ff9b:1::169.254.169.254/128")).toBe(true);
  expect(["192.0.2.7/32", "168.63.129.17/32", "192.0.0.193/32", "2001:db8::7/128"].filter(isPrivate)).toEqual(
    [],
  );
});
