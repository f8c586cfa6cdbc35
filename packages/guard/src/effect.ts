/** Effects of a change on access. */
import { hashOf } from "@drawbridge-iac/drawbridge/src/kit/crypto";

/** Boundaries that a change can cross; docs/guard-rules.md has a section for each. */
export const accessRules = {
  "network-wall": "networks: nobody of another namespace, no private or node network, no wall taken down",
  "cluster-rights":
    "rights in the cluster: none cluster-wide, none by wildcard, none that gives further rights",
  "pod-privileges": "pods: no host namespaces, no privileges, no token of the Kubernetes API",
  "route-wall": "routes: a namespace's names lead to that namespace's Services",
  "gateway-opened": "addresses: no wider ranges, no new public door",
  "certificate-dropped": "client certificates: where one is demanded, it stays demanded",
  "foreign-ca": "who signs: no certificate authority or token issuer that the platform does not know",
  "unnamed-key": "keys: each belongs to a person whom the platform names",
  "session-left-open": "sessions: none outlives the key that opened it, where the platform asks for that",
  "write-credential": "storages: nobody new may write",
  "pod-security-lowered": "namespaces: Pod Security and the platform's marks stay",
  "wall-removed": "admission policies and default walls: none is removed or weakened",
  "volume-borrowed": "data: no claim leads to another namespace's or another claim's volume",
  "provider-changed": "clusters: everything goes where it went before",
  "program-changed": "programs: what starts one stays: Pulumi.yaml, plugins and lock files",
  "secret-taken":
    "secrets: another's key, token or Secret stays theirs, and none stands where it can be read",
  "foreign-change": "components: their objects are what their arguments say",
  "foreign-object": "foreign objects: each has a shape that is known to be harmless",
} as const;

/** What has to be so for a change to be judged. */
export const unjudgedRules = {
  "unknown-value": "a value that decides on access is known at preview",
  "unknown-kind": "the guard knows what an object of this kind gives",
  "unknown-field": "the guard knows what this field gives",
} as const;

export type AccessRule = keyof typeof accessRules;
export type UnjudgedRule = keyof typeof unjudgedRules;

export type Effect =
  /** Everyday work, which is reported. */
  | { readonly effect: "gains" | "loses"; readonly text: string }
  /** Crosses a boundary, and is refused: one of `accessRules`, or a rule about losses (rules.ts). */
  | { readonly effect: "crosses"; readonly rule: string; readonly text: string }
  /** Cannot be judged. */
  | { readonly effect: "unknown"; readonly rule: UnjudgedRule; readonly text: string };

export const gains = (text: string): Effect => ({ effect: "gains", text });
export const loses = (text: string): Effect => ({ effect: "loses", text });
export const crosses = (rule: AccessRule, text: string): Effect => ({ effect: "crosses", rule, text });
export const unknown = (rule: UnjudgedRule, text: string): Effect => ({ effect: "unknown", rule, text });

/** Adds a hash of the new value to a text that does not show it, so that an acceptance is for this value only. */
export const exactly = (text: string, value: unknown) => `${text} (${hashOf(value ?? null)})`;
