/** Secrets derived from one seed of a stack: stable, known at preview, nothing to store. */
import { hkdfSync } from "node:crypto";

/** What a secret is for; the same identity has another one for each. */
export type Purpose = "host-key" | "frp-token" | "egress-token" | "frp-metrics" | "frp-certificate" | "mark";

/** @param identity what it belongs to: `team-a/dev1`. Who may choose it may have the secret. */
export const derive = (seed: string, purpose: Purpose, identity: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", seed, "drawbridge", `${purpose}/v1/${identity}`, bytes));

/** Whether an identity is nobody's but this owner's: its own name, or what begins with it and a slash. */
export const isOwnIdentity = (identity: string, owner: string): boolean =>
  `${identity}/`.startsWith(`${owner}/`);
