import * as pulumi from "@pulumi/pulumi";
import { type Fault, faultsOf, type Reading } from "./fault.ts";
import { isMap, type Raw } from "./merge.ts";
import { componentSchemas, type PlatformConfig, platformSchema } from "./schema.ts";
import { markSecrets } from "./secret-fields.ts";

/** A platform stack's file. */
export interface PlatformStack extends PlatformConfig {
  readonly kind: "platform";
}

const key = "drawbridge:platform";

export function readPlatform(raw: unknown): Reading<PlatformStack> {
  const faults = faultsOf(platformSchema, raw, (path) => [key, ...path]);
  const given = isMap(raw) ? raw : {};
  const frp = isMap(given.frp) ? withSeed(given.frp) : undefined;
  if (frp !== undefined) faults.push(...frpFaults(frp));
  const teams = platformSchema.shape.teams.safeParse(given.teams).data ?? {};
  const stack = {
    ...given,
    teams,
    ...(frp === undefined ? {} : { frp: markSecrets(frp) }),
    kind: "platform",
  };
  return { stack: stack as PlatformStack, faults };
}

function withSeed(frp: Raw): Raw {
  const seed = pulumi.runtime.getConfig("drawbridge:frpSeed");
  return seed === undefined ? frp : { seed, ...frp };
}

function frpFaults(frp: Raw): Fault[] {
  if (frp.seed === undefined) {
    const message =
      'is missing; set it once: pulumi config set --secret drawbridge:frpSeed "$(openssl rand -base64 32)"';
    const rest = faultsOf(componentSchemas.frp, { ...frp, seed: "x".repeat(32) }, below);
    return [{ path: ["drawbridge:frpSeed"], message }, ...rest];
  }
  return faultsOf(componentSchemas.frp, frp, (path) =>
    path[0] === "seed" ? ["drawbridge:frpSeed"] : below(path),
  );
}

function below(path: readonly (string | number)[]) {
  return [key, "frp", ...path];
}
