import { describe, expect, it } from "vitest";
import { privateNetworks } from "../common/networks.ts";
import type { DevContainerInput } from "./args.ts";
import { containerNetworkPolicy } from "./network-policy.ts";
import { gateway, planOf } from "./plan.fixture.ts";

const specOf = (args: Partial<DevContainerInput> = {}) =>
  containerNetworkPolicy(planOf(args)).spec as unknown as { ingress: unknown[]; egress: unknown[] };

const tcp = (...ports: number[]) => ports.map((port) => ({ port, protocol: "TCP" }));
const inNamespace = (name: string) => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
});
const gatewayPods = {
  ...inNamespace("ssh-ingress"),
  podSelector: {
    matchLabels: { "app.kubernetes.io/component": "ssh-gateway", "app.kubernetes.io/instance": "ssh" },
  },
};
const dns = (...more: string[]) => ({
  to: [
    { ...inNamespace("kube-system"), podSelector: { matchLabels: { "k8s-app": "kube-dns" } } },
    ...["169.254.20.10/32", ...more].map((cidr) => ({ ipBlock: { cidr } })),
  ],
  ports: [
    { port: 53, protocol: "UDP" },
    { port: 53, protocol: "TCP" },
  ],
});

describe("the way in", () => {
  it("is for the gateway's pods at sshd's port", () => {
    expect(specOf({ access: { gateway } }).ingress).toEqual([{ from: [gatewayPods], ports: tcp(22) }]);
  });

  it("is for nobody without a gateway", () => {
    expect(specOf()).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
    expect(specOf().ingress).toBeUndefined();
  });

  it("is for nobody at a gateway that forwards to no port: a rule without ports would be for all", () => {
    const { spec } = containerNetworkPolicy({ ...planOf({ access: { gateway } }), gatewayPorts: [] });
    expect(spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
    expect(spec).not.toHaveProperty("ingress");
  });

  it("is for the gateway that is named by its labels", () => {
    const own = { ...gateway, selector: { istio: "ingressgateway" } };
    const podSelector = { matchLabels: { istio: "ingressgateway" } };
    expect(specOf({ access: { gateway: own } }).ingress).toEqual([
      { from: [{ ...inNamespace("ssh-ingress"), podSelector }], ports: tcp(22) },
    ]);
  });

  it("is for declared peers, and for the gateway at the ports that go through it", () => {
    const ports = [
      { name: "http", port: 8080, throughGateway: true },
      { name: "db", port: 5432 },
    ];
    const ingress = [
      { namespace: "ci", ports: [8080] },
      { podLabels: { app: "x" }, ports: [5432, 8080] },
    ];
    expect(specOf({ access: { gateway }, ports, ingress }).ingress).toEqual([
      { from: [gatewayPods], ports: tcp(22, 8080) },
      { from: [{ ...inNamespace("ci"), podSelector: { matchLabels: {} } }], ports: tcp(8080) },
      { from: [{ podSelector: { matchLabels: { app: "x" } } }], ports: tcp(5432, 8080) },
    ]);
  });
});

describe("the way out", () => {
  it("is DNS and the internet without private networks", () => {
    expect(specOf().egress).toEqual([
      dns(),
      {
        to: [
          { ipBlock: { cidr: "0.0.0.0/0", except: [...privateNetworks.ipv4] } },
          { ipBlock: { cidr: "::/0", except: [...privateNetworks.ipv6] } },
        ],
      },
    ]);
    expect(privateNetworks.ipv4).toContain("169.254.0.0/16");
  });

  it("is what is declared", () => {
    const egress = {
      internet: false,
      dns: ["10.0.0.2/32"],
      allow: [{ cidr: "10.1.0.0/16" }, { cidr: "10.2.0.0/16", ports: [443] }],
    };
    expect(specOf({ egress }).egress).toEqual([
      dns("10.0.0.2/32"),
      { to: [{ ipBlock: { cidr: "10.1.0.0/16" } }] },
      { to: [{ ipBlock: { cidr: "10.2.0.0/16" } }], ports: tcp(443) },
    ]);
  });

  it("leaves out what is denied, each address family by itself", () => {
    const [, internet] = specOf({ egress: { deny: ["192.0.2.1/32", "2001:db8::/32"] } }).egress;
    expect(internet).toEqual({
      to: [
        { ipBlock: { cidr: "0.0.0.0/0", except: [...privateNetworks.ipv4, "192.0.2.1/32"] } },
        { ipBlock: { cidr: "::/0", except: [...privateNetworks.ipv6, "2001:db8::/32"] } },
      ],
    });
  });
});
