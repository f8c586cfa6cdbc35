import { readFileSync } from "node:fs";
import type { Rate } from "../authorizer/buckets.ts";
import { anything, maybe, record } from "../read.ts";
import { defaultLimits, type Limits } from "./limits.ts";

/** What the platform says of one container. */
interface Unit {
  /** Hash of its token, for a container whose grant cannot be looked up, as in another cluster. */
  readonly tokenSha256: string | undefined;
  /** Domains reserved for it, wherever they are below the suffix. */
  readonly domains: readonly string[];
  /** Shut out, whatever its own namespace grants. */
  readonly revoked: boolean;
}

/** The platform's file. */
export interface Units {
  readonly domainSuffix: string;
  /** By `<namespace>/<name>`. */
  readonly units: Readonly<Record<string, Unit>>;
  /** How many connections one address may open. */
  readonly limits: Limits;
}

const file = record({
  domainSuffix: anything,
  units: anything,
  limits: maybe(record({ logins: anything, perClient: anything, perClientAndContainer: anything })),
});

/** Reads the file's text; throws with what is wrong. */
export function parseUnits(json: string): Units {
  const { domainSuffix, units, limits = {} } = file(JSON.parse(json), "the file");
  if (typeof domainSuffix !== "string" || domainSuffix === "") throw new Error("domainSuffix is missing");
  if (typeof units !== "object" || units === null) throw new Error("units is missing");
  return {
    domainSuffix,
    units: Object.fromEntries(Object.entries(units).map(([key, unit]) => [key, parseUnit(key, unit)])),
    limits: parseLimits(limits),
  };
}

/** A limit that is left out is the default one; null is none. */
function parseLimits(given: { readonly [Name in keyof Limits]?: unknown }): Limits {
  const rate = (name: keyof Limits): Rate | undefined => {
    const value = given[name] === undefined ? defaultLimits[name] : given[name];
    return value === null ? undefined : parseRate(name, value);
  };
  return {
    logins: rate("logins"),
    perClient: rate("perClient"),
    perClientAndContainer: rate("perClientAndContainer"),
  };
}

function parseRate(name: string, value: unknown): Rate {
  const { connectionsPerMinute, burst } = (value ?? {}) as Record<string, unknown>;
  if (!isFrom(0, connectionsPerMinute) || !isFrom(1, burst) || connectionsPerMinute === 0) {
    throw new Error(`the limit ${name} is not { connectionsPerMinute, burst }`);
  }
  return { connectionsPerMinute, burst };
}

const isFrom = (least: number, value: unknown): value is number =>
  Number.isFinite(value) && Number(value) >= least;

function parseUnit(key: string, value: unknown): Unit {
  const { tokenSha256, domains = [], revoked = false } = (value ?? {}) as Record<string, unknown>;
  const isValid =
    (tokenSha256 === undefined || typeof tokenSha256 === "string") &&
    Array.isArray(domains) &&
    domains.every((domain) => typeof domain === "string") &&
    typeof revoked === "boolean";
  if (!isValid) throw new Error(`the unit ${key} is not { tokenSha256, domains, revoked }`);
  return { tokenSha256, domains, revoked };
}

/**
 * The units, read anew at most once a second, so that a change needs no restart. A file that became unreadable
 * is reported and the last good one stays in force: a slip of the platform must not cut everybody's sessions.
 */
export function unitsFile(
  path: string,
  report: (problem: string) => void,
  now: () => number = () => performance.now(),
): () => Units {
  // Stryker disable next-line StringLiteral: JSON.parse reads the bytes as UTF-8 too
  let units = parseUnits(readFileSync(path, "utf8"));
  let readAt = now();
  let told = "";
  return () => {
    if (now() - readAt < 1000) return units;
    readAt = now();
    try {
      // Stryker disable next-line StringLiteral: the same
      units = parseUnits(readFileSync(path, "utf8"));
      told = "";
    } catch (error) {
      const problem = `${path}: ${(error as Error).message}; the last good version stays in force`;
      if (problem !== told) report(problem);
      told = problem;
    }
    return units;
  };
}
