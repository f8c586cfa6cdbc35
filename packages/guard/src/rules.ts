/** What a change would do to data, host keys, sessions and addresses: a rule for each loss. */

import { publicKeysAnnotation } from "@drawbridge-iac/drawbridge/src/host/sshd/files";
import { quantityValue } from "@drawbridge-iac/drawbridge/src/kubernetes/quantity";
import { belongsTo, type Change, ends, isReplaced, kindOf } from "./change.ts";
import { holdingSessions } from "./ours/components.ts";
import { joined } from "./report-text.ts";
import { at, isEqual, listAt } from "./values.ts";
import { inTeams, ofPlatform } from "./whose.ts";

/** One rule: one test, one name under which its findings can be accepted. */
export interface Rule {
  readonly name: string;
  /** What the rule protects, for `--help` and the docs. */
  readonly protects: string;
  /** @param changes the whole preview, for rules that compare several objects */
  readonly check: (change: Change, changes?: readonly Change[]) => readonly string[];
}

const isClaim = (change: Change) => kindOf(change) === "PersistentVolumeClaim";

/** A Sandbox takes the claims of its templates along when it goes. */
const hasClaims = (change: Change) =>
  kindOf(change) === "Sandbox" && listAt(change.before, "spec", "volumeClaimTemplates").length > 0;

/** The part of its component that a claim is: `home`, `persist` or `claim`. */
const suffixOf = ({ name, component }: Change) => name.slice((component?.name.length ?? 0) + 1);

const namespaceOf = (inputs: unknown) => at(inputs, "metadata", "namespace");

const claimArguments: Readonly<Record<string, string>> = {
  home: "home.claimName",
  persist: "persist.claimName",
  claim: "claimName",
};

/** How the renamed component keeps what it had. */
function howToKeep(change: Change): string {
  const claim = `give it ${claimArguments[suffixOf(change)]}: ${JSON.stringify(at(change.before, "metadata", "name"))}`;
  if (suffixOf(change) !== "home") return claim;
  const identity = `${String(namespaceOf(change.before))}/${change.component?.name}`;
  return `${claim} and hostKey.identity: ${JSON.stringify(identity)}`;
}

const sizeOf = (inputs: unknown) => String(at(inputs, "spec", "resources", "requests", "storage"));

/**
 * Whether clients would meet a key that they were not told of. A preview hides the private key, so the annotation with
 * the public ones tells; the current one is its first.
 */
function isHostKeyChanged(change: Change): boolean {
  const [current, next] = publicKeys(change.before);
  const [coming] = publicKeys(change.after);
  if (current === undefined || coming === undefined) {
    // A container of an earlier version, or a key that is not known yet: a changed Secret may be a changed key.
    return change.differing.some((path) => /^(data|stringData)\b/.test(path));
  }
  // Clients were told of the next key, so that they know it when it becomes the current one.
  return coming !== current && coming !== next;
}

function publicKeys(inputs: unknown): string[] {
  const text = at(inputs, "metadata", "annotations", publicKeysAnnotation);
  return typeof text === "string" ? text.split("\n") : [];
}

// Each of these is part of a listener of the proxy; a change drains it and ends its sessions.
const listenerKinds = /^(EnvoyFilter|Gateway|AuthorizationPolicy|RequestAuthentication|Telemetry)$/;

/** Whether the change is one of an existing part of a gateway's listeners. Labels and annotations do not reach the proxy. */
export function changesListener(change: Change): boolean {
  if (!belongsTo(change, ...holdingSessions) || !listenerKinds.test(kindOf(change))) return false;
  return (
    ends(change) || (change.op === "update" && !isEqual(at(change.before, "spec"), at(change.after, "spec")))
  );
}

