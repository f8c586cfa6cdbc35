import { describe, expect, it } from "vitest";
import { privateNetworks } from "../kubernetes/networks.ts";
import type { DevContainerInput } from "./args.ts";
import { containerNetworkPolicy } from "./network-policy.ts";
import { gateway, planOf } from "./plan.fixture.ts";

/** The usual ones are recorded as they are (test/recorded). */
const specOf = (args: Partial<DevContainerInput> = {}) =>
  containerNetworkPolicy(planOf(args)).spec as unknown as { ingress: unknown[]; egress: unknown[] };

describe("the way in", () => {
  it("is for nobody without a gateway", () => {
    expect(specOf()).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
    expect(specOf().ingress).toBeUndefined();
  });

  it("is for nobody at a gateway that forwards to no port: a rule without ports would be for all", () => {
    const { spec } = containerNetworkPolicy({ ...planOf({ access: { gateway } }), gatewayPorts: [] });
    expect(spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
    expect(spec).not.toHaveProperty("ingress");
  });
});

describe("the way out", () => {
  it("leaves out what is denied, each address family by itself", () => {
    const [, internet] = specOf({ egress: { deny: ["192.0.2.1/32", "2001:db8::/32"] } }).egress;
    expect(internet).toEqual({
      to: [
        { ipBlock: { cidr: "0.0.0.0/0", except: [...privateNetworks.ipv4, "192.0.2.1/32"] } },
        { ipBlock: { cidr: "::/0", except: [...privateNetworks.ipv6, "2001:db8::/32"] } },
      ],
    });
  });

  it("by name is the gateway's alone, besides DNS and what is declared", () => {
    const hosts = { gateway: { name: "egress", namespace: "out" }, hosts: ["pypi.org"] };
    const { egress } = specOf({ egress: { ...hosts, allow: [{ cidr: "10.20.0.0/16" }] } });
    expect(egress.slice(1)).toEqual([
      {
        to: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "out" } },
            podSelector: {
              matchLabels: {
                "app.kubernetes.io/component": "egress-gateway",
                "app.kubernetes.io/instance": "egress",
              },
            },
          },
        ],
        ports: [{ port: 3128, protocol: "TCP" }],
      },
      { to: [{ ipBlock: { cidr: "10.20.0.0/16" } }] },
    ]);
  });
});
