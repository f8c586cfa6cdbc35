/**
 * Decides which of the activator's pods writes slices, by which the gateway finds it: the holder of a Lease. The others follow
 * the cluster and listen too, so that they can take over if the holder stops or is lost.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import type { Kubernetes } from "../../api-server.ts";
import { maybe, record, text, whole, words } from "../../read.ts";
import type { Log } from "../../telemetry.ts";

interface LeadershipOptions {
  readonly api: Kubernetes;
  readonly log: Log;
  /** The Lease, as `namespace/name`. */
  readonly lease: string;
  /** This pod. As holder it owns the Lease, so the Lease is deleted with the last one. */
  readonly pod: { readonly name: string; readonly uid: string };
  /** How long a holder keeps it without renewing it, in seconds. */
  readonly leaseSeconds?: number;
}

const readLease = record({
  metadata: record({ resourceVersion: text("a version") }),
  spec: maybe(record({ holderIdentity: maybe(words), leaseTransitions: maybe(whole(0, 2 ** 31 - 1)) })),
});
type Lease = ReturnType<typeof readLease>;

const tryEveryMs = 1000;

export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #path: string;
  readonly #name: string;
  readonly #forMs: number;
  /** The version that was last seen, and since when by this machine's clock: others' may be wrong. */
  #seen = { version: "", since: 0 };
  #renewedAt = 0;
  #holds = false;
  #problem: string | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    const [namespace = "", name = ""] = options.lease.split("/");
    this.#path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    this.#name = name;
    this.#forMs = (options.leaseSeconds ?? 10) * 1000;
  }

  /**
   * Holds the Lease whenever it can be had, and gives it back at the signal.
   * @param onChange told whether this pod holds it now
   */
  async run(signal: AbortSignal, onChange: (holds: boolean) => void): Promise<void> {
    while (!signal.aborted) {
      const holds = await this.#try();
      if (holds !== this.#holds) {
        this.#holds = holds;
        this.#options.log({ outcome: holds ? "leads" : "leads no more" });
        onChange(holds);
      }
      await sleep(tryEveryMs, undefined, { signal }).catch(() => {});
    }
    if (this.#holds) await this.#giveBack().catch(() => {});
  }

  async #try(): Promise<boolean> {
    try {
      const found = await this.#find();
      if (found !== undefined && !this.#isFree(found)) return false;
      await this.#write(found, this.#options.pod.name);
      this.#renewedAt = performance.now();
      this.#problem = undefined;
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return false;
      const { message: reason } = error as Error;
      if (reason !== this.#problem) this.#options.log({ outcome: "problem", reason });
      this.#problem = reason;
      // Nobody else can have it yet.
      return this.#holds && performance.now() - this.#renewedAt < this.#forMs;
    }
  }

  async #find(): Promise<Lease | undefined> {
    const { api } = this.#options;
    try {
      return readLease(await api.get(`${this.#path}/${this.#name}`), "");
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  #isFree({ metadata: { resourceVersion }, spec }: Lease): boolean {
    const now = performance.now();
    if (this.#seen.version !== resourceVersion) this.#seen = { version: resourceVersion, since: now };
    const holder = spec?.holderIdentity;
    const isOurs = holder === undefined || holder === this.#options.pod.name;
    return isOurs || now - this.#seen.since > this.#forMs;
  }

  async #giveBack(): Promise<void> {
    const found = await this.#find();
    if (found?.spec?.holderIdentity === this.#options.pod.name) await this.#write(found, undefined);
  }

  async #write(found: Lease | undefined, holderIdentity: string | undefined): Promise<void> {
    const { api, pod } = this.#options;
    const isNew = found?.spec?.holderIdentity !== holderIdentity;
    const lease = {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: {
        name: this.#name,
        resourceVersion: found?.metadata.resourceVersion,
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", ...pod }],
      },
      spec: {
        holderIdentity,
        leaseDurationSeconds: Math.ceil(this.#forMs / 1000),
        // Kubernetes' MicroTime, with six decimals.
        renewTime: new Date().toISOString().replace("Z", "000Z"),
        leaseTransitions: (found?.spec?.leaseTransitions ?? 0) + (isNew ? 1 : 0),
      },
    };
    if (found === undefined) await api.send("POST", this.#path, lease);
    else await api.send("PUT", `${this.#path}/${this.#name}`, lease);
  }
}
