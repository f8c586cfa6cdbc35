import {
  FrpServer,
  type FrpServerArgs,
  SshGateway,
  type SshGatewayArgs,
  StorageProxy,
  type StorageProxyArgs,
} from "@drawbridge-iac/drawbridge";
import type { PlatformStack } from "@drawbridge-iac/manifests/stack";
import * as pulumi from "@pulumi/pulumi";
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
    ...(gateway &&
      gatewayOutputs(
        new SshGateway(gateway.name ?? "ssh-ingress", gateway, opts),
        gateway.existing === undefined,
      )),
    ...(frp && { frp: frpOutput(new FrpServer(frp.name ?? "frp", frp, opts)) }),
    ...(roots.length > 0 && { rootNamespaces: Object.fromEntries(roots) }),
    ...(hasPeople && { people: config.people }),
    ...(storageProxy && {
      storageProxy: proxyOutput(new StorageProxy(storageProxy.name ?? "files", storageProxy, opts)),
    }),
  };
}

// Each with its address: a team's program reads a stack that stands.

function gatewayOutputs({ ref, address }: SshGateway, isOurs: boolean) {
  // Somebody else's gateway has an address only where it was given, and its ref has it then.
  return { gateway: isOurs ? withField(ref, { address }) : ref, gatewayAddress: address };
}

const frpOutput = ({ ref, connectAddress }: FrpServer) => withField(ref, { connectAddress });
const proxyOutput = ({ ref, address }: StorageProxy) => withField(ref, { address });

const withField = <T extends object>(ref: pulumi.Output<T>, field: pulumi.Inputs) =>
  pulumi.all([ref as pulumi.Output<object>, field]).apply(([known, more]) => ({ ...known, ...more }));
