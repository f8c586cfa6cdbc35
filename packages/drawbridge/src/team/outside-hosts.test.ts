import { describe, expect, it } from "vitest";
import { parseArgs } from "../kit/args-error.ts";
import { cases, faultsFrom } from "../kit/faults.fixture.ts";
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
      manifest: { addressType: "IPv6", endpoints: [{ addresses: ["fd12::5"] }], ports: [{ port: 22 }] },
    });
  });

  it("is none unless it is named", () => {
    expect(Object.keys(objectsOf({})).filter((key) => /^(host|addresses)-/.test(key))).toEqual([]);
  });
});

const outside = "where no host outside of the cluster is";

describe("faults", () => {
  it.each(cases`
    { address: 10.20.0.5 }
    { address: 203.0.113.7 }
    { address: "fd12:3456::5" }
    { address: vm1.example.com } → is not an IP address
    { address: 10.20.0.0/24 } → is not an IP address
    { address: "fe80::1%eth0" } → is not an IP address
    { address: 010.20.0.5 } → is not an IP address
    { address: "10.20.5" } → is not an IP address
    { address: "169431045" } → is not an IP address
    { address: "" } → is not an IP address
    { address: 127.0.0.1 } → is in 127.0.0.0/8 (loopback), ${outside}
    { address: 127.20.0.5 } → is in 127.0.0.0/8 (loopback), ${outside}
    { address: "::1" } → is in ::1/128 (loopback), ${outside}
    { address: 0.0.0.0 } → is in 0.0.0.0/8 (unspecified or reserved), ${outside}
    { address: "::" } → is in ::/128 (unspecified or reserved), ${outside}
    { address: 169.254.169.254 } → is in 169.254.0.0/16 (link-local), ${outside}
    { address: 100.100.100.200 } → is in 100.100.100.200/32 (where a cloud hands out credentials), ${outside}
    { address: "fd00:ec2::254" } → is in fd00:ec2::254/128 (where a cloud hands out credentials), ${outside}
    { address: "::ffff:169.254.169.254" } → is in ::ffff:0:0/96 (IPv4 in IPv6), ${outside}
    { address: "64:ff9b::a9fe:a9fe" } → is in 64:ff9b::/96 (IPv4 in IPv6), ${outside}
    { address: "fe80::1" } → is in fe80::/10 (link-local), ${outside}
    { address: 224.0.0.1 } → is in 224.0.0.0/4 (multicast), ${outside}
    { address: "ff02::1" } → is in ff00::/8 (multicast), ${outside}
    { address: 255.255.255.255 } → is in 240.0.0.0/4 (unspecified or reserved), ${outside}
  `)("%s", (_, vm1, said) => {
    expect(faultsOf({ vm1 })).toEqual(
      said.map((what) => `outsideHosts.vm1.address: "${vm1.address}" ${what}`),
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
