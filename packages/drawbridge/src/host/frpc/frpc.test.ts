import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "../../dev-container/args.ts";
import { bobKey, faultsOf, planOf } from "../../dev-container/plan.fixture.ts";
import { serverPlan, serverRef } from "../../frp-server/frp.fixture.ts";
import { certificateNames } from "../../frp-server/plan.ts";
import { frpServerRef } from "../../frp-server/ref.ts";
import { cases } from "../../kit/faults.fixture.ts";
import { deriveHostKey } from "../keys/host-key.ts";
import { frpSshCommand, frpWay, type KnownFrpcPlan } from "./plan.ts";

/** Arguments with a way in through that server. */
const argsOf = (
  frp: Record<string, unknown> = { server: serverRef },
  { access, ...args }: Record<string, unknown> = {},
) => ({ ...args, access: { frp, ...(access as object | undefined) } });

const containerPlan = (...args: Parameters<typeof argsOf>) =>
  planOf(argsOf(...args) as Partial<DevContainerInput>);

const plan = containerPlan();
const frpc = plan.frpc as KnownFrpcPlan;

describe("a FrpServer's ref", () => {
  const connectTls = {
    dnsName: "frp.example.com",
    secretName: "frp-example-com",
    gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
  };

  it("hands containers a ref that their schema takes as it is", () => {
    const ref = frpServerRef(serverPlan(), serverRef.caBundle);
    expect(containerPlan({ server: ref, address: "192.0.2.7" }).frpc).toEqual(frpc);
    expect(certificateNames(serverPlan())[0]).toBe(ref.serverAddr);
  });

  it("tells containers of its TLS, whose clients then speak it", () => {
    const container = containerPlan({ server: frpServerRef(serverPlan({ connectTls }), serverRef.caBundle) });
    const own = container.frpc as KnownFrpcPlan;
    expect(frpWay(own, "frp.example.com")).toEqual({
      way: "frp",
      address: "frp.example.com",
      port: 443,
      hostName: "dev1.team-a.ssh.example.com",
      tls: true,
    });
    expect(frpWay(frpc, "192.0.2.7")).toEqual({
      way: "frp",
      address: "192.0.2.7",
      port: 1337,
      hostName: "dev1.team-a.ssh.example.com",
    });
    expect(frpSshCommand(container, own, "frp.example.com")).toBe(
      "ssh -o StrictHostKeyChecking=yes -o ProxyCommand='proxytunnel -q -p frp.example.com:443 -E -d %h:%p' jovyan@dev1.team-a.ssh.example.com",
    );
  });
});

describe("the published command", () => {
  it("names another port, and quotes the brackets of an IPv6 address, which zsh takes for a pattern", () => {
    const other = containerPlan(undefined, { ssh: { port: 2222 } });
    expect(frpSshCommand(other, other.frpc as KnownFrpcPlan, "2001:db8::7")).toContain(
      '-x "[2001:db8::7]:1337" %h %p\' -p 2222 jovyan@',
    );
  });
});

const beside = { access: { sshpod: { users: ["alice"] } } };

const access = (...args: Parameters<typeof argsOf>) => faultsOf(argsOf(...args));

describe("a container's access.frp", () => {
  const server = { server: serverRef };
  const { authorizer: _, address, ...ofOthers } = serverRef;
  const external = { external: ofOthers, address, token: "x".repeat(32) };
  it.each(cases`
    { access: { frp: ${server} } }
    { access: { frp: { enabled: false }, sshpod: { users: [alice] } } }
    { access: { frp: ${external} } }
    { access: { frp: ${{ ...external, external: { ...ofOthers, connectTls: true, connectPort: 7000 } }} } }
    { authorizedKeys: [], access: { frp: ${{ ...server, authorizedKeys: [bobKey] }} } }
    { access: { frp: ${{ ...server, customDomain: "box.team-a.ssh.example.com" }} } }
    { authorizedKeys: [], access: { frp: ${{ ...server, enabled: false, authorizedKeys: [bobKey] }}, sshpod: { users: [alice] } } }
      → authorizedKeys: has no key, so no login is possible
    { access: { frp: {} } } → access.frp: has no server with which frpc registers
    { access: { frp: ${{ ...server, ...external }} } }
      → access.frp.external: is beside server, and a container registers with one frps
    { access: { frp: { server: ${{ ...serverRef, address: undefined }} } } }
      → access.frp.address: is missing, so clients have no address to connect to
    { access: { frp: { external: { serverAddr: frps.example.com } } } }
      → access.frp.address: is missing, so clients have no address to connect to
      → access.frp.external.caBundle: is missing, so frpc could not verify frps
      → access.frp.external.domain: is missing, so the container has no name
      → access.frp.token: is missing
    { access: { frp: ${{ ...server, customDomain: "dev1.example.com" }} } }
      → access.frp.customDomain: "dev1.example.com" is outside the domain of frps
    { access: { frp: ${{ ...server, token: "secret" }} } } → access.frp.token: is too short
    { access: { frp: ${{ ...external, external: { ...ofOthers, serverPort: 1337 } }} } }
      → access.frp.external.connectPort: is 1337, the same as serverPort
    { access: { frp: ${{ ...server, username: "runtime" }} } }
      → access.frp.username: "runtime" is not the container's user "jovyan", the only one that sshd admits
    { ssh: { mode: none }, authorizedKeys: [], access: { frp: ${server} } }
      → access.frp: needs sshd, and ssh.mode is "none"
  `)("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });

  it("needs a token where the host key has no seed to derive one from", () => {
    const args = { hostKey: { privateKey: deriveHostKey("x".repeat(32), "team-a/dev1").privateKey } };
    expect(access({ server: serverRef }, args)).toEqual([
      "access.frp.token: is missing and cannot be derived, since hostKey has no seed",
    ]);
    expect(access({ server: serverRef, token: "x".repeat(32) }, args)).toEqual([]);
  });

  it("is none where it is not enabled", () => {
    expect(containerPlan({ enabled: false }, beside).frpc).toBe(undefined);
  });
});
