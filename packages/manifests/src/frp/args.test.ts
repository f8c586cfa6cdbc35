import { describe, expect, it } from "vitest";
import type { ArgsError } from "../common/args-error.ts";
import { serverArgs } from "./frp.fixture.ts";

function faults(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map(({ path, code }) => `${path}: ${code}`);
  }
}

const server = (args: Record<string, unknown>) => faults(() => serverArgs(args));

describe("an frp server's arguments", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["the least that is needed", {}, []],
    ["a newer frp", { image: "fatedier/frps:v0.71.0" }, []],
    ["an image of one's own tag", { image: "registry.example.com/frps:lab" }, []],
    ["one port for both", { connectPort: 7000 }, ["connectPort: frp-ports-equal"]],
    ["an old frp", { image: "fatedier/frps:v0.70.0" }, ["image: frp-too-old"]],
    ["a short seed, whose value is not repeated", { seed: "secret" }, ["seed: too-short"]],
    [
      "one unit twice",
      { containers: ["a", "b", "a"].map((name) => ({ namespace: "team-a", name })) },
      ["containers[2]: unit-twice"],
    ],
    [
      "a reserved domain outside the suffix",
      { containers: [{ namespace: "team-a", name: "a", domains: ["a.example.com"] }] },
      ["containers[0].domains[0]: outside-domain"],
    ],
    [
      "one domain for two units",
      {
        containers: ["a", "b"].map((name) => ({
          namespace: "team-a",
          name,
          domains: ["box.ssh.example.com"],
        })),
      },
      ["containers[1].domains[0]: domain-reserved"],
    ],
    [
      "a token instead of its hash",
      { containers: [{ namespace: "team-a", name: "a", tokenSha256: "my-token" }] },
      ["containers[0].tokenSha256: not-a-sha256"],
    ],
    [
      "TLS on any gateway there is",
      {
        connectTls: {
          dnsName: "frp.example.com",
          secretName: "x",
          gateway: { namespace: "istio", selector: {} },
        },
      },
      ["connectTls.gateway.selector: selector-empty-frp"],
    ],
    [
      "limits for clients whose addresses are hidden",
      {
        connectTls: {
          dnsName: "frp.example.com",
          secretName: "x",
          gateway: { namespace: "istio", selector: { istio: "ingressgateway" } },
        },
        connectionLimits: {},
      },
      ["connectionLimits: limits-behind-gateway"],
    ],
    ["no word of the API server", { egress: undefined }, ["egress: api-server-missing"]],
    ["an egress without it", { egress: {} }, ["egress.apiServer: api-server-missing"]],
    [
      "an API server that is no list",
      { egress: { apiServer: "192.0.2.10/32" } },
      ["egress.apiServer: wrong-type"],
    ],
    [
      "an API server that is no network",
      { egress: { apiServer: [{ cidr: "192.0.2.10", ports: [0] }] } },
      ["egress.apiServer[0].cidr: not-a-network", "egress.apiServer[0].ports[0]: not-a-port"],
    ],
    [
      "a CA that is no certificate",
      { tls: { secretName: "frps", caBundle: "x" } },
      ["tls.caBundle: not-a-ca-bundle"],
    ],
  ])("%s", (_name, args, expected) => {
    expect(server(args)).toEqual(expected);
  });
});
