/** A platform's stack: its file, and its outputs that teams use. */

import { egressGatewaySchema } from "../egress-gateway/args.ts";
import { isDeferred, known, knownItems } from "../kit/input.ts";
import { Secret } from "../kit/secret.ts";
import { compact } from "../kubernetes/manifest.ts";
import { isWithin, networkOf } from "../kubernetes/outside-host.ts";
import { sshGatewaySchema } from "../ssh-gateway/args-checks.ts";
import { storageProxySchema } from "../storage-proxy/args.ts";
import { faultsOf, fileFaults, type Reading, type StackFault } from "./fault.ts";
import { componentSchemas, type PlatformConfig, platformFileSchema, standardNames } from "./schema.ts";
import { noSeed } from "./secrets.ts";
import { asMap, isMap, type Raw, type YamlPath } from "./yaml.ts";

/** A platform stack's file. */
export interface PlatformStack extends PlatformConfig {
  readonly kind: "platform";
}

const key = "drawbridge:platform";
const seedKey = "drawbridge:frpSeed";

/** @param frpSeed the secret `drawbridge:frpSeed` */
export function readPlatform(raw: unknown, frpSeed: Secret | undefined): Reading<PlatformStack> {
  const faults = fileFaults(platformFileSchema, raw, key);
  const given = asMap(raw);
  faults.push(...defaultNames(given));
  const frp = isMap(given.frp) ? { ...compact({ seed: frpSeed }), ...given.frp } : undefined;
  if (frp !== undefined) faults.push(...frpFaults(frp));
  faults.push(...unreachedHosts(given));
  const teams = platformFileSchema.shape.teams.safeParse(given.teams).data ?? {};
  const people = platformFileSchema.shape.people.safeParse(given.people).data ?? {};
  const stack = { ...given, teams, people, ...(frp === undefined ? {} : { frp }), kind: "platform" };
  return { stack: stack as PlatformStack, faults };
}

/** A namespace that takes its name from the component in it: the file's schema checks what is written alone. */
function defaultNames(given: Raw): StackFault[] {
  const named = [
    ["gateway", sshGatewaySchema],
    ["egressGateway", egressGatewaySchema],
    ["storageProxy", storageProxySchema],
  ] as const;
  return named
    .flatMap(([part, schema]) =>
      isMap(given[part])
        ? faultsOf(schema, given[part], (path) => [key, part, ...path], standardNames[part])
        : [],
    )
    .filter(({ kind }) => kind === "default-name");
}

/** Hosts outside of the cluster that a team is given and this file's own gateway does not reach. */
function unreachedHosts(given: Raw): StackFault[] {
  const { gateway: ofGateway, teams: ofTeams } = platformFileSchema.shape;
  const gateway = ofGateway.safeParse(given.gateway).data;
  // A network policy of another's gateway is not this file's.
  if (gateway === undefined || gateway.existing !== undefined) return [];
  const { outsideHosts } = gateway.egress;
  const teams = Object.entries(ofTeams.safeParse(given.teams).data ?? {});
  return teams.flatMap(([team, { outsideHosts: hosts }]) =>
    Object.entries(hosts).flatMap(([name, host]): StackFault[] => {
      if (isDeferred(host.address)) return [];
      const port = known(host.port);
      const address = networkOf(known(host.address) ?? "");
      const isReached = outsideHosts.some(
        ({ cidr, ports }) =>
          knownItems(ports).some((one) => one === port) && isWithin(address, known(cidr) ?? ""),
      );
      const path = [key, "teams", team, "outsideHosts", name];
      return isReached
        ? []
        : [
            {
              path,
              message: `is out of the gateway's reach; add to egress.outsideHosts of the gateway: ${address}, with port ${port} among its ports`,
            },
          ];
    }),
  );
}

function frpFaults(frp: Raw): StackFault[] {
  const isMissing = frp.seed === undefined;
  // With a stand-in for a missing seed, the other faults come in the same error.
  const place = (path: YamlPath) => (path[0] === "seed" ? [seedKey] : [key, "frp", ...path]);
  const whole = isMissing ? { ...frp, seed: new Secret() } : frp;
  const found = faultsOf(componentSchemas.frp, whole, place, standardNames.frp);
  return isMissing ? [{ path: [seedKey], message: noSeed(seedKey) }, ...found] : found;
}

/** Outputs of a platform's stack that a team uses. */
export interface PlatformOutputs {
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly egressGateway?: unknown;
  readonly storageProxy?: unknown;
  /** By namespace. */
  readonly teams?: unknown;
  /** Undefined while unknown, and for a platform without people. */
  readonly people?: unknown;
}

/** Stands for unknown outputs, with everything in each that a container can ask for. */
export const unknownOutputs: PlatformOutputs = {
  gateway: {
    name: "unknown",
    namespace: "unknown",
    domain: "unknown.invalid",
    address: "unknown.invalid",
    plainPort: 80,
    tlsPort: 443,
    mutualTls: true,
    idle: {
      namespace: "unknown",
      cullerServiceAccountName: "unknown",
      activatorServiceAccountName: "unknown",
      gpuMetrics: true,
    },
  },
  frp: {
    serverAddr: "unknown.invalid",
    caBundle: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
    address: "unknown.invalid",
    domain: "unknown.invalid",
    authorizer: { namespace: "unknown", serviceAccountName: "unknown" },
  },
  egressGateway: { name: "unknown", namespace: "unknown" },
  storageProxy: { name: "unknown", namespace: "unknown" },
};
