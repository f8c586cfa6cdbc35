/** Edits that leave an argument out, or turn one back, and open by that: found by the model of access (model/access.test.ts). */
import { expect, it } from "vitest";
import { areStopped, bob, dev, gateway, hidings } from "./attacks.fixture.ts";
import type { Change } from "./change.ts";
import { judge } from "./guard.ts";
import { edited, today, whole } from "./sample.fixture.ts";

const selected = {
  access: { gateway: { ...gateway, selector: { app: "gw" } }, sshpod: { users: ["alice"] } },
};
const between = (kind: string, base: object) => (was: object, is: object) =>
  edited(kind, "it", { ...base, ...was }, { ...base, ...is });
const gw = between("SshGateway", { domain: "dev.example.com", loadBalancer: { preset: "gke" } });
const proxy = between("StorageProxy", { loadBalancer: { preset: "gke" } });
const frp = between("FrpServer", {
  domain: "ssh.example.com",
  seed: "[secret]",
  authorizer: { image: "registry.example.com/programs:1" },
  egress: { apiServer: [] },
  loadBalancer: { preset: "gke" },
});
const team = between("Team", { deployers: { groups: ["team-a"] } });
const connectTls = {
  dnsName: "frp.example.com",
  secretName: "connect-tls",
  gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
};
const root = (...allowedServiceAccountNames: string[]) => ({ root: { allowedServiceAccountNames } });
const perMinute = (connectionsPerMinute: number) => ({
  connectionLimits: { perClient: { connectionsPerMinute } },
});

const openings = hidings`
  the labels of a gateway's pods
    ${dev({ access: { ...selected.access, gateway } }, selected)}
    1 network-wall: access.gateway.selector: {"app":"gw"} → none
    ${dev({ access: { ...selected.access, gateway: undefined } }, selected)}
  a gateway's namespace
    ${gw({ namespace: "other" }, {})}
    1 wall-removed: namespace: other → none
    ${gw({ namespace: "other", replicas: 3 }, { namespace: "other" })}
  limits that were lower than usual
    ${gw(perMinute(60), {})}
    1 wall-removed: connectionLimits.perClient.connectionsPerMinute: 60 → 300
    ${gw({}, { connectionLimits: {} })}
  the gateway before frps
    ${frp({ connectTls }, {})}
    1 gateway-opened: connectTls is left out: anyone its LoadBalancer lets in
    ${frp({ exposeServerPort: true }, { exposeServerPort: true, connectTls })}
  a storage proxy's TLS
    ${proxy({ tls: { secretName: "files" }, port: 443 }, { port: 443 })}
    1 gateway-opened: tls is left out: passwords and files go in clear text
    ${proxy({ port: 443 }, { tls: { secretName: "files" }, port: 443 })}
  a storage proxy's name
    ${proxy({ dnsName: "files.example.com" }, {})}
    1 gateway-opened: dnsName is left out: it answers whatever name
    ${proxy({}, { dnsName: "files.example.com" })}
  one more account for root
    ${team(root("a"), root("a", "b"))}
    1 pod-security-lowered: root.allowedServiceAccountNames has b too
    ${team(root("a", "b"), root("a"))}
  containers inside a team's root
    ${team(root(), { root: { containersInside: true } })}
    1 pod-security-lowered: root.containersInside: false → true
    ${team({ root: { containersInside: true } }, root())}
`;

areStopped(openings);

const userCa = { ssh: { userCa: { keys: [bob] } } };
const files = between("StorageAccessor", { namespace: "team-a" });
const browse = (enabled: boolean) => ({
  browse: {
    enabled,
    proxy: { name: "files", namespace: "files" },
    credentials: [{ user: "alice", password: "[secret]" }],
  },
});

const told: readonly (readonly [says: string, changes: readonly Change[]])[] = [
  ["certificates for dev open dev1", dev({ user: { name: "dev" } }, userCa)],
  [
    "certificates for its user open dev1",
    dev({ ssh: { userCa: { keys: [bob] } } }, { ssh: { userCa: { keys: [bob], principals: ["ops"] } } }),
  ],
  ["browse.enabled: false → true", files(browse(false), browse(true))],
  ["idle: false → true", team({}, { idle: true })],
];

it.each(told)("tells that %s", (says, changes) => {
  const { code, access } = judge(whole(changes), [], today);
  expect(code).toBe(0);
  expect(access.filter(({ effect }) => effect === "gains").map(({ text }) => text)).toEqual([says]);
});

it("tells nothing of a login name where principals are given, or nobody has certificates", () => {
  for (const before of [{}, { ssh: { userCa: { keys: [bob], principals: ["ops"] } } }])
    expect(judge(whole(dev({ user: { name: "dev" } }, before)), [], today).access).toEqual([]);
});
