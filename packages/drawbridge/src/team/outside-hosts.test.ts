import { describe, expect, it } from "vitest";
import { parseArgs } from "../kit/args-error.ts";
import { faultsFrom } from "../kit/faults.fixture.ts";
import type { Objects } from "../kubernetes/objects.ts";
import { planTeam, type TeamInput, teamSchema } from "./args.ts";
import { teamObjects } from "./objects.ts";

type Hosts = NonNullable<TeamInput["outsideHosts"]>;

const objectsOf = (outsideHosts: Hosts, further: object = {}) => {
  const args = parseArgs("Team", "team-a", teamSchema, { outsideHosts, ...further });
  return teamObjects(planTeam("team-a", args)) as Objects;
};

const faultsOf = (outsideHosts: object) =>
  faultsFrom(() => parseArgs("Team", "team-a", teamSchema, { outsideHosts }));

describe("a host outside of the cluster", () => {
  it("has port 22 and either family, in a namespace of somebody else's too", () => {
    const objects = objectsOf({ vm1: { address: "fd12::5" } }, { createNamespace: false });
    expect(objects.namespace).toBe(false);
    expect(objects["addresses-vm1"]).toMatchObject({
      manifest: {
        addressType: "IPv6",
        endpoints: [{ addresses: ["fd12::5"] }],
        ports: [{ port: 22 }],
      },
    });
  });

  it("is none unless it is named", () => {
    expect(Object.keys(objectsOf({})).filter((key) => /^(host|addresses)-/.test(key))).toEqual([]);
  });
});

describe("faults", () => {
  it.each<[string, string, string | undefined]>([
    ["a private address", "10.20.0.5", undefined],
    ["a public one", "203.0.113.7", undefined],
    ["one of IPv6", "fd12:3456::5", undefined],
    ["a name", "vm1.example.com", "is not an IP address"],
    ["a network", "10.20.0.0/24", "is not an IP address"],
    ["a zone", "fe80::1%eth0", "is not an IP address"],
    ["an octal number", "010.20.0.5", "is not an IP address"],
    ["a short form", "10.20.5", "is not an IP address"],
    ["a number", "169431045", "is not an IP address"],
    ["nothing", "", "is not an IP address"],
    [
      "the gateway itself",
      "127.0.0.1",
      "is in 127.0.0.0/8 (loopback), where no host outside of the cluster is",
    ],
    [
      "the gateway itself, any of it",
      "127.20.0.5",
      "is in 127.0.0.0/8 (loopback), where no host outside of the cluster is",
    ],
    [
      "the gateway itself in IPv6",
      "::1",
      "is in ::1/128 (loopback), where no host outside of the cluster is",
    ],
    [
      "nobody",
      "0.0.0.0",
      "is in 0.0.0.0/8 (unspecified or reserved), where no host outside of the cluster is",
    ],
    [
      "nobody in IPv6",
      "::",
      "is in ::/128 (unspecified or reserved), where no host outside of the cluster is",
    ],
    [
      "the metadata service",
      "169.254.169.254",
      "is in 169.254.0.0/16 (link-local), where no host outside of the cluster is",
    ],
    [
      "the metadata service of another cloud",
      "100.100.100.200",
      "is in 100.100.100.200/32 (where a cloud hands out credentials), where no host outside of the cluster is",
    ],
    [
      "the metadata service in IPv6",
      "fd00:ec2::254",
      "is in fd00:ec2::254/128 (where a cloud hands out credentials), where no host outside of the cluster is",
    ],
    [
      "the metadata service in other words",
      "::ffff:169.254.169.254",
      "is in ::ffff:0:0/96 (IPv4 in IPv6), where no host outside of the cluster is",
    ],
    [
      "the metadata service through NAT64",
      "64:ff9b::a9fe:a9fe",
      "is in 64:ff9b::/96 (IPv4 in IPv6), where no host outside of the cluster is",
    ],
    ["the link", "fe80::1", "is in fe80::/10 (link-local), where no host outside of the cluster is"],
    ["many", "224.0.0.1", "is in 224.0.0.0/4 (multicast), where no host outside of the cluster is"],
    ["many in IPv6", "ff02::1", "is in ff00::/8 (multicast), where no host outside of the cluster is"],
    [
      "all",
      "255.255.255.255",
      "is in 240.0.0.0/4 (unspecified or reserved), where no host outside of the cluster is",
    ],
  ])("%s", (_, address, what) => {
    expect(faultsOf({ vm1: { address } })).toEqual(
      what === undefined ? [] : [`outsideHosts.vm1.address: "${address}" ${what}`],
    );
  });

  it("names what no Service can have, and what is missing", () => {
    expect(
      faultsOf({ VM: { address: "10.20.0.5" }, vm2: {}, vm3: { address: "10.20.0.5", port: 0 } }),
    ).toEqual([
      'outsideHosts.VM: "VM" is not usable as a Service name',
      "outsideHosts.vm2.address: is missing",
      "outsideHosts.vm3.port: 0 is not a port",
    ]);
  });
});
