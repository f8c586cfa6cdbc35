import { describe, expect, it } from "vitest";
import { cases, faultsFrom } from "../kit/faults.fixture.ts";
import { serverArgs } from "./frp.fixture.ts";

const server = (args: Record<string, unknown>) => faultsFrom(() => serverArgs(args));

describe("an frp server's arguments", () => {
  it.each(cases`
    {}
    { image: "fatedier/frps:v0.71.0" }
    { image: "registry.example.com/frps:lab" }
    { connectPort: 7000 } → connectPort: is 7000, the same as serverPort
    { image: "fatedier/frps:v0.70.0" } → image: "fatedier/frps:v0.70.0" is too old
    { seed: "secret" } → seed: is too short
    { egress: { apiServer: [{ cidr: "192.0.2.10/32", ports: [] }, { cidr: "192.0.2.11/32", ports: [443] }] } }
      → egress.apiServer[0].ports: is empty
    { authorizer: { image: "a:1", resources: { memory: "64m" } } }
      → authorizer.resources.memory: "64m" is less than 1Mi
    { containers: [{ namespace: "team-a", name: "a" }, { namespace: "team-a", name: "b" }, { namespace: "team-a", name: "a" }] }
      → containers[2]: team-a/a is in containers[0] already
    { containers: [{ namespace: "team-a", name: "a", domains: ["a.example.com"] }] }
      → containers[0].domains[0]: "a.example.com" is outside the domain of frps
    { containers: [{ namespace: "team-a", name: "a", domains: ["box.ssh.example.com"] }, { namespace: "team-a", name: "b", domains: ["box.ssh.example.com"] }] }
      → containers[1].domains[0]: "box.ssh.example.com" is reserved for team-a/a already
    { containers: [{ namespace: "team-a", name: "a", tokenSha256: "my-token" }] }
      → containers[0].tokenSha256: is not a SHA-256 hash
    { connectTls: { dnsName: "frp.example.com", secretName: "x", gateway: { namespace: "istio", selector: {} } } }
      → connectTls.gateway.selector: is empty and would select every Istio gateway
    { connectTls: { dnsName: "frp.example.com", secretName: "x", gateway: { namespace: "istio", selector: { istio: "ingressgateway" } } }, connectionLimits: {} }
      → connectionLimits: has no effect with connectTls: frps then sees only the gateway's address, and all clients would share one limit
    { egress: null } → egress: is missing
    { egress: {} } → egress.apiServer: is missing
    { egress: { apiServer: "192.0.2.10/32" } } → egress.apiServer: must be a list, not "192.0.2.10/32"
    { egress: { apiServer: [{ cidr: "192.0.2.10", ports: [0] }] } }
      → egress.apiServer[0].cidr: "192.0.2.10" is not a network
      → egress.apiServer[0].ports[0]: 0 is not a port
    { tls: { secretName: "frps", caBundle: "x" } } → tls.caBundle: is not a CA bundle
  `)("%s", (_, args, faults) => {
    expect(server(args)).toEqual(faults);
  });
});
