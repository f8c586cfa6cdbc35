/** The objects of each case of isolation.fixture.ts, from the builders alone. */
import { devContainerSchema } from "./dev-container/args-checks.ts";
import { devContainerObjects } from "./dev-container/objects.ts";
import { planDevContainer } from "./dev-container/plan.ts";
import { frpServerSchema } from "./frp-server/args.ts";
import { frpServerObjects } from "./frp-server/objects.ts";
import { planFrpServer } from "./frp-server/plan.ts";
import { containers, frpServers, gateways, storages, teams } from "./isolation.fixture.ts";
import { parseArgs } from "./kit/args-error.ts";
import { tokenHash } from "./kit/crypto.ts";
import type { Objects } from "./kubernetes/objects.ts";
import { sshGatewaySchema } from "./ssh-gateway/args-checks.ts";
import { sshGatewayObjects } from "./ssh-gateway/objects.ts";
import { planSshGateway } from "./ssh-gateway/plan.ts";
import { storageAccessorSchema } from "./storage-accessor/args-checks.ts";
import { storageObjects } from "./storage-accessor/objects.ts";
import { type FileServerPlan, type KnownStoragePlan, planStorage } from "./storage-accessor/plan.ts";
import { type Jwt, tokenCheckConfig } from "./storage-accessor/token-check-config.ts";
import { storageProxySchema } from "./storage-proxy/args.ts";
import { storageProxyObjects } from "./storage-proxy/objects.ts";
import { planStorageProxy } from "./storage-proxy/plan.ts";
import { planTeam, teamSchema } from "./team/args.ts";
import { teamObjects, teamPoliciesObjects } from "./team/objects.ts";

type Builder<Args> = (args: Args) => Objects;

const gateway: Builder<(typeof gateways)[string]> = (args) =>
  sshGatewayObjects(planSshGateway("ssh", parseArgs("SshGateway", "ssh", sshGatewaySchema, args)));

const container: Builder<(typeof containers)[string]> = (args) => {
  const parsed = parseArgs("DevContainer", "dev1", devContainerSchema, args);
  const plan = planDevContainer("dev1", parsed);
  return devContainerObjects(plan, {
    hostKey: { privateKey: "", nextPrivateKey: undefined, publicKeys: [] },
    frpc: plan.frpc && { token: "", tokenSha256: tokenHash(String(plan.frpc.token)) },
    env: undefined,
  });
};

const team: Builder<(typeof teams)[string]> = (args) =>
  teamObjects(planTeam("team-a", parseArgs("Team", "team-a", teamSchema, args)));

const frpServer: Builder<(typeof frpServers)[string]> = (args) => {
  const plan = planFrpServer("frp", parseArgs("FrpServer", "frp", frpServerSchema, args));
  return frpServerObjects(plan, { metricsPassword: "", caBundle: "", certificate: undefined });
};

const storage: Builder<(typeof storages)[string]> = ({ proxy, ...args }) => {
  const plan = planStorageProxy("files", parseArgs("StorageProxy", "files", storageProxySchema, proxy));
  const { name, namespace, scheme, port, dnsName } = plan;
  const browse = { ...args.browse, proxy: { name, namespace, scheme, port, dnsName } };
  const given = { ...args.storage, browse };
  const own = planStorage(
    "models",
    parseArgs("StorageAccessor", "models", storageAccessorSchema, given),
  ) as KnownStoragePlan;
  const fileServer = own.fileServer as FileServerPlan;
  const { jwt } = fileServer;
  const tokenCheck = jwt && JSON.stringify(tokenCheckConfig(own, fileServer, jwt as Jwt));
  const ofProxy = Object.entries(storageProxyObjects(plan));
  const ofStorage = storageObjects(own, { rules: "", rulesMark: "", tokenCheck, prepareEnv: undefined });
  return { ...Object.fromEntries(ofProxy.map(([key, one]) => [`proxy-${key}`, one])), ...ofStorage };
};

export const builders = { gateway, container, frpServer, storage };

export const built: Record<string, () => Objects> = {
  ...made(gateways, gateway),
  ...made(containers, container),
  ...made(teams, team),
  "team-policies": () => teamPoliciesObjects("teams"),
  ...made(frpServers, frpServer),
  ...made(storages, storage),
};

function made<Args>(cases: Record<string, Args>, builder: Builder<Args>) {
  return Object.fromEntries(Object.entries(cases).map(([name, args]) => [name, () => builder(args)]));
}
