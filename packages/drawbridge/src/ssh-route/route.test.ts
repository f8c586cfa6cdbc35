import { describe, expect, it } from "vitest";
import { aliceKey, gateway } from "../dev-container/plan.fixture.ts";
import { serverRef } from "../frp-server/frp.fixture.ts";
import { parseArgs } from "../kit/args-error.ts";
import { faultsFrom } from "../kit/faults.fixture.ts";
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
  it("are a route to the Service and nothing else", () => {
    const { route, ...others } = sshRouteObjects(planOf());
    expect(Object.values(others).filter((one) => one !== undefined)).toEqual([]);
    expect(route).toMatchObject({
      manifest: {
        kind: "VirtualService",
        metadata: { name: "box-ssh", namespace: "team-a" },
        spec: {
          hosts: ["box.team-a.dev.example.com", "box.team-a.svc.cluster.local"],
          http: [
            {
              match: [{ authority: { regex: "[^:]+:22" } }],
              route: [{ destination: { host: "legacy-box.team-a.svc.cluster.local", port: { number: 22 } } }],
            },
          ],
        },
      },
    });
  });

  it("let the gateway in, and leave the rest to other policies", () => {
    expect(specOf({ networkPolicy: "allow-gateway", podLabels: { app: "box" }, targetPort: 2022 })).toEqual({
      podSelector: { matchLabels: { app: "box" } },
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ssh-ingress" } },
              podSelector: {
                matchLabels: {
                  "app.kubernetes.io/component": "ssh-gateway",
                  "app.kubernetes.io/instance": "ssh",
                },
              },
            },
          ],
          ports: [{ port: 2022, protocol: "TCP" }],
        },
      ],
    });
  });

  it("protect the SSH port alone", () => {
    const spec = specOf({ networkPolicy: "only-gateway", podLabels: { app: "box" } });
    expect(spec.ingress).toMatchObject([
      { ports: [{ port: 22, protocol: "TCP" }] },
      {
        ports: [
          { protocol: "TCP", port: 1, endPort: 21 },
          { protocol: "TCP", port: 23, endPort: 65_535 },
          { protocol: "UDP", port: 1, endPort: 65_535 },
          { protocol: "SCTP", port: 1, endPort: 65_535 },
        ],
      },
    ]);
    expect(spec.ingress[1]).not.toHaveProperty("from");
  });

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

  it("give people of the Kubernetes API one pod", () => {
    const { sshpod } = sshRouteObjects(
      planOf({ podName: "box-0", access: { sshpod: { users: ["alice"] } } }),
    );
    expect(sshpod?.manifest.rules).toEqual([
      { apiGroups: [""], resources: ["pods"], resourceNames: ["box-0"], verbs: ["get"] },
      {
        apiGroups: [""],
        resources: ["pods/portforward"],
        resourceNames: ["box-0"],
        verbs: ["get", "create"],
      },
    ]);
  });
});

it("takes a key with its comment and gives out the key", () => {
  expect(planOf().hostPublicKeys).toEqual([aliceKey.replace(/ alice$/, "")]);
});

describe("faults", () => {
  it.each<[string | string[], Record<string, unknown>]>([
    ["serviceName: not-a-service-name", { serviceName: "box.team-b" }],
    ["hostPublicKeys: no-host-key", { hostPublicKeys: [] }],
    ["hostPublicKeys[0]: private-key", { hostPublicKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] }],
    ["hostPublicKeys[0]: not-a-public-key", { hostPublicKeys: [`restrict ${aliceKey}`] }],
    ["access: route-without-way", { access: {} }],
    ["access: route-without-way", { access: throughFrp({ enabled: false }) }],
    ["access.frp.token: missing", { access: throughFrp({ token: undefined }) }],
    [
      ["access.frp.address: frp-address-missing", "access.frp.token: missing"],
      { access: throughFrp({ server: undefined, external: elsewhere, token: undefined }) },
    ],
    ["access.frp.token: too-short", { access: throughFrp({ token: "secret" }) }],
    ["access.frp: frp-server-missing", { access: throughFrp({ server: undefined }) }],
    ["access.frp.external: frp-server-twice", { access: throughFrp({ external: elsewhere }) }],
    ["access.frp.customDomain: outside-domain", { access: throughFrp({ customDomain: "box.example.org" }) }],
    [
      ["access.frp: unknown-key", "access.frp: unknown-key"],
      { access: throughFrp({ username: "ubuntu", authorizedKeys: [aliceKey] }) },
    ],
    ["podName: sshpod-without-pod", { access: { gateway, sshpod: { users: ["alice"] } } }],
    [
      "access.allowIdentities: identities-without-client-certificates",
      { access: { gateway, allowIdentities: ["spiffe://example.com/alice"] } },
    ],
    ["podName: pod-port-differs", { podName: "box-0", targetPort: 2022 }],
    ["podLabels: policy-without-labels", { networkPolicy: "allow-gateway" }],
    ["podLabels: policy-without-labels", { networkPolicy: "only-gateway", podLabels: {} }],
    ["access.gateway: gateway-without-team-pods", { access: { gateway: { ...gateway, teamPods: false } } }],
    [
      "access.gateway: gateway-without-team-pods",
      { access: { gateway: { ...gateway, teamPods: false, outsideHosts: false } } },
    ],
    [
      ["hostPublicKeys[0]: not-a-key-line", "port: not-a-port", "userName: not-a-login-name"],
      { userName: "a b", port: 0, hostPublicKeys: ["x"] },
    ],
  ])("%s", (faults, args) => {
    expect(faultsOf(args).sort()).toEqual([faults].flat());
  });

  it("are none of a gateway that reaches hosts outside", () => {
    const outside = { ...gateway, teamPods: false, outsideHosts: true };
    expect(faultsOf({ access: { gateway: outside } })).toEqual([]);
  });
});
