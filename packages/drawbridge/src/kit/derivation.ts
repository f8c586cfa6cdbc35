/** Secrets derived from one seed of a stack: stable, known at preview, nothing to store. */
import { hkdfSync } from "node:crypto";

/** @param purpose what it is for, with the identity that it belongs to: `frp-token/v1/team-a/dev1` */
export const derive = (seed: string, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", seed, "drawbridge", purpose, bytes));
