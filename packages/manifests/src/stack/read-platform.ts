import { wrong } from "../common/fault.ts";
import { isWithin, networkOf } from "../common/outside-host.ts";
import { known } from "../common/placed.ts";
import { faultsOf, type Reading, type StackFault } from "./fault.ts";
import { isMap, type Raw } from "./merge.ts";
import { componentSchemas, type PlatformConfig, platformFileSchema } from "./schema.ts";

/** A platform stack's file. */
export interface PlatformStack extends PlatformConfig {
  readonly kind: "platform";
}

const key = "drawbridge:platform";

/** @param frpSeed the secret `drawbridge:frpSeed` */
export function readPlatform(raw: unknown, frpSeed: string | undefined): Reading<PlatformStack> {
  const faults = faultsOf(platformFileSchema, raw, (path) => [key, ...path]);
  const given = isMap(raw) ? raw : {};
  const frp = isMap(given.frp) ? withSeed(given.frp, frpSeed) : undefined;
  if (frp !== undefined) faults.push(...frpFaults(frp));
  faults.push(...unreachedHosts(given));
  const teams = platformFileSchema.shape.teams.safeParse(given.teams).data ?? {};
  const people = platformFileSchema.shape.people.safeParse(given.people).data ?? {};
  const stack = { ...given, teams, people, ...(frp === undefined ? {} : { frp }), kind: "platform" };
  return { stack: stack as PlatformStack, faults };
}

/** Hosts outside of the cluster that a team is given and this file's own gateway does not reach. */
function unreachedHosts(given: Raw): StackFault[] {
  const { gateway: ofGateway, teams: ofTeams } = platformFileSchema.shape;
  const gateway = ofGateway.safeParse(given.gateway).data;
  // A network policy of somebody else's gateway is not this file's.
  if (gateway === undefined || gateway.existing !== undefined) return [];
  const { outsideHosts } = gateway.egress;
  const teams = Object.entries(ofTeams.safeParse(given.teams).data ?? {});
  return teams.flatMap(([team, { outsideHosts: hosts }]) =>
    Object.entries(hosts).flatMap(([name, host]): StackFault[] => {
      const address = networkOf(known(host.address) ?? "");
      const isReached = outsideHosts.some(
        ({ cidr, ports }) => ports.includes(host.port) && isWithin(address, known(cidr) ?? ""),
      );
      const path = [key, "teams", team, "outsideHosts", name];
      return isReached
        ? []
        : [{ path, ...wrong("outside-host-unreached", { cidr: address, port: host.port }) }];
    }),
  );
}

function withSeed(frp: Raw, seed: string | undefined): Raw {
  return seed === undefined ? frp : { seed, ...frp };
}

function frpFaults(frp: Raw): StackFault[] {
  if (frp.seed === undefined) {
    const missing = wrong("seed-missing", { key: "drawbridge:frpSeed" });
    const rest = faultsOf(componentSchemas.frp, { ...frp, seed: "x".repeat(32) }, below);
    return [{ path: ["drawbridge:frpSeed"], ...missing }, ...rest];
  }
  return faultsOf(componentSchemas.frp, frp, (path) =>
    path[0] === "seed" ? ["drawbridge:frpSeed"] : below(path),
  );
}

function below(path: readonly (string | number)[]) {
  return [key, "frp", ...path];
}
