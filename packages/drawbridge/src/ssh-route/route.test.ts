import { describe, expect, it } from "vitest";
import { aliceKey, gateway } from "../dev-container/plan.fixture.ts";
import { serverRef } from "../frp-server/frp.fixture.ts";
import { parseArgs } from "../kit/args-error.ts";
import { cases, faultsFrom } from "../kit/faults.fixture.ts";
import { type SshRouteInput, sshRouteSchema } from "./args.ts";
import { sshRouteObjects } from "./objects.ts";
import { planSshRoute } from "./plan.ts";

const required = {
  namespace: "team-a",
  serviceName: "legacy-box",
  userName: "ubuntu",
  hostPublicKeys: [aliceKey],
  access: { gateway },
} satisfies SshRouteInput;

const parsed = (args: Record<string, unknown>) =>
  parseArgs("SshRoute", "box", sshRouteSchema, { ...required, ...args });

const planOf = (args: Partial<SshRouteInput> = {}) => planSshRoute("box", parsed(args));

const faultsOf = (args: Record<string, unknown>) => faultsFrom(() => parsed(args));

const throughFrp = (frp: object = {}) => ({ frp: { server: serverRef, token: "x".repeat(32), ...frp } });
const { authorizer: _, address: __, ...ofOurs } = serverRef;
const elsewhere = { ...ofOurs, serverPort: 7001 };

const specOf = (args: Partial<SshRouteInput>) => {
  const { network } = sshRouteObjects(planOf(args));
  return network?.manifest.spec as { readonly ingress: readonly object[] };
};

describe("the objects", () => {
  it.each([
    [1, [[2, 65_535]]],
    [65_535, [[1, 65_534]]],
  ])("leave no port out but %i, at the end of the range", (targetPort, ranges) => {
    const { ingress } = specOf({ networkPolicy: "only-gateway", podLabels: { app: "box" }, targetPort });
    const { ports } = ingress[1] as { ports: { protocol: string; port: number; endPort: number }[] };
    expect(
      ports.filter(({ protocol }) => protocol === "TCP").map(({ port, endPort }) => [port, endPort]),
    ).toEqual(ranges);
    expect(ports).toHaveLength(3);
  });

  it("let nobody in where no gateway is", () => {
    const { network } = sshRouteObjects(
      planOf({ networkPolicy: "allow-gateway", podLabels: { app: "box" }, podName: "box-0", access: {} }),
    );
    expect(network?.manifest.metadata).toMatchObject({ name: "box-ssh", namespace: "team-a" });
    expect(network?.manifest.spec).toEqual({
      podSelector: { matchLabels: { app: "box" } },
      policyTypes: ["Ingress"],
    });
  });
});

it("takes a key with its comment and gives out the key", () => {
  expect(planOf().hostPublicKeys).toEqual([aliceKey.replace(/ alice$/, "")]);
});

describe("faults", () => {
  it.each(cases`
    { serviceName: "box.team-b" } → serviceName: "box.team-b" is not usable as a Service name
    { hostPublicKeys: [] } → hostPublicKeys: has no key, so the host could not be verified
    { hostPublicKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] } → hostPublicKeys[0]: is a private key
    { hostPublicKeys: ["restrict ${aliceKey}"] } → hostPublicKeys[0]: is not a public key
    { access: {} } → access: has no way in, so no login is possible
    { access: ${throughFrp({ enabled: false })} } → access: has no way in, so no login is possible
    { access: ${throughFrp({ token: "secret" })} } → access.frp.token: is too short
    { access: ${throughFrp({ external: elsewhere })} }
      → access.frp.external: is beside server, and a container registers with one frps
    { access: ${throughFrp({ customDomain: "box.example.org" })} }
      → access.frp.customDomain: "box.example.org" is outside the domain of frps
    { access: ${throughFrp({ username: "ubuntu", authorizedKeys: [aliceKey] })} }
      → access.frp: unknown key "authorizedKeys"
      → access.frp: unknown key "username"
    { access: { gateway: ${gateway}, sshpod: { users: ["alice"] } } }
      → podName: is missing: access.sshpod gives rights to one pod
    { access: { gateway: ${gateway}, allowIdentities: ["spiffe://example.com/alice"] } }
      → access.allowIdentities: needs a gateway that asks for client certificates (listeners.tls.clientCa there, or mutualTls: true in a plain reference)
    { podName: "box-0", targetPort: 2022 }
      → podName: is reached over the Kubernetes API at 22, and its sshd listens on 2022
    { networkPolicy: "allow-gateway" }
      → podLabels: is missing: a NetworkPolicy (allow-gateway) is for pods with certain labels
    { networkPolicy: "only-gateway", podLabels: {} }
      → podLabels: is missing: a NetworkPolicy (only-gateway) is for pods with certain labels
    { access: { gateway: ${{ ...gateway, teamPods: false }} } }
      → access.gateway: reaches only pods of DevContainers, and this route leads elsewhere
    { access: { gateway: ${{ ...gateway, teamPods: false, outsideHosts: false }} } }
      → access.gateway: reaches only pods of DevContainers, and this route leads elsewhere
    { userName: "a b", port: 0, hostPublicKeys: ["x"] }
      → hostPublicKeys[0]: does not start with a key type
      → port: 0 is not a port
      → userName: is not a user name
    { access: ${throughFrp({ token: undefined })} } → access.frp.token: is missing
    { access: ${throughFrp({ server: undefined })} } → access.frp: has no server with which frpc registers
    { access: ${throughFrp({ server: undefined, external: elsewhere, token: undefined })} }
      → access.frp.address: is missing, so clients have no address to connect to
      → access.frp.token: is missing
    { access: { gateway: ${{ ...gateway, teamPods: false, outsideHosts: true }} } }
  `)("%s", (_, args, faults) => {
    expect(faultsOf(args).sort()).toEqual(faults);
  });
});
