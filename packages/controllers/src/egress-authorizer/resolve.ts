/** Names to addresses, by DNS alone: neither a file nor a search list adds names. */
import { Resolver } from "node:dns/promises";
import { remember } from "../fairness.ts";

/** Every address of a name, for a container; none if it has none. Throws if nobody answers. */
export type ResolveHost = (host: string, container: string) => Promise<readonly string[]>;

/** So that a page's twenty connections are one question. */
const keptForMs = 2_000;

/** The most names of one container that DNS is asked for at once: many that nobody answers must not fill it for others. */
export const mostAtOnce = 100;

/**
 * c-ares waits five times as long as answers took lately, 250 ms at least, and at each further try for twice as long. So a
 * name server that is slow for a moment needs some tries; together they end before Envoy's patience does (8 s).
 */
const patience = { timeout: 400, tries: 5, maxTimeout: 1_500 };

const none = new Set(["ENODATA", "ENOTFOUND"]);
/** Nobody knows whether there are addresses of that kind, and which. */
const unsure = new Set(["ETIMEOUT", "ESERVFAIL"]);

/** @param servers those of the pod if there are none */
export function dnsResolver(servers: readonly string[], now = () => performance.now()): ResolveHost {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  const known = new Map<string, { readonly at: number; readonly addresses: Promise<readonly string[]> }>();
  const underWay = new Map<string, number>();
  const asked = (container: string, by: number) => {
    const count = (underWay.get(container) ?? 0) + by;
    if (count === 0) underWay.delete(container);
    else underWay.set(container, count);
  };
  return async (host, container) => {
    const entry = known.get(host);
    if (entry !== undefined && now() - entry.at < keptForMs) return entry.addresses;
    if ((underWay.get(container) ?? 0) >= mostAtOnce) throw new Error(`${container} asks for too many names`);
    asked(container, 1);
    const addresses = ask(resolver, host).finally(() => asked(container, -1));
    remember(known, host, { at: now(), addresses });
    return addresses;
  };
}

async function ask(resolver: Resolver, host: string): Promise<readonly string[]> {
  // With the last dot, so that no search list is tried.
  const answers = await Promise.allSettled([resolver.resolve4(`${host}.`), resolver.resolve6(`${host}.`)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  for (const answer of answers) {
    if (answer.status === "fulfilled" || none.has(answer.reason?.code)) continue;
    // A name server that does not do one kind has said all that there is; one that is silent may hide a private address.
    if (addresses.length === 0 || unsure.has(answer.reason?.code)) throw answer.reason;
  }
  return addresses;
}
