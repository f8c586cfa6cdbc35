import { isBinding, peopleOf } from "../binding.ts";
import { at, kindOf, type Rule } from "../finding.ts";
import type { Change } from "../preview.ts";

export const accessWidened: Rule = {
  name: "access-widened",
  protects: "walls: nobody new reaches a gateway or a container unnoticed",
  check: (change) => {
    if (change.op === "create") return change.isOwnerNew ? [] : newRights(change);
    if (change.op !== "update" || change.before === undefined) return [];
    switch (kindOf(change)) {
      case "Service":
        return [...wideRanges(change.name, change.before, change.after), ...madePublic(change)];
      case "NetworkPolicy":
        return addedPeers(change.name, change.before, change.after);
      case "AuthorizationPolicy":
        return newPrincipals(change.name, change.before, change.after);
      case "RoleBinding":
      case "ClusterRoleBinding":
        return added(change.before, change.after, "subjects").map((subject) => gains(change.name, subject));
      default:
        return [];
    }
  },
};

/** People who get rights to something that was there without them. */
function newRights(change: Change): string[] {
  return isBinding(change) ? peopleOf(change.after).map((who) => gains(change.name, who)) : [];
}

function gains(binding: string, subject: unknown): string {
  return `${binding} would give rights to ${String(at(subject, "name"))}`;
}

function list(inputs: unknown, ...path: (string | number)[]): unknown[] {
  const value = at(inputs, ...path);
  return Array.isArray(value) ? value : [];
}

function added(before: unknown, after: unknown, ...path: string[]): unknown[] {
  const known = new Set(list(before, ...path).map((item) => JSON.stringify(item)));
  return list(after, ...path).filter((item) => !known.has(JSON.stringify(item)));
}

function wideRanges(name: string, before: unknown, after: unknown): string[] {
  const path = ["spec", "loadBalancerSourceRanges"] as const;
  if (list(before, ...path).length > 0 && list(after, ...path).length === 0) {
    return [`${name} would accept clients from any network`];
  }
  if (list(before, ...path).length === 0) return [];
  return added(before, after, ...path).map(
    (range) => `${name} would accept clients from ${String(range)} too`,
  );
}

const scopes: Record<string, (value: unknown) => boolean> = {
  "service.beta.kubernetes.io/aws-load-balancer-scheme": (value) => value === "internal",
  "networking.gke.io/load-balancer-type": (value) => value === "Internal",
  "service.beta.kubernetes.io/azure-load-balancer-internal": (value) => value === "true",
};

function madePublic(change: { name: string; before: unknown; after: unknown }): string[] {
  return Object.entries(scopes).flatMap(([annotation, internal]) => {
    const was = internal(at(change.before, "metadata", "annotations", annotation));
    const is = internal(at(change.after, "metadata", "annotations", annotation));
    return was && !is ? [`the LoadBalancer ${change.name} would be reachable from the internet`] : [];
  });
}

interface Admission {
  readonly peer: string;
  readonly port: string;
}

/** Who may reach which port, one of each. A rule without peers lets everybody in, one without ports to all of them. */
function admissions(inputs: unknown): Admission[] {
  return list(inputs, "spec", "ingress").flatMap((rule) => {
    const peers = list(rule, "from").map((peer) => JSON.stringify(peer));
    const ports = list(rule, "ports").map((port) => String(at(port, "port")));
    return (peers.length > 0 ? peers : [anybody]).flatMap((peer) =>
      (ports.length > 0 ? ports : [anyPort]).map((port) => ({ peer, port })),
    );
  });
}

const anybody = "every pod";
const anyPort = "all ports";

function addedPeers(name: string, before: unknown, after: unknown): string[] {
  const known = admissions(before);
  const covered = ({ peer, port }: Admission) =>
    known.some(
      (old) => (old.peer === peer || old.peer === anybody) && (old.port === port || old.port === anyPort),
    );
  return admissions(after)
    .filter((admission) => !covered(admission))
    .map(({ peer, port }) => `${name} would let ${peer} in to ${port === anyPort ? port : `port ${port}`}`);
}

function newPrincipals(name: string, before: unknown, after: unknown): string[] {
  const principals = (inputs: unknown) =>
    list(inputs, "spec", "rules").flatMap((rule) =>
      list(rule, "from").flatMap((from) => list(from, "source", "principals")),
    );
  const known = new Set(principals(before));
  return principals(after)
    .filter((principal) => !known.has(principal))
    .map((principal) => `${name} would let in ${String(principal)}`);
}
