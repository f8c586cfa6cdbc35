/** Every secret of frp, derived from a seed of the stack: stable, known at preview, nothing to store. */
import { derive } from "../kit/derivation.ts";

/** The password of frps's dashboard and metrics. */
export function deriveMetricsPassword(seed: string, server: string): string {
  return derive(seed, "frp-metrics", server).toString("base64url");
}

/** The 32 secret bytes of an ed25519 key of frps's certificates. */
export function deriveCertificateKey(seed: string, server: string, role: "ca" | "server"): Buffer {
  return derive(seed, "frp-certificate", `${role}/${server}`);
}
