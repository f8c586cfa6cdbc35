import { describe, expect, it } from "vitest";
import { hostSshTarget } from "../host/target.ts";
import { clientCertificatePattern } from "../istio/ssh-route.ts";
import { faultsOf, gateway, planOf } from "./plan.fixture.ts";

const alice = "spiffe://example.com/user/alice";
const mutual = { ...gateway, tlsPort: 443, mutualTls: true };
const hash = `Hash=${"0a".repeat(32)}`;

/** Envoy matches the whole header. */
const lets = (header: string, ...identities: string[]) =>
  new RegExp(`^(?:${clientCertificatePattern(identities)})$`, "s").test(header);

describe("the client certificate header", () => {
  it.each([
    ["as Envoy writes it", `${hash};Cert="-----BEGIN%20CERTIFICATE-----";Subject="CN=alice";URI=${alice}`],
    ["with the server's own identity", `By=spiffe://cluster.local/ns/ssh;${hash};Subject="";URI=${alice}`],
    ["with a quote in its subject", `${hash};Subject="CN=\\"a\\",O=b";URI=${alice};DNS=alice.example.com`],
  ])("lets the identity in: %s", (_what, header) => {
    expect(lets(header, "spiffe://example.com/user/bob", alice)).toBe(true);
  });

  it.each([
    ["another identity", `${hash};Subject="CN=x";URI=spiffe://example.com/user/mallory`],
    ["a longer one", `${hash};Subject="CN=x";URI=${alice}x`],
    [
      "one that differs where the pattern has a dot",
      `${hash};Subject="CN=x";URI=spiffe://exampleXcom/user/alice`,
    ],
    [
      "a subject that reads like a URI",
      `${hash};Subject="CN=x;URI=${alice}";URI=spiffe://example.com/user/m`,
    ],
    [
      "a subject that closes its quote",
      `${hash};Subject="CN=x\\";URI=${alice};DNS=\\"";URI=spiffe://example.com/user/m`,
    ],
    ["a DNS name that reads like a URI", `${hash};Subject="CN=x";URI=;DNS=a;URI=${alice}`],
    ["a second certificate's", `${hash};Subject="CN=x";URI=,${hash};Subject="";URI=${alice}`],
    ["a bare header", `URI=${alice}`],
  ])("refuses %s", (_what, header) => {
    expect(lets(header, alice)).toBe(false);
  });
});

describe("a container's allowIdentities", () => {
  it("tell clients to bring a certificate", () => {
    const ways = (of: typeof gateway) =>
      hostSshTarget(planOf({ access: { gateway: of } }), { gatewayAddress: "192.0.2.1", hostKeys: [] })
        .ways[0];
    expect(ways(mutual)).toEqual({
      way: "gateway",
      address: "192.0.2.1",
      port: 443,
      tls: true,
      mutual: true,
      // The certificate is for this name and not for the address.
      serverName: "ssh.dev.example.com",
    });
    expect(ways(gateway)).toEqual({
      way: "gateway",
      address: "192.0.2.1",
      port: 80,
      tls: false,
      mutual: false,
    });
  });

  it.each([
    ["no gateway", {}],
    ["a plain gateway", { gateway }],
    ["a gateway without a client CA", { gateway: { ...gateway, tlsPort: 443 } }],
  ])("are refused with %s", (_what, way) => {
    expect(faultsOf({ access: { ...way, allowIdentities: [alice] } })).toEqual([
      "access.allowIdentities: identities-without-client-certificates",
    ]);
  });

  it("are refused where they make a longer pattern than Istio takes", () => {
    const left = 1024 - clientCertificatePattern([alice]).length;
    const access = (more: number) => ({
      gateway: mutual,
      allowIdentities: [`${alice}${"x".repeat(left + more)}`],
    });
    expect(faultsOf({ access: access(0) })).toEqual([]);
    expect(faultsOf({ access: access(1) })).toEqual(["access.allowIdentities: identities-too-long"]);
  });

  it("are refused when they are no URI names", () => {
    expect(faultsOf({ access: { gateway: mutual, allowIdentities: ["alice"] } })).toEqual([
      "access.allowIdentities[0]: not-a-client-identity",
    ]);
  });
});
