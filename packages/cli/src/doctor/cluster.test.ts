import { describe, expect, it } from "vitest";
import { kubeWith } from "../sshpod/kube.fixture.ts";
import { whyClosed } from "./cluster.ts";

const host = { name: "box", namespace: "team-a", port: 22 };
const part = "app.kubernetes.io/component";
const ours = `?app.kubernetes.io/instance=box,${part} in (ssh-route,injected-sshd)`;
const routeTo = (service: string, component: string) => ({
  metadata: { name: "box-ssh", labels: { [part]: component } },
  spec: {
    gateways: ["gateways/gw"],
    http: [{ route: [{ destination: { host: `${service}.team-a.svc.cluster.local` } }] }],
  },
});
const pod = (name: string, labels: object, ready = true) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: "app" }] },
  status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
});
const service = (selector: object | undefined, fields: object = {}) => ({
  spec: { selector, clusterIP: "None", ports: [{ port: 22 }], ...fields },
});
/** A Service that has an address of its own. */
const translating = (targetPort?: number | string) => ({
  clusterIP: "10.0.0.1",
  ports: [{ port: 80 }, { port: 22, ...(targetPort !== undefined && { targetPort }) }],
});
const inNamespace = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });
const policy = (name: string, spec: object) => ({ metadata: { name }, spec });
const gatewayPods = { matchLabels: { [part]: "ssh-gateway" } };
const ssh = (...ports: object[]) => ({
  from: [{ namespaceSelector: inNamespace("gateways"), podSelector: gatewayPods }],
  ports,
});
const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress", "Egress"] });
const toTeams = {
  namespaceSelector: { matchExpressions: [{ key: "drawbridge.dev/team", operator: "Exists" }] },
};
const toSshd = {
  namespaceSelector: {},
  podSelector: { matchExpressions: [{ key: "drawbridge.dev/sshd", operator: "Exists" }] },
};
const out = (...to: object[]) =>
  policy("gw", { podSelector: gatewayPods, policyTypes: ["Egress"], egress: [{ to }] });

type Objects = Readonly<Record<string, unknown>>;
const namespace = (name: string, labels: object = {}) => ({
  metadata: { name, labels: { "kubernetes.io/metadata.name": name, ...labels } },
});

/** A route to `legacy`, whose pod is ready, and a gateway that everybody may look at. */
const route: Objects = {
  [`team-a/virtualservices${ours}`]: { items: [routeTo("legacy", "ssh-route")] },
  "team-a/services/legacy": service({ app: "legacy" }),
  "team-a/pods?app=legacy": { items: [pod("legacy-0", { app: "legacy" })] },
  "team-a/pods/legacy-0": pod("legacy-0", { app: "legacy" }),
  "team-a/networkpolicies": { items: [] },
  "gateways/networkpolicies": { items: [out(toTeams, toSshd)] },
  "gateways/gateways/gw": { spec: { selector: gatewayPods.matchLabels } },
  [`gateways/pods?${part}=ssh-gateway`]: { items: [pod("gw-0", gatewayPods.matchLabels)] },
  "team-a": namespace("team-a", { "drawbridge.dev/team": "team-a" }),
  gateways: namespace("gateways"),
};
const sshd = { "drawbridge.dev/sshd": "box" };
const injected: Objects = {
  ...route,
  [`team-a/virtualservices${ours}`]: { items: [routeTo("box-ssh", "injected-sshd")] },
  "team-a/services/box-ssh": service(sshd, { publishNotReadyAddresses: true }),
  "team-a/pods?drawbridge.dev/sshd=box": { items: [pod("web-x", sshd, false)] },
  "team-a/pods/web-x": pod("web-x", sshd, false),
};

const why = (objects: Objects, changed: Objects = {}) =>
  whyClosed(host, async () => kubeWith({ ...objects, ...changed }));

describe("nothing is said", () => {
  it("where all is as it should be, or nobody can tell", async () => {
    expect(await why(route)).toBeUndefined();
    expect(await why(injected)).toBeUndefined();
    expect(await whyClosed(host, () => Promise.reject(new Error("there is no kubeconfig")))).toBeUndefined();
    expect(await why({})).toBeUndefined();
    expect(
      await why({ [`team-a/virtualservices${ours}`]: 403, [`team-a/services${ours}`]: 403 }),
    ).toBeUndefined();
    expect(await why(route, { "team-a/services/legacy": 403 })).toBeUndefined();
    expect(await why(route, { "team-a/pods?app=legacy": 403 })).toBeUndefined();
  });

  it("of a container, whose pod says it", async () => {
    expect(
      await why({
        [`team-a/virtualservices${ours}`]: { items: [] },
        [`team-a/services${ours}`]: { items: [] },
      }),
    ).toBe(undefined);
  });

  it("of policies that nobody may look at", async () => {
    const unseen = { "team-a/networkpolicies": 403, "gateways/networkpolicies": 403 };
    expect(await why(route, unseen)).toBeUndefined();
    // Without the gateway's labels it is unknown whether the policy means it.
    const onlySome = policy("some", { podSelector: {}, ingress: [ssh({ port: 22 })] });
    const away = { "gateways/gateways/gw": 403, gateways: 403 };
    expect(await why(route, { ...away, "team-a/networkpolicies": { items: [onlySome] } })).toBeUndefined();
  });
});

