import { describe, expect, it } from "vitest";
import { faultsFrom } from "../kit/faults.fixture.ts";
import { serverArgs } from "./frp.fixture.ts";

const server = (args: Record<string, unknown>) => faultsFrom(() => serverArgs(args));

const connectTls = (selector: Record<string, string>) => ({
  dnsName: "frp.example.com",
  secretName: "x",
  gateway: { namespace: "istio", selector },
});

describe("an frp server's arguments", () => {
  it.each<[string | string[], Record<string, unknown>]>([
    ["connectPort: frp-ports-equal", { connectPort: 7000 }],
    ["image: frp-too-old", { image: "fatedier/frps:v0.70.0" }],
    ["seed: too-short", { seed: "secret" }],
    [
      "egress.apiServer[0].ports: is-empty",
      {
        egress: {
          apiServer: [
            { cidr: "192.0.2.10/32", ports: [] },
            { cidr: "192.0.2.11/32", ports: [443] },
          ],
        },
      },
    ],
    [
      "authorizer.resources.memory: size-too-small",
      { authorizer: { image: "a:1", resources: { memory: "64m" } } },
    ],
    [
      "containers[2]: unit-twice",
      { containers: ["a", "b", "a"].map((name) => ({ namespace: "team-a", name })) },
    ],
    [
      "containers[0].domains[0]: outside-domain",
      { containers: [{ namespace: "team-a", name: "a", domains: ["a.example.com"] }] },
    ],
    [
      "containers[1].domains[0]: domain-reserved",
      {
        containers: ["a", "b"].map((name) => ({
          namespace: "team-a",
          name,
          domains: ["box.ssh.example.com"],
        })),
      },
    ],
    [
      "containers[0].tokenSha256: not-a-sha256",
      { containers: [{ namespace: "team-a", name: "a", tokenSha256: "my-token" }] },
    ],
    ["connectTls.gateway.selector: selector-empty-frp", { connectTls: connectTls({}) }],
    [
      "connectionLimits: limits-behind-gateway",
      { connectTls: connectTls({ istio: "ingressgateway" }), connectionLimits: {} },
    ],
    ["egress: api-server-missing", { egress: undefined }],
    ["egress.apiServer: api-server-missing", { egress: {} }],
    ["egress.apiServer: wrong-type", { egress: { apiServer: "192.0.2.10/32" } }],
    [
      ["egress.apiServer[0].cidr: not-a-network", "egress.apiServer[0].ports[0]: not-a-port"],
      { egress: { apiServer: [{ cidr: "192.0.2.10", ports: [0] }] } },
    ],
    ["tls.caBundle: not-a-ca-bundle", { tls: { secretName: "frps", caBundle: "x" } }],
  ])("%s", (expected, args) => {
    expect(server(args)).toEqual([expected].flat());
  });

  it.each<[string, Record<string, unknown>]>([
    ["the least that is needed", {}],
    ["a newer frp", { image: "fatedier/frps:v0.71.0" }],
    ["an image of one's own tag", { image: "registry.example.com/frps:lab" }],
  ])("takes %s", (_, args) => {
    expect(server(args)).toEqual([]);
  });
});
