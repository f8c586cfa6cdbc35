/** The objects of each case of walls.fixture.ts, from the builders alone. */
import * as m from "@drawbridge-iac/manifests";
import { containers, frpServers, gateways, rootNamespaces, storages } from "./walls.fixture.ts";

type Builder<Args> = (args: Args) => m.Objects;

const gateway: Builder<(typeof gateways)[string]> = (args) =>
  m.sshGatewayObjects(m.planSshGateway("ssh", m.parseArgs("SshGateway", "ssh", m.sshGatewaySchema, args)));

const container: Builder<(typeof containers)[string]> = (args) => {
  const parsed = m.parseArgs("DevContainer", "dev1", m.devContainerSchema, args);
  const plan = m.planDevContainer("dev1", parsed);
  return m.devContainerObjects(plan, {
    hostKey: { privateKey: "", nextPrivateKey: undefined, publicKeys: [] },
    frpc: plan.frpc && { token: "", tokenSha256: m.frpTokenHash(String(plan.frpc.token)) },
    env: undefined,
  });
};

const rootNamespace: Builder<(typeof rootNamespaces)[string]> = (args) =>
  m.rootNamespaceObjects(m.parseArgs("RootNamespace", "root", m.rootNamespaceSchema, args));

const frpServer: Builder<(typeof frpServers)[string]> = (args) => {
  const plan = m.planFrpServer("frp", m.parseArgs("FrpServer", "frp", m.frpServerSchema, args));
  return m.frpServerObjects(plan, { metricsPassword: "", caBundle: "", certificate: undefined });
};

const storage: Builder<(typeof storages)[string]> = ({ proxy, ...args }) => {
  const plan = m.planStorageProxy("files", m.parseArgs("StorageProxy", "files", m.storageProxySchema, proxy));
  const { name, namespace, mode, scheme, port, host } = plan;
  const browse = { ...args.browse, proxy: { name, namespace, mode, scheme, port, host } };
  const given = { ...args.storage, browse };
  const own = m.planStorage(
    "models",
    m.parseArgs("StorageAccessor", "models", m.storageAccessorSchema, given),
  ) as m.KnownStoragePlan;
  const accessor = own.accessor as m.AccessorPlan;
  const { jwt } = accessor;
  const tokenCheck = jwt && JSON.stringify(m.tokenCheckConfig(own, accessor, jwt as m.Jwt));
  const ofProxy = Object.entries(m.storageProxyObjects(plan));
  const ofStorage = m.storageObjects(own, { rules: "", rulesMark: "", tokenCheck, prepareEnv: undefined });
  return { ...Object.fromEntries(ofProxy.map(([key, one]) => [`proxy-${key}`, one])), ...ofStorage };
};

export const built: Record<string, () => m.Objects> = {
  ...made(gateways, gateway),
  ...made(containers, container),
  ...made(rootNamespaces, rootNamespace),
  ...made(frpServers, frpServer),
  ...made(storages, storage),
};

function made<Args>(cases: Record<string, Args>, builder: Builder<Args>) {
  return Object.fromEntries(Object.entries(cases).map(([name, args]) => [name, () => builder(args)]));
}