describe("an InjectedSshd", () => {
  const noLabel =
    "no pod has the label drawbridge.dev/sshd=box: nothing took the template, or the pods that run were made before it changed, then delete them; if new ones lack it too, a controller puts a template of its own back";
  const none = { "team-a/pods?drawbridge.dev/sshd=box": { items: [] } };

  it("of which no pod has the label", async () => {
    expect(await why(injected, none)).toBe(noLabel);
  });

  it("is known by its Service where routes may not be read", async () => {
    const byService = {
      [`team-a/virtualservices${ours}`]: 403,
      [`team-a/services${ours}`]: { items: [{ metadata: { name: "box-ssh" } }] },
    };
    expect(await why(injected, { ...byService, ...none })).toBe(noLabel);
    expect(await why(injected, byService)).toBeUndefined();
  });

  it("whose Service is gone", async () => {
    expect(await why(injected, { "team-a/services/box-ssh": 404 })).toBe(
      "there is no Service box-ssh in namespace team-a of context lab; check both names, or make it again: pulumi up --refresh",
    );
  });

  it("whose pod does not run", async () => {
    const pending = { ...pod("web-x", sshd), status: { phase: "Pending" } };
    expect(await why(injected, { "team-a/pods?drawbridge.dev/sshd=box": { items: [pending] } })).toBe(
      "no pod behind Service box-ssh is ready (web-x: phase Pending); see: kubectl -n team-a describe service box-ssh",
    );
  });
});

describe("an SshRoute", () => {
  const slices = "team-a/endpointslices?kubernetes.io/service-name=legacy";
  const ready = pod("legacy-0", {});
  const leaving = { ...ready, metadata: { ...ready.metadata, deletionTimestamp: "now" } };
  it.each<[string, Objects, string | undefined]>([
    [
      "to no Service",
      { "team-a/services/legacy": 404 },
      "there is no Service legacy in namespace team-a of context lab; check both names, or mend serviceName of the SshRoute",
    ],
    [
      "to another port",
      { "team-a/services/legacy": service({ app: "legacy" }, { ports: [{ port: 2222, name: "ssh" }] }) },
      "Service legacy has no port 22; it has 2222 (ssh): take the one that leads to sshd",
    ],
    [
      "to no pod",
      { "team-a/pods?app=legacy": { items: [] } },
      "no pod behind Service legacy is ready (no pod has the labels app=legacy); see: kubectl -n team-a describe service legacy",
    ],
    [
      "to no ready pod",
      { "team-a/pods?app=legacy": { items: [pod("legacy-0", {}, false)] } },
      "no pod behind Service legacy is ready (legacy-0: phase Running); see: kubectl -n team-a describe service legacy",
    ],
    [
      "to a pod that is being deleted",
      { "team-a/pods?app=legacy": { items: [leaving] } },
      "no pod behind Service legacy is ready (legacy-0: it is being deleted); see: kubectl -n team-a describe service legacy",
    ],
    [
      "to a port by a name that no pod has",
      { "team-a/services/legacy": service({ app: "legacy" }, translating("ssh")) },
      "port 22 of Service legacy leads to the port ssh, which pod legacy-0 does not have; correct one of the two",
    ],
    [
      "to a name elsewhere",
      {
        "team-a/services/legacy": service(undefined, {
          type: "ExternalName",
          externalName: "db.example.com",
        }),
      },
      "Service legacy is an ExternalName for db.example.com: no pod is behind it, and no SshRoute leads to one; make a Service with a selector or with endpoints",
    ],
    [
      "to an address that is not there",
      {
        "team-a/services/legacy": service(undefined),
        [slices]: { items: [{ endpoints: [{ conditions: { ready: false } }] }] },
      },
      "Service legacy has neither a selector nor an endpoint that is ready; set a selector, or an EndpointSlice with the address of its sshd",
    ],
    [
      "to an address",
      { "team-a/services/legacy": service(undefined), [slices]: { items: [{ endpoints: [{}] }] } },
      undefined,
    ],
  ])("%s", async (_, changed, expected) => {
    expect(await why(route, changed)).toBe(expected);
  });

  const around =
    "the NetworkPolicy of the gateway gateways/gw (gw) does not let it out to 10.20.0.5 at port 22;";
  it.each<[string, object[], boolean]>([
    ["among none", [toTeams], false],
    ["among others", [toTeams, { ipBlock: { cidr: "10.20.0.6/32" } }], false],
    ["in a hole", [{ ipBlock: { cidr: "10.20.0.0/24", except: ["10.20.0.4/30"] } }], false],
    ["by itself", [toTeams, { ipBlock: { cidr: "10.20.0.5/32" } }], true],
    ["in its network", [{ ipBlock: { cidr: "10.20.0.0/24", except: ["10.20.0.8/30"] } }], true],
  ])("to an address that the gateway may reach %s", async (_, to, isReached) => {
    const slice = { endpoints: [{ addresses: ["10.20.0.5"] }], ports: [{ port: 22 }] };
    const said = await why(route, {
      "team-a/services/legacy": service(undefined),
      [slices]: { items: [slice] },
      "gateways/networkpolicies": { items: [out(...to)] },
    });
    expect(said).toBe(
      isReached
        ? undefined
        : `${around} the platform's team names it in egress.outsideHosts of the SshGateway`,
    );
  });
});

