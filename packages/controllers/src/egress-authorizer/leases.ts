/** Tunnels that are open, each by a lease, so that one can be ended when its container's hosts change. */
import { randomUUID } from "node:crypto";
import { allowsHost, type EgressGrant } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { type Identity, keyOf } from "../api-server.ts";
import type { CachedGrants } from "../authorizer/grants.ts";
import { freshForMs } from "../authorizer/grants.ts";
import type { Metrics } from "../telemetry.ts";
import type { Allowed } from "./decide.ts";

/** Rings at each change of a container's grant, and once at first; until the signal. */
export type Watch = (identity: Identity, ring: () => void, signal: AbortSignal) => void;

interface Lease {
  readonly of: Allowed;
  end?: () => void;
}

interface Owner {
  readonly identity: Identity;
  readonly leases: Set<Lease>;
  readonly watch: AbortController;
}

/** How long Envoy may take from a decision to the tunnel's lease. */
const attachWithinMs = 10_000;

export class Leases {
  readonly #waiting = new Map<string, Lease>();
  readonly #owners = new Map<string, Owner>();
  readonly #findGrant: CachedGrants<EgressGrant>;
  readonly #watch: Watch;
  readonly #metrics: Metrics;

  constructor(findGrant: CachedGrants<EgressGrant>, watch: Watch, metrics: Metrics) {
    this.#findGrant = findGrant;
    this.#watch = watch;
    this.#metrics = metrics;
    metrics.count("drawbridge_egress_without_lease_total", {}, 0);
    metrics.set("drawbridge_egress_tunnels", {}, 0);
  }

  /** A name for the tunnel that is about to open. */
  promise(of: Allowed): string {
    const id = randomUUID();
    this.#waiting.set(id, { of });
    setTimeout(() => {
      if (this.#waiting.delete(id)) this.#metrics.count("drawbridge_egress_without_lease_total", {});
    }, attachWithinMs).unref();
    return id;
  }

  /**
   * The tunnel of this name is open.
   * @returns what to do when it has ended; undefined for a name that nobody promised
   */
  attach(id: string, end: () => void): (() => void) | undefined {
    const lease = this.#waiting.get(id);
    if (lease === undefined) return undefined;
    this.#waiting.delete(id);
    lease.end = end;
    const owner = this.#ownerOf(lease.of.identity);
    owner.leases.add(lease);
    this.#metrics.count("drawbridge_egress_tunnels", {});
    return () => {
      if (!owner.leases.delete(lease)) return;
      this.#metrics.count("drawbridge_egress_tunnels", {}, -1);
      if (owner.leases.size > 0) return;
      owner.watch.abort();
      this.#owners.delete(keyOf(owner.identity));
    };
  }

  #ownerOf(identity: Identity): Owner {
    const known = this.#owners.get(keyOf(identity));
    if (known !== undefined) return known;
    const owner = { identity, leases: new Set<Lease>(), watch: new AbortController() };
    this.#owners.set(keyOf(identity), owner);
    const ring = () => {
      void this.#recheck(owner);
      // A decision that was under way may still have known the grant of before.
      setTimeout(() => void this.#recheck(owner), freshForMs + 500).unref();
    };
    this.#watch(identity, ring, owner.watch.signal);
    return owner;
  }

  async #recheck(owner: Owner): Promise<void> {
    this.#findGrant.expire(owner.identity);
    let grant: EgressGrant | undefined;
    try {
      grant = await this.#findGrant(owner.identity);
    } catch {
      // While nobody can be asked, what is open stays.
      return;
    }
    for (const { of, end } of owner.leases) {
      const { target, tokenSha256 } = of;
      const stays = grant?.tokenSha256 === tokenSha256 && allowsHost(grant.hosts, target.host, target.port);
      if (!stays) end?.();
    }
  }
}
