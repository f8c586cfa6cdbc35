/**
 * What the preview guard makes of an edit of an argument, as plain data in the argument's row (`guard:`). It holds for
 * what is below the argument too, unless that says otherwise. The guard has a function for each judge
 * (`packages/guard/src/arguments/judges.ts`).
 */

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

export type AccessRule = keyof typeof accessRules;

/** Who judges an edit for which its value alone is not enough. `elsewhere`: in the whole of a preview. */
export type Judge =
  | "account"
  | "accounts"
  | "annotations"
  | "authorities"
  | "claim-patch"
  | "client-ca"
  | "connection-limits"
  | "credentials"
  | "elsewhere"
  | "frps"
  | "hosts"
  | "identities"
  | "keys"
  | "limits"
  | "login-name"
  | "members"
  | "networks"
  | "patch"
  | "peers"
  | "plain-listener"
  | "pod-parts"
  | "pod-patch"
  | "preparation"
  | "preset"
  | "principals"
  | "root-accounts"
  | "sleep"
  | "subjects"
  | "tokens"
  | "volumes";

/** How networks are compared. */
export interface Networks {
  /** Ports of a network that names none; every port without. */
  readonly ports?: readonly number[];
  /** Whether the internet may be reached anyway. */
  readonly isPublicFine?: true;
  /** Whether the networks are those that may not be reached. */
  readonly isDenied?: true;
  /** Whether none means all. */
  readonly isEmptyAll?: true;
}

/** A boundary that an edit may cross. */
export interface Wall extends Networks {
  readonly rule: AccessRule;
  /** The one value that crosses it. */
  readonly when?: unknown;
  /** The one value that does not; without either, every new value crosses. */
  readonly unless?: unknown;
  /** Whether a new component or group may have any value, so that only a later edit crosses. */
  readonly isLater?: true;
  /** Whether it only names another part, which has a default. */
  readonly isName?: true;
  /** Judges the edit by itself, without the four above. */
  readonly judge?: Judge;
  /** Whether a new component takes what has this name, which is news. */
  readonly takes?: true;
}

/** An argument that protects something: everyday work, unless it is left out. */
export interface LeftOut {
  readonly rule: AccessRule;
  /** What is open then. */
  readonly opens: string;
}

/** `daily`: it opens or closes something within the boundaries, which is reported. */
export type Guard = "daily" | "taking" | Wall | LeftOut;

export const crossing = (rule: AccessRule, more: Pick<Wall, "when" | "unless" | "isLater"> = {}): Wall => ({
  rule,
  ...more,
});

/** Another part of the platform in the place of the one that was there. */
export const another = (rule: AccessRule): Wall => ({ rule, isLater: true, isName: true });

export const judgedBy = (judge: Judge, rule: AccessRule): Wall => ({ judge, rule });

export const networks = (rule: AccessRule, more: Networks = {}): Wall => ({
  judge: "networks",
  rule,
  ...more,
});

export const leftOut = (rule: AccessRule, opens: string): LeftOut => ({ rule, opens });

/** Everyday work; but a new component takes what has this name, which is news. */
export const taking = "taking";
