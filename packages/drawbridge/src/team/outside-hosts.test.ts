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

const labels = {
  "app.kubernetes.io/name": "team",
  "app.kubernetes.io/component": "team",
  "app.kubernetes.io/instance": "team-a",
  "app.kubernetes.io/managed-by": "drawbridge",
  "app.kubernetes.io/part-of": "drawbridge",
};

describe("a host outside of the cluster", () => {
  it("is a Service without a selector, and the address that the platform gave it", () => {
    const { "host-vm1": service, "addresses-vm1": slice } = objectsOf({
      vm1: { address: "10.20.0.5", port: 2022 },
    });
    expect(service).toEqual({
      after: ["namespace"],
      manifest: {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "vm1", namespace: "team-a", labels },
        spec: {
          clusterIP: "None",
          ports: [{ name: "tcp-ssh", port: 2022, targetPort: 2022, protocol: "TCP" }],
        },
      },
    });
    expect(slice).toEqual({
      after: ["namespace", "host-vm1"],
      manifest: {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: {
          name: "vm1",
          namespace: "team-a",
          labels: {
            ...labels,
            "kubernetes.io/service-name": "vm1",
            "endpointslice.kubernetes.io/managed-by": "drawbridge",
          },
          annotations: { "pulumi.com/deletionPropagationPolicy": "background" },
        },
        addressType: "IPv4",
        endpoints: [{ addresses: ["10.20.0.5"], conditions: { ready: true } }],
        ports: [{ name: "tcp-ssh", port: 2022, protocol: "TCP" }],
      },
    });
  });

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
    ["a name", "vm1.example.com", "not-an-address"],
    ["a network", "10.20.0.0/24", "not-an-address"],
    ["a zone", "fe80::1%eth0", "not-an-address"],
    ["an octal number", "010.20.0.5", "not-an-address"],
    ["a short form", "10.20.5", "not-an-address"],
    ["a number", "169431045", "not-an-address"],
    ["nothing", "", "not-an-address"],
    ["the gateway itself", "127.0.0.1", "address-of-no-host"],
    ["the gateway itself, any of it", "127.20.0.5", "address-of-no-host"],
    ["the gateway itself in IPv6", "::1", "address-of-no-host"],
    ["nobody", "0.0.0.0", "address-of-no-host"],
    ["nobody in IPv6", "::", "address-of-no-host"],
    ["the metadata service", "169.254.169.254", "address-of-no-host"],
    ["the metadata service of another cloud", "100.100.100.200", "address-of-no-host"],
    ["the metadata service in IPv6", "fd00:ec2::254", "address-of-no-host"],
    ["the metadata service in other words", "::ffff:169.254.169.254", "address-of-no-host"],
    ["the metadata service through NAT64", "64:ff9b::a9fe:a9fe", "address-of-no-host"],
    ["the link", "fe80::1", "address-of-no-host"],
    ["many", "224.0.0.1", "address-of-no-host"],
    ["many in IPv6", "ff02::1", "address-of-no-host"],
    ["all", "255.255.255.255", "address-of-no-host"],
  ])("%s", (_, address, code) => {
    expect(faultsOf({ vm1: { address } })).toEqual(
      code === undefined ? [] : [`outsideHosts.vm1.address: ${code}`],
    );
  });

  it("names what no Service can have, and what is missing", () => {
    expect(
      faultsOf({ VM: { address: "10.20.0.5" }, vm2: {}, vm3: { address: "10.20.0.5", port: 0 } }),
    ).toEqual([
      "outsideHosts.VM: not-a-service-name",
      "outsideHosts.vm2.address: missing",
      "outsideHosts.vm3.port: not-a-port",
    ]);
  });
});
