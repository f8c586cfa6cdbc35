/** Whose host keys and tokens a preview sets: by what they are derived for, and by what they show of themselves. */
import { publicKeysAnnotation } from "@drawbridge-iac/drawbridge/src/host/sshd/files";
import { isOwnIdentity } from "@drawbridge-iac/drawbridge/src/kit/derivation";
import { hidden } from "./arguments/sets.ts";
import type { Change } from "./change.ts";
import { crosses } from "./effect.ts";
import { componentOf } from "./ours/components.ts";
import type { Found } from "./ours/index.ts";
import { at, hasHidden } from "./values.ts";

/** A component with a host key, before or after the change. */
interface Host {
  readonly change: Change;
  readonly namespace: unknown;
  /** `<namespace>/<name>` */
  readonly own: string;
  /** As it is set. */
  readonly set: unknown;
  /** What its key is derived for. */
  readonly identity: unknown;
}

/** @param hasOld whether the changes say what was there before; to a policy pack they do not */
export function identityEffects(changes: readonly Change[], hasOld = true): Found[] {
  return [...ofIdentities(changes, hasOld), ...ofShownKeys(changes)];
}

function ofIdentities(changes: readonly Change[], hasOld: boolean): Found[] {
  const components = changes.filter(({ isCustom, type }) => !isCustom && componentOf(type) !== undefined);
  const on = (side: "before" | "after") => new Map(components.flatMap((change) => hostOf(change, side)));
  const [before, after] = [on("before"), on("after")];
  return [...after.values()]
    .filter(({ change }) => change.op !== "same")
    .flatMap(({ change, namespace, own, set, identity }) => {
      if (hasHidden(set)) return [{ change, effect: hidden("hostKey.identity") }];
      const had = before.get(change.urn)?.identity === identity;
      const isNews = (one: Host) => !had || before.get(one.change.urn)?.identity !== identity;
      const owner = [...after.values()].find(
        (one) =>
          one.change !== change &&
          one.identity === identity &&
          (set !== undefined || one.set !== undefined) &&
          isNews(one),
      );
      const found = (text: string) => [{ change, effect: crosses("secret-taken", text) }];
      if (owner !== undefined)
        return found(
          set === undefined
            ? `its host key is that of ${owner.change.name}, whose hostKey.identity is ${identity}`
            : `hostKey.identity is ${set}, which is what the host key of ${owner.change.name} is derived for`,
        );
      const isLeft = [...before.values()].some(
        (one) =>
          one.identity === identity &&
          one.namespace === namespace &&
          after.get(one.change.urn)?.identity !== identity,
      );
      if (set === undefined || had || isLeft || !hasOld || isOwnIdentity(String(set), own)) return [];
      return found(
        `hostKey.identity is ${set}, which no host of ${namespace} leaves in this preview, and which is not below ${own}/`,
      );
    });
}

function hostOf(change: Change, side: "before" | "after"): [string, Host][] {
  const args = change[side];
  const hostKey = at(args, "hostKey");
  if (hostKey === undefined) return [];
  const logical = side === "before" ? (change.formerName ?? change.name) : change.name;
  const namespace = at(args, "namespace");
  const own = `${namespace}/${at(args, "name") ?? logical}`;
  const set = typeof hostKey === "string" ? hostKey : at(hostKey, "identity");
  return [[change.urn, { change, namespace, own, set, identity: set ?? own }]];
}

/** Of a key or token that others can recognise it by: a public key, a hash. */
function shownOf(inputs: unknown): string[] {
  const keys = at(inputs, "metadata", "annotations", publicKeysAnnotation);
  const lines = typeof keys === "string" ? keys.split("\n").map((line) => line.split(" ", 2).join(" ")) : [];
  const hash = at(inputs, "data", "tokenSha256");
  return [
    ...lines.filter((line) => /^ssh-\S+ AAAA/.test(line)),
    ...(typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash) ? [hash] : []),
  ];
}

function ofShownKeys(changes: readonly Change[]): Found[] {
  const objects = changes.flatMap((change) => {
    const [was, is] = [shownOf(change.before), shownOf(change.after)];
    // Clients may still believe in the key that a host has had.
    return change.after === undefined ? [] : [{ change, was, is, all: new Set([...was, ...is]) }];
  });
  const owners = Map.groupBy(
    objects.flatMap((one) => [...one.all].map((shown) => ({ shown, one }))),
    ({ shown }) => shown,
  );
  return objects
    .filter(({ change }) => change.op !== "same")
    .flatMap(({ change, was, is }) =>
      is
        .filter((shown) => !was.includes(shown))
        .flatMap((shown) => {
          const other = owners.get(shown)?.find(({ one }) => one.change.urn !== change.urn)?.one.change;
          if (other === undefined) return [];
          const what = shown.startsWith("ssh-") ? "host key" : "frp token";
          const text = `its ${what} is that of ${other.component?.name ?? other.name}`;
          return [{ change, effect: crosses("secret-taken", text) }];
        }),
    );
}
