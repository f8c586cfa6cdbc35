import {
  FrpServer,
  type FrpServerArgs,
  SshGateway,
  type SshGatewayArgs,
  StorageProxy,
  type StorageProxyArgs,
} from "@drawbridge-iac/drawbridge";
import type { PlatformStack } from "@drawbridge-iac/manifests/stack";
import { People } from "./people.ts";
import { platformTeam, platformWalls } from "./platform-teams.ts";
import { clusterProvider } from "./provider.ts";

/** What all teams share. A team's file names this stack, or repeats its outputs in plain. */
export function platform(config: PlatformStack): Record<string, unknown> {
  const provider = clusterProvider();
  const opts = { provider };
  const gateway = config.gateway as SshGatewayArgs | undefined;
  const frp = config.frp as FrpServerArgs | undefined;
  const storageProxy = config.storageProxy as StorageProxyArgs | undefined;
  const teams = Object.entries(config.teams);
  if (gateway === undefined && teams.length > 0) platformWalls(opts);
  const sleeps = gateway?.idle !== undefined;
  const roots = teams.flatMap(([name, team]) => {
    const root = platformTeam(name, team, provider, sleeps);
    return root === undefined ? [] : [[name, root.ref] as const];
  });
  const hasPeople = Object.keys(config.people).length > 0;
  if (hasPeople) new People(config.people);
  return {
    ...(gateway && gatewayOutputs(new SshGateway(gateway.name ?? "ssh-ingress", gateway, opts))),
    ...(frp && { frp: new FrpServer(frp.name ?? "frp", frp, opts).ref }),
    ...(roots.length > 0 && { rootNamespaces: Object.fromEntries(roots) }),
    ...(hasPeople && { people: config.people }),
    ...(storageProxy && {
      storageProxy: new StorageProxy(storageProxy.name ?? "files", storageProxy, opts).ref,
    }),
  };
}

function gatewayOutputs(gateway: SshGateway) {
  return { gateway: gateway.ref, gatewayAddress: gateway.address };
}
