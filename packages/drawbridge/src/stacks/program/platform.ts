import * as pulumi from "@pulumi/pulumi";
import { EgressGateway } from "../../egress-gateway/component.ts";
import { FrpServer } from "../../frp-server/component.ts";
import type { EgressGatewayArgs } from "../../generated/egress-gateway.ts";
import type { FrpServerArgs } from "../../generated/frp-server.ts";
import type { SshGatewayArgs } from "../../generated/ssh-gateway.ts";
import type { StorageProxyArgs } from "../../generated/storage-proxy.ts";
import type { TeamArgs } from "../../generated/team.ts";
import { SshGateway } from "../../ssh-gateway/component.ts";
import { StorageProxy } from "../../storage-proxy/component.ts";
import { Team, TeamPolicies } from "../../team/component.ts";
import type { PlatformStack } from "../read-platform.ts";
import { standardNames } from "../schema.ts";
import { clusterProvider } from "./teams.ts";

/** What all teams share. A team's file names this stack, or repeats its outputs in plain. */
export function platform(config: PlatformStack): Record<string, unknown> {
  const provider = clusterProvider();
  const opts = { provider };
  const gateway = config.gateway as SshGatewayArgs | undefined;
  const frp = config.frp as FrpServerArgs | undefined;
  const egressGateway = config.egressGateway as EgressGatewayArgs | undefined;
  const storageProxy = config.storageProxy as StorageProxyArgs | undefined;
  if (gateway === undefined && Object.keys(config.teams).length > 0) new TeamPolicies("teams", {}, opts);
  const idle = gateway?.idle !== undefined;
  const teams = Object.entries(config.teams).map(([name, args]) => {
    const { ref } = new Team(name, { deployers: {}, ...(args as TeamArgs), idle }, opts);
    return [name, ref] as const;
  });
  const hasPeople = Object.keys(config.people).length > 0;
  if (hasPeople) new People(config.people);
  return {
    ...(gateway &&
      gatewayOutputs(
        new SshGateway(gateway.name ?? standardNames.gateway, gateway, opts),
        gateway.existing === undefined,
      )),
    ...(frp && { frp: withAddress(new FrpServer(frp.name ?? standardNames.frp, frp, opts)) }),
    ...(egressGateway && {
      egressGateway: new EgressGateway(egressGateway.name ?? standardNames.egressGateway, egressGateway, opts)
        .ref,
    }),
    ...(teams.length > 0 && { teams: Object.fromEntries(teams) }),
    ...(hasPeople && { people: config.people }),
    ...(storageProxy && {
      storageProxy: withAddress(
        new StorageProxy(storageProxy.name ?? standardNames.storageProxy, storageProxy, opts),
      ),
    }),
  };
}

// Each output has the address too: a team's program reads it only when the platform's stack is up.

function gatewayOutputs({ ref, address }: SshGateway, isOurs: boolean) {
  // Another's gateway has an address only where it was given, and its ref has it then.
  return { gateway: isOurs ? withAddress({ ref, address }) : ref, gatewayAddress: address };
}

interface Reached {
  readonly ref: pulumi.Output<object>;
  readonly address: pulumi.Output<string | undefined>;
}

const withAddress = ({ ref, address }: Reached) =>
  pulumi.all([ref, address]).apply(([known, address]) => ({ ...known, address }));

/**
 * The platform's people as something that a preview can show: outputs, by which teams get them, are in no preview. It
 * makes nothing in the cluster.
 */
export class People extends pulumi.ComponentResource {
  constructor(people: PlatformStack["people"]) {
    super("drawbridge:stacks:People", "people", { people });
    this.registerOutputs();
  }
}
