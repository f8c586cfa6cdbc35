/** Annotations by which external-dns gives names away. */
import type { ApiObject } from "./api-user.ts";

export const noNames = /annotations external-dns\.… are not for a team's namespace/;

/** A name of the gateway's domain, asked for in each way that external-dns reads. */
export const takesNames = {
  "for the internet": "external-dns.alpha.kubernetes.io/hostname",
  "inside the cluster's network": "external-dns.alpha.kubernetes.io/internal-hostname",
} as const;

export function annotated(object: ApiObject, key: string): ApiObject {
  return { ...object, metadata: { ...object.metadata, annotations: { [key]: "ssh.dev.example.com" } } };
}

/** An annotation that nobody obeys. */
export const ownAnnotation = "example.com/external-dns";
