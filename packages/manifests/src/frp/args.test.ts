import { describe, expect, it } from "vitest";
import type { ArgsError } from "../common/args-error.ts";
import { serverArgs } from "./frp.fixture.ts";

function faults(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map(({ path, message }) => `${path}: ${message}`);
  }
}

const server = (args: Record<string, unknown>) => faults(() => serverArgs(args));

const missingApiServer =
  'is missing; say where the API server is, which alone frps may reach: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes). With "0.0.0.0/0" frps reaches ports 443 and 6443 of every address; an empty list is enough where units has every container';

describe("an frp server's arguments", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["the least that is needed", {}, []],
    ["a newer frp", { image: "fatedier/frps:v0.71.0" }, []],
    ["an image of one's own tag", { image: "registry.example.com/frps:lab" }, []],
    [
      "one port for both",
      { connectPort: 7000 },
      ["connectPort: is 7000, the same as serverPort; frpc and ssh clients need a port each"],
    ],
    [
      "an old frp",
      { image: "fatedier/frps:v0.70.0" },
      ['image: "fatedier/frps:v0.70.0" is too old; use frp 0.70.1 or later'],
    ],
    [
      "a short seed, whose value is not repeated",
      { seed: "secret" },
      ["seed: is too short (6 characters); give at least 32, for example from: openssl rand -base64 32"],
    ],
    [
      "one unit twice",
      { units: ["a", "b", "a"].map((name) => ({ namespace: "team-a", name })) },
      ["units[2]: is team-a/a again, like units[0]; name each unit once"],
    ],
    [
      "a reserved domain outside the suffix",
      { units: [{ namespace: "team-a", name: "a", domains: ["a.example.com"] }] },
      [
        'units[0].domains[0]: "a.example.com" is outside domainSuffix; give a name that ends in ".ssh.example.com"',
      ],
    ],
    [
      "one domain for two units",
      {
        units: ["a", "b"].map((name) => ({ namespace: "team-a", name, domains: ["box.ssh.example.com"] })),
      },
      ['units[1].domains[0]: "box.ssh.example.com" is reserved for team-a/a already; a name has one owner'],
    ],
    [
      "a token instead of its hash",
      { units: [{ namespace: "team-a", name: "a", tokenSha256: "my-token" }] },
      [
        "units[0].tokenSha256: is not a SHA-256 hash; give 64 lower-case hexadecimal digits, from: printf %s TOKEN | sha256sum",
      ],
    ],
    [
      "TLS on any gateway there is",
      {
        connectTls: {
          host: "frp.example.com",
          secretName: "x",
          gateway: { namespace: "istio", selector: {} },
        },
      },
      [
        'connectTls.gateway.selector: is empty and would choose every Istio gateway; give the labels of its pods, like { istio: "ingressgateway" }',
      ],
    ],
    [
      "limits for clients whose addresses are hidden",
      {
        connectTls: {
          host: "frp.example.com",
          secretName: "x",
          gateway: { namespace: "istio", selector: { istio: "ingressgateway" } },
        },
        limits: {},
      },
      [
        "limits: have no use with connectTls: frps then sees the gateway's address alone, and all clients would be one; remove one of the two",
      ],
    ],
    ["no word of the API server", { egress: undefined }, [`egress: ${missingApiServer}`]],
    ["an egress without it", { egress: {} }, [`egress.apiServer: ${missingApiServer}`]],
    [
      "an API server that is no list",
      { egress: { apiServer: "192.0.2.10/32" } },
      ['egress.apiServer: must be a list, not "192.0.2.10/32"'],
    ],
    [
      "an API server that is no network",
      { egress: { apiServer: [{ cidr: "192.0.2.10", ports: [0] }] } },
      [
        'egress.apiServer[0].cidr: "192.0.2.10" is not a network; write it in CIDR notation like "10.0.0.0/8" or "2001:db8::/32"',
        "egress.apiServer[0].ports[0]: 0 is not a port; give a whole number from 1 to 65535",
      ],
    ],
    [
      "a CA that is no certificate",
      { tls: { secretName: "frps", caBundle: "x" } },
      ["tls.caBundle: is not a CA bundle; give one or more PEM certificates, -----BEGIN CERTIFICATE----- …"],
    ],
  ])("%s", (_name, args, expected) => {
    expect(server(args)).toEqual(expected);
  });
});
