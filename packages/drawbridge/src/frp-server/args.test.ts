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
    ["connectPort: is 7000, the same as serverPort", { connectPort: 7000 }],
    ['image: "fatedier/frps:v0.70.0" is too old', { image: "fatedier/frps:v0.70.0" }],
    ["seed: is too short", { seed: "secret" }],
    [
      "egress.apiServer[0].ports: is empty",
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
      'authorizer.resources.memory: "64m" is less than 1Mi',
      { authorizer: { image: "a:1", resources: { memory: "64m" } } },
    ],
    [
      "containers[2]: team-a/a is in containers[0] already",
      { containers: ["a", "b", "a"].map((name) => ({ namespace: "team-a", name })) },
    ],
    [
      'containers[0].domains[0]: "a.example.com" is outside the domain of frps',
      { containers: [{ namespace: "team-a", name: "a", domains: ["a.example.com"] }] },
    ],
    [
      'containers[1].domains[0]: "box.ssh.example.com" is reserved for team-a/a already',
      {
        containers: ["a", "b"].map((name) => ({
          namespace: "team-a",
          name,
          domains: ["box.ssh.example.com"],
        })),
      },
    ],
    [
      "containers[0].tokenSha256: is not a SHA-256 hash",
      { containers: [{ namespace: "team-a", name: "a", tokenSha256: "my-token" }] },
    ],
    [
      "connectTls.gateway.selector: is empty and would select every Istio gateway",
      { connectTls: connectTls({}) },
    ],
    [
      "connectionLimits: has no effect with connectTls: frps then sees only the gateway's address, and all clients would share one limit",
      { connectTls: connectTls({ istio: "ingressgateway" }), connectionLimits: {} },
    ],
    ["egress: is missing", { egress: undefined }],
    ["egress.apiServer: is missing", { egress: {} }],
    ['egress.apiServer: must be a list, not "192.0.2.10/32"', { egress: { apiServer: "192.0.2.10/32" } }],
    [
      [
        'egress.apiServer[0].cidr: "192.0.2.10" is not a network',
        "egress.apiServer[0].ports[0]: 0 is not a port",
      ],
      { egress: { apiServer: [{ cidr: "192.0.2.10", ports: [0] }] } },
    ],
    ["tls.caBundle: is not a CA bundle", { tls: { secretName: "frps", caBundle: "x" } }],
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
