/** The ways in to a container: what clients are told of them, and who may take which. */
import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "../../dev-container/args.ts";
import { aliceKey, faultsOf, gateway, planOf } from "../../dev-container/plan.fixture.ts";
import { clientCertificatePattern } from "../../istio/ssh-route.ts";
import { sshTargetSchema } from "../client-texts/target.ts";
import { hostSshpodAccess } from "../objects.ts";
import { wayConditions } from "../status.ts";
import { hostSshTarget } from "../target.ts";

const bySshpod = { sshpod: { users: ["alice"] } };

describe("what a client is told", () => {
  const publicKey = aliceKey.replace(" alice", "");
  const target = (ports: object, gatewayAddress?: string, further: Partial<DevContainerInput> = {}) =>
    hostSshTarget(planOf({ access: { gateway: { ...gateway, ...ports } }, ...further }), {
      hostKeys: [publicKey],
      ...(gatewayAddress === undefined ? {} : { gatewayAddress }),
    });
  const sshpod = { way: "sshpod", pod: "dev1-0", namespace: "team-a" };

  it("says so where the stack has switched the container off, and else nothing", () => {
    expect(target({}, "192.0.2.7")).not.toHaveProperty("running");
    const off = target({}, "192.0.2.7", { running: false });
    expect(off.running).toBe(false);
    expect(sshTargetSchema.parse(off)).toEqual(off);
  });

  it("goes by TLS where there is TLS, never by plain beside it, under a name that the certificate bears", () => {
    const both = { tlsPort: 443, mutualTls: true };
    const way = { way: "gateway", port: 443, tls: true, mutual: true };
    expect(target(both, "192.0.2.7").ways).toEqual([
      { ...way, address: "192.0.2.7", serverName: "ssh.dev.example.com" },
      sshpod,
    ]);
    expect(target(both, "gate.dev.example.com").ways).toEqual([
      { ...way, address: "gate.dev.example.com" },
      sshpod,
    ]);
  });

  it("leaves the gateway out while its address is not known", () => {
    expect(target({}).ways).toEqual([sshpod]);
  });
});

describe("the state of the ways in", () => {
  /** `Type` of what holds, `Type: Reason` of what does not. */
  const told = (args: Partial<DevContainerInput>, gatewayAddress?: string) =>
    wayConditions(planOf(args), gatewayAddress).map(({ type, status, reason }) =>
      status ? type : `${type}: ${reason}`,
    );

  it("is told one by one", () => {
    expect(told({ access: { gateway, ...bySshpod } }, "192.0.2.7")).toEqual([
      "GatewayRoute",
      "SshpodGranted",
    ]);
    expect(told({ access: { gateway } })).toEqual(["GatewayRoute: NoAddress", "SshpodGranted: NobodyNamed"]);
  });

  it("is told of those alone that the container has", () => {
    expect(told({ access: bySshpod })).toEqual(["SshpodGranted"]);
    expect(told({ ssh: { mode: "none" }, authorizedKeys: [] })).toEqual(["SshpodGranted: NobodyNamed"]);
  });
});

describe("the way over the Kubernetes API", () => {
  it("is given to nobody by default", () => {
    expect(hostSshpodAccess(planOf({ access: { gateway } }))).toBeUndefined();
  });
});

const alice = "spiffe://example.com/user/alice";
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
  it.each([
    ["no gateway", {}],
    ["a plain gateway", { gateway }],
    ["a gateway without a client CA", { gateway: { ...gateway, tlsPort: 443 } }],
  ])("are refused with %s", (_what, way) => {
    expect(faultsOf({ access: { ...way, allowIdentities: [alice] } })).toEqual([
      "access.allowIdentities: needs a gateway that asks for client certificates (listeners.tls.clientCa there, or mutualTls: true in a plain reference)",
    ]);
  });

  const mutual = { ...gateway, tlsPort: 443, mutualTls: true };

  it("are refused where they make a longer pattern than Istio takes", () => {
    const left = 1024 - clientCertificatePattern([alice]).length;
    const access = (more: number) => ({
      gateway: mutual,
      allowIdentities: [`${alice}${"x".repeat(left + more)}`],
    });
    expect(faultsOf({ access: access(0) })).toEqual([]);
    expect(faultsOf({ access: access(1) })).toEqual([
      "access.allowIdentities: makes a pattern of 1025 characters for the route, and Istio takes at most 1024",
    ]);
  });

  it("are refused when they are no URI names", () => {
    expect(faultsOf({ access: { gateway: mutual, allowIdentities: ["alice"] } })).toEqual([
      'access.allowIdentities[0]: "alice" is not a client identity',
    ]);
  });
});
