/**
 * The same recorded walls, from the builders alone: no engine's library is loaded, so `npm run test:mutation` can ask
 * after each of thousands of changes.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as m from "@drawbridge-iac/manifests";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { containers, frpServers, gateways, rootNamespaces, storages, team } from "./walls.fixture.ts";

type Builder<Args> = (args: Args) => readonly (m.Manifest | undefined | false)[];

const policies = (owner: m.WallOwner, walls: readonly m.Wall[]) =>
  walls.flatMap((wall) => [m.wallPolicy(owner, wall), m.wallBinding(owner, wall)]);

const gateway: Builder<(typeof gateways)[string]> = (args) => {
  const parsed = m.parseArgs("SshGateway", "ssh", m.sshGatewaySchema, args);
  const plan = m.planSshGateway("ssh", parsed) as m.KnownSshGatewayPlan;
  const own = plan.existing === undefined;
  return [
    m.connectEnvoyFilter(plan),
    m.istioGateway(plan),
    !m.isEmpty(plan.allow.identities) && m.identityPolicy(plan),
    ...policies(plan, m.gatewayWalls(plan)),
    ...(own ? [m.ownNamespace(plan), m.serviceAccount(plan.name, plan), m.gatewayNetworkPolicy(plan)] : []),
    ...(plan.tls === undefined ? [] : [m.certificateReaderRole(plan), m.certificateReaderBinding(plan)]),
    ...(plan.idle === undefined ? [] : idle({ plan, idle: plan.idle })),
  ];
};

const idle = (both: m.GatewayIdle) =>
  m.idleRoles.flatMap((role) => [
    m.idleServiceAccount(both, role),
    m.idleClusterRole(both, role),
    m.idleClusterBinding(both, role),
    m.idleNetworkPolicy(both, role),
  ]);

const container: Builder<(typeof containers)[string]> = (args) => {
  const parsed = m.parseArgs("DevContainer", "dev1", m.devContainerSchema, args);
  const plan = m.planDevContainer("dev1", parsed);
  const { frpc } = plan;
  const { gateway } = plan.access;
  const keys = (lines: m.PlacedList<string>) => m.renderAuthorizedKeys(lines as string[]);
  const sshpod = m.containerSshpodAccess(plan);
  return [
    m.authorizedKeysConfigMap(plan, keys(plan.authorizedKeys), plan.userCa && keys(plan.userCa.keys)),
    m.sshdConfigMap(plan),
    m.containerNetworkPolicy(plan),
    gateway && m.containerRoute(plan, gateway),
    ...(sshpod === undefined ? [] : [sshpod.role, sshpod.binding]),
    ...m.idleGrants(plan).flatMap(({ role, binding }) => [role, binding]),
    ...(frpc?.authorizer === undefined
      ? []
      : [
          m.frpGrant(plan, frpc, m.frpTokenHash(String(frpc.token))),
          m.frpGrantRole(plan, frpc),
          m.frpGrantBinding(plan, frpc, frpc.authorizer),
        ]),
    frpc && m.frpcConfigMap(plan, frpc, m.frpcToml(frpc as m.KnownFrpcPlan, plan.ssh.port)),
  ];
};

const rootNamespace: Builder<(typeof rootNamespaces)[string]> = (args) => {
  const given = m.parseArgs("RootNamespace", "root", m.rootNamespaceSchema, args);
  const parsed = { ...given, namespace: given.namespace as string };
  return [
    ...policies(m.rootWallOwner(parsed), m.rootWalls(parsed)),
    m.teamNamespace(parsed.namespace, parsed.egress.allow, m.rootPodSecurity(parsed)),
  ];
};

const frpServer: Builder<(typeof frpServers)[string]> = (args) => {
  const plan = m.planFrpServer("frp", m.parseArgs("FrpServer", "frp", m.frpServerSchema, args));
  const { connectTls } = plan;
  return [
    m.ownNamespace(plan),
    m.serviceAccount(plan.names.serviceAccount, plan, { token: false }),
    m.frpUnits(plan),
    m.frpsConfiguration(plan),
    m.frpNetworkPolicy(plan),
    ...(connectTls ? [m.connectTlsGateway(plan, connectTls), m.connectTlsRoute(plan, connectTls)] : []),
  ];
};

const storage: Builder<(typeof storages)[string]> = ({ proxy, ...args }) => {
  const parsed = m.parseArgs("StorageProxy", "files", m.storageProxySchema, proxy);
  const plan = m.planStorageProxy("files", parsed) as m.KnownStorageProxyPlan;
  const { name, namespace, mode, scheme, port, host } = plan;
  const ref = { name, namespace, mode, scheme, port, host };
  const own = m.planStorage(
    "models",
    m.parseArgs("StorageAccessor", "models", m.storageAccessorSchema, {
      ...args.storage,
      browse: { ...args.browse, proxy: ref },
    }),
  );
  const accessor = own.accessor ?? expect.fail("no accessor");
  const proxied = own.proxy ?? expect.fail("no proxy");
  const { jwt } = accessor;
  const config = jwt && JSON.stringify(m.tokenCheckConfig(own as m.KnownStoragePlan, accessor, jwt as m.Jwt));
  return [
    m.ownNamespace(plan),
    m.proxyNetworkPolicy(plan),
    ...(mode === "istio"
      ? [
          m.serviceAccount(plan.name, plan),
          m.gatewaySettings(plan),
          m.storageGateway(plan),
          m.unknownStorageRoute(plan),
          ...policies(plan, m.storageProxyWalls(plan)),
          m.storageRoute(own, proxied),
        ]
      : [m.routerConfigMap(plan)]),
    m.accessorNetworkPolicy(own, proxied),
    config !== undefined && m.tokenCheckConfigMap(own, config),
  ];
};

const built = {
  ...made(gateways, gateway),
  ...made(containers, container),
  ...made(rootNamespaces, rootNamespace),
  ...made(frpServers, frpServer),
  ...made(storages, storage),
};

function made<Args>(cases: Record<string, Args>, builder: Builder<Args>) {
  return Object.fromEntries(Object.entries(cases).map(([name, args]) => [name, () => builder(args)]));
}

const title = ({ kind, metadata }: m.Manifest) => `${kind} ${metadata.name}`;
const byTitle = (all: readonly m.Manifest[]) => Object.fromEntries(all.map((one) => [title(one), one]));

/** The recorded objects; of workloads only a part is recorded, without their apiVersion. */
function recorded(name: string): m.Manifest[] {
  const file = fileURLToPath(new URL(`recorded/walls-${name}.yaml`, import.meta.url));
  return parseAllDocuments(readFileSync(file, "utf8"))
    .map((document) => document.toJS() as m.Manifest)
    .filter((object) => "apiVersion" in object);
}

it.each(Object.entries(built))("are what is recorded: %s", (name, objects) => {
  const present = objects().filter((object) => object !== undefined && object !== false);
  expect(byTitle(present)).toEqual(byTitle(recorded(name)));
});

it("are what is recorded: team", () => {
  expect(team()).toEqual(recorded("team"));
});