/** Every rule, in the order in which a report lists them. */
export const rules: readonly Rule[] = [
  /** A claim that is replaced, or deleted without being retained, takes people's data with it. */
  {
    name: "volume-lost",
    protects: "homes and storages: a claim is never replaced, and never deleted with its data",
    check: (change) => {
      if (kindOf(change) === "Namespace" && isReplaced(change) && !belongsTo(change, ...ofPlatform))
        return [`the namespace ${change.name} would be replaced, and every volume in it deleted`];
      const what = isClaim(change) ? "the volume" : hasClaims(change) ? "each volume of" : undefined;
      if (what === undefined || !ends(change)) return [];
      if (isReplaced(change)) return [`${what} ${change.name} would be replaced by an empty one`];
      return change.retained ? [] : [`${what} ${change.name} would be deleted with its data`];
    },
  },
  /**
   * A component with another name is a new component and gets a new claim, while the old claim is kept and unused. A
   * removal with such a creation beside it looks like a renaming; a removal alone does not.
   */
  {
    name: "volume-left-behind",
    protects: "data: who is renamed keeps home and storage",
    check: (change, changes = []) => {
      if (!isClaim(change) || change.op !== "delete" || !change.retained) return [];
      const old = change.component;
      const made = changes
        .filter((one) => isClaim(one) && one.op === "create" && suffixOf(one) === suffixOf(change))
        .filter(({ component }) => component?.type === old?.type && component?.name !== old?.name)
        .filter((one) => namespaceOf(one.after) === namespaceOf(change.before));
      if (made.length === 0) return [];
      const all = (names: readonly string[]) => joined(names, names.length);
      const begin = `${all(made.map(({ name }) => name))} ${made.length === 1 ? "begins" : "begin"} empty`;
      const called = `${made.length === 1 ? "" : "one of "}${all(made.map(({ component }) => component?.name ?? ""))}`;
      return [
        `the volume ${change.name} would stay behind unused while ${begin}; if ${old?.name} is called ${called} now, ${howToKeep(change)}`,
      ];
    },
  },
  /** Kubernetes refuses it, but only in the middle of the update. */
  {
    name: "volume-shrunk",
    protects: "updates: none stops half-way because a claim may only grow",
    check: (change) => {
      if (!isClaim(change) || change.op !== "update") return [];
      const [before, after] = [sizeOf(change.before), sizeOf(change.after)];
      const [was, is] = [quantityValue(before), quantityValue(after)];
      if (was === undefined || is === undefined || is >= was) return [];
      return [
        `the volume ${change.name} would shrink from ${before} to ${after}, which Kubernetes refuses; keep ${before}`,
      ];
    },
  },
  /** Everybody's known_hosts would refuse the container. */
  {
    name: "host-key-lost",
    protects: "host keys: people's known_hosts stay true",
    check: (change) => {
      const isHostKey = kindOf(change) === "Secret" && change.name.endsWith("-host-key");
      if (!isHostKey || !belongsTo(change, ...inTeams)) return [];
      const container = change.component?.name;
      // A plain delete is the removal of the container itself; the same seed gives the same key again.
      if (change.op === "delete") return [];
      if (ends(change))
        return [
          `the host key of ${container} would be replaced; if only its next key changes, set kubernetes:enableSecretMutable to true (an explicit Provider: its argument of this name)`,
        ];
      if (change.op !== "update" || !isHostKeyChanged(change)) return [];
      return [`the host key of ${container} would change`];
    },
  },
  /** Envoy drains a changed listener, and a session is one long connection. */
  {
    name: "ssh-listener-changed",
    protects: "open SSH sessions: a changed listener ends them all when its drain time is over",
    check: (change) => {
      if (!changesListener(change)) return [];
      return [
        `${kindOf(change)} ${change.name} of gateway ${change.component?.name} would change, which ends every open session on it after the drain time`,
      ];
    },
  },
  /** Clouds give a new LoadBalancer a new address. */
  {
    name: "load-balancer-replaced",
    protects: "addresses: clients keep the address they have",
    check: (change) => {
      const isBalancer = kindOf(change) === "Service" && at(change.before, "spec", "type") === "LoadBalancer";
      if (!isBalancer) return [];
      if (ends(change))
        return [`the LoadBalancer ${change.name} would be replaced or deleted, and with it its address`];
      const type = at(change.after, "spec", "type");
      return change.op === "update" && type !== "LoadBalancer"
        ? [`the Service ${change.name} would stop being a LoadBalancer and lose its address`]
        : [];
    },
  },
];

/** A namespace that goes takes claims along, also those that Pulumi keeps. */
const goes = (change: Change) =>
  kindOf(change) === "Namespace" && ends(change) && (isReplaced(change) || !change.retained);

const ownerOf = ({ component }: Pick<Change, "component">) => `${component?.type} ${component?.name}`;

/** Whether what a change belongs to loses a volume or its host key, so that no report calls it kept. */
export function losing(changes: readonly Change[]): (change: Pick<Change, "component">) => boolean {
  const gone = new Set(changes.filter(goes).map(({ before }) => at(before, "metadata", "name")));
  const told = rules.filter(({ name }) => name === "volume-lost" || name === "host-key-lost");
  const owners = new Set(
    changes
      .filter(
        (one) =>
          (isClaim(one) && gone.has(namespaceOf(one.before))) ||
          told.some(({ check }) => check(one, changes).length > 0),
      )
      .map(ownerOf),
  );
  return (change) => owners.has(ownerOf(change));
}
