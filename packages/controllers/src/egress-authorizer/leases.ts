/** Tunnels that are open, each by a lease, so that one can be ended when its container's hosts change. */
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
  readonly end: () => void;
}

interface Owner {
  readonly identity: Identity;
  readonly leases: Set<Lease>;
  readonly watch: AbortController;
  /** Whether it was told that it has too many, and none has ended since. */
  isFull: boolean;
  /** What ends the watch, while there is no tunnel. */
  idle?: NodeJS.Timeout;
}

/** How long a container is watched after its last tunnel: one that opens them in a row needs no watch for each. */
const watchedForMs = 30_000;

const lost = "drawbridge_egress_without_lease_total";
const over = "drawbridge_egress_over_limit_total";
const tunnels = "drawbridge_egress_tunnels";

export class Leases {
  readonly #owners = new Map<string, Owner>();
  readonly #findGrant: CachedGrants<EgressGrant>;
  readonly #watch: Watch;
  readonly #metrics: Metrics;
  readonly #most: number;

  /** @param most how many tunnels one container may have */
  constructor(findGrant: CachedGrants<EgressGrant>, watch: Watch, metrics: Metrics, most: number) {
    this.#findGrant = findGrant;
    this.#watch = watch;
    this.#metrics = metrics;
    this.#most = most;
    for (const name of [lost, over]) metrics.count(name, {}, 0);
    metrics.set(tunnels, {}, 0);
  }

  /**
   * A tunnel that is about to open.
   * @param end called when it is no longer allowed
   * @returns what to call when it has ended; or why it may not open
   */
  open(of: Allowed, end: () => void): (() => void) | Refused {
    const owner = this.#ownerOf(of.identity);
    const count = owner.leases.size;
    if (count >= this.#most) {
      this.#metrics.count(over, {});
      const isStill = owner.isFull;
      owner.isFull = true;
      const reason = `${keyOf(of.identity)} has ${count} connections open, as many as it may; close some, or ask your platform team for more (tunnelsPerContainer of the egress gateway)`;
      return { status: 429, reason, identity: of.identity, isStill };
    }
    const lease = { of, end };
    clearTimeout(owner.idle);
    owner.leases.add(lease);
    this.#metrics.count(tunnels, {});
    return () => {
      if (!owner.leases.delete(lease)) return;
      owner.isFull = false;
      this.#metrics.count(tunnels, {}, -1);
      if (owner.leases.size > 0) return;
      owner.idle = setTimeout(() => {
        owner.watch.abort();
        this.#owners.delete(keyOf(owner.identity));
      }, watchedForMs).unref();
    };
  }

  /** Tunnels that an authorizer before this one has let through, and that may go on. */
  lost(count: number): void {
    this.#metrics.count(lost, {}, count);
  }

  get count(): number {
    return [...this.#owners.values()].reduce((sum, { leases }) => sum + leases.size, 0);
  }

  #ownerOf(identity: Identity): Owner {
    const known = this.#owners.get(keyOf(identity));
    if (known !== undefined) return known;
    const owner: Owner = { identity, leases: new Set(), watch: new AbortController(), isFull: false };
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
      if (!stays) end();
    }
  }
}
