/** Tunnels that are open, each by a lease, so that one can be ended when its container's hosts change. */
import { randomUUID } from "node:crypto";
import { allowsHost, type EgressGrant } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { type Identity, keyOf } from "../api-server.ts";
import type { CachedGrants } from "../authorizer/grants.ts";
import { freshForMs } from "../authorizer/grants.ts";
import type { Metrics } from "../telemetry.ts";
import type { Allowed, Refused } from "./decide.ts";

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
  readonly #most: number;
  /** How many each container has, those that are about to open among them. */
  readonly #counts = new Map<string, number>();
  readonly #full = new Set<string>();

  /** @param most how many tunnels one container may have */
  constructor(findGrant: CachedGrants<EgressGrant>, watch: Watch, metrics: Metrics, most: number) {
    this.#findGrant = findGrant;
    this.#watch = watch;
    this.#metrics = metrics;
    this.#most = most;
    metrics.count("drawbridge_egress_without_lease_total", {}, 0);
    metrics.count("drawbridge_egress_over_limit_total", {}, 0);
    metrics.set("drawbridge_egress_tunnels", {}, 0);
  }

  /** What is allowed, with a name for the tunnel that is about to open; or why it may not. */
  promise(of: Allowed): (Allowed & { readonly id: string }) | Refused {
    const container = keyOf(of.identity);
    const count = this.#counts.get(container) ?? 0;
    if (count >= this.#most) {
      this.#metrics.count("drawbridge_egress_over_limit_total", {});
      const isStill = this.#full.has(container);
      this.#full.add(container);
      const reason = `${container} has ${count} connections open, as many as it may; close some, or ask your platform team for more (tunnelsPerContainer of the egress gateway)`;
      return { status: 429, reason, identity: of.identity, isStill };
    }
    this.#counts.set(container, count + 1);
    const id = randomUUID();
    this.#waiting.set(id, { of });
    setTimeout(() => {
      if (!this.#waiting.delete(id)) return;
      this.#metrics.count("drawbridge_egress_without_lease_total", {});
      this.#ended(container);
    }, attachWithinMs).unref();
    return { ...of, id };
  }

  #ended(container: string): void {
    const count = (this.#counts.get(container) ?? 0) - 1;
    if (count > 0) this.#counts.set(container, count);
    else this.#counts.delete(container);
    this.#full.delete(container);
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
      this.#ended(keyOf(owner.identity));
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