describe("a NetworkPolicy", () => {
  const denied =
    'the NetworkPolicies before pod legacy-0 (deny) do not let the gateway gateways/gw to its port 22; set networkPolicy: "allow-gateway"';
  const policies = (...more: object[]) => ({ "team-a/networkpolicies": { items: [deny, ...more] } });
  const rule = (ingress: object, podSelector: object = {}) =>
    policy("more", { podSelector, ingress: [ingress] });
  const both = denied.replace("(deny)", "(deny, more)");

  it.each<[string, object[], string | undefined]>([
    ["that denies all", [], denied],
    ["that another opens", [rule(ssh({ port: 22 }))], undefined],
    ["that another opens for a range", [rule(ssh({ port: 1, endPort: 100, protocol: "TCP" }))], undefined],
    ["that another opens by a name", [rule(ssh({ port: "ssh" }))], undefined],
    ["that another opens for all ports and everybody", [rule({})], undefined],
    ["that another opens for addresses", [rule({ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }] })], undefined],
    ["that another opens for other ports", [rule(ssh({ port: 80 }, { port: 22, protocol: "UDP" }))], both],
    ["that another opens for its own namespace", [rule({ from: [{ podSelector: {} }] })], both],
    [
      "that another opens for other pods there",
      [rule({ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: "web" } } }] })],
      both,
    ],
    ["that another opens before other pods", [rule({}, { matchLabels: { app: "web" } })], denied],
  ])("%s", async (_, more, expected) => {
    expect(await why(route, policies(...more))).toBe(expected);
  });

  it.each<[string, object, number]>([
    ["that of the Service", translating(), 22],
    ["to which the Service translates", translating(2222), 2222],
    ["by the name that the Service gives", translating("login"), 2200],
    ["to which a headless Service leads", { ports: [{ port: 22, targetPort: 2222 }] }, 2222],
  ])("is before the port %s, of the first pod that is ready", async (_, fields, port) => {
    const spec = { containers: [{ name: "app", ports: [{ name: "login", containerPort: 2200 }] }] };
    const items = [pod("legacy-2", {}), pod("a", {}, false), { ...pod("legacy-0", {}), spec }];
    const said = await why(route, {
      ...policies(),
      "team-a/services/legacy": service({ app: "legacy" }, fields),
      "team-a/pods?app=legacy": { items },
    });
    expect(said).toBe(denied.replace("port 22", `port ${port}`));
  });

  it("is seen where the gateway may not be read", async () => {
    const away = { gateways: 403, "gateways/networkpolicies": 403, "gateways/gateways/gw": 403 };
    expect(await why(route, { ...policies(), ...away })).toBe(denied);
  });

  it("of the gateway keeps it from pods without a mark", async () => {
    const closed = (who: string) =>
      `the NetworkPolicy of the gateway gateways/gw (gw) does not let it out to pod ${who}; the platform's team sets egress.teamPods: true at the SshGateway, which is for namespaces with the label drawbridge.dev/team`;
    const narrow = { "gateways/networkpolicies": { items: [out(toSshd)] } };
    expect(await why(route, narrow)).toBe(closed("legacy-0"));
    expect(await why(route, { "team-a": namespace("team-a") })).toBe(closed("legacy-0"));
    // Without types it is for egress if it has rules for it; an empty list has none.
    const untyped = (...egress: object[]) => ({
      "gateways/networkpolicies": { items: [policy("gw", { podSelector: gatewayPods, egress })] },
    });
    expect(await why(route, untyped({ to: [toSshd] }))).toBe(closed("legacy-0"));
    expect(await why(route, untyped())).toBeUndefined();
    expect(await why(injected, narrow)).toBeUndefined();
    expect(
      await why(injected, {
        "gateways/networkpolicies": { items: [out(toTeams)] },
        "team-a": namespace("team-a"),
      }),
    ).toBe(closed("web-x"));
  });
});
