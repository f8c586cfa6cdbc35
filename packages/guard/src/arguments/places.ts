/** Judges of arguments that lead somewhere else, or take more of what all share: servers, accounts, namespaces, limits, Jobs. */
import { clientLimitsSchema } from "@drawbridge-iac/drawbridge/src/host/ways/client-limits";
import { defaultEtcdSize, defaultQuota } from "@drawbridge-iac/drawbridge/src/istio/team-limits";
import type { Descriptor } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import { quantityValue } from "@drawbridge-iac/drawbridge/src/kubernetes/quantity";
import { belongsTo } from "../change.ts";
import { crosses, type Effect, exactly, gains, loses } from "../effect.ts";
import type { ObjectPair } from "../objects.ts";
import { classesIn, componentOf } from "../ours/components.ts";
import { at, hasHidden, mapAt } from "../values.ts";
import { ofPlatform, type Whose } from "../whose.ts";
import type { Judging } from "./judging.ts";
import { hidden, textOf } from "./sets.ts";

const inCluster = /\.svc(\.cluster\.local)?$/;

/** The frps that a host registers with: one in the cluster, or one to which others of the stack lead already. */
export function frps({ path, is, before, pairs }: Judging): Effect[] {
  // The serverAddr of an frps that is made in the same preview is known.
  if (hasHidden(is)) return [hidden(path)];
  if (is === undefined) return [];
  const place = ["access", "frp", path.includes(".external.") ? "external" : "server", "serverAddr"];
  const isKnown =
    pairs.some((pair) => at(pair.before, ...place) === is) ||
    (at(before, ...place) === undefined && inCluster.test(String(is)));
  const text = `${path}: ssh connections come from the frps at ${textOf(is)}`;
  if (!isKnown) return [crosses("route-wall", text)];
  return before === undefined ? [] : [gains(text)];
}

const lookedInto = (namespace: unknown) =>
  `namespace: its people look into ${textOf(namespace)}, and into its pods where they may`;

/** People of a namespace get into all of its pods. */
export function membersOf({ path, is, before }: Judging): Effect[] {
  if (before === undefined) return [];
  return [hasHidden(is) ? hidden(path) : crosses("cluster-rights", lookedInto(is))];
}

/** The namespaces of a stack's objects. */
export interface Namespaces {
  /** Whether the stack had no objects before. */
  readonly isFirst: boolean;
  readonly had: ReadonlySet<unknown>;
  /** The same without those in which it has only what is for another stack's team: the namespace with its walls. */
  readonly worked: ReadonlySet<unknown>;
  /** Those that the preview makes for a team. */
  readonly made: ReadonlySet<unknown>;
  /** Those with a team, or with what is a team's. */
  readonly teams: ReadonlySet<unknown>;
  readonly whose: Whose;
}

/** Whether it shows that a namespace is a team's. */
const isTeams = (component: Pick<Descriptor, "place" | "isWay"> | undefined) =>
  component !== undefined && ["team", "inside"].includes(component.place) && component.isWay !== true;

export function namespacesOf(pairs: readonly ObjectPair[], whose: Whose): Namespaces {
  const objects = pairs.filter(({ isCustom, groupKind }) => isCustom && groupKind !== undefined);
  const isFirst = objects.every(({ before }) => before === undefined);
  const own = objects.filter(({ groupKind }) => groupKind === "core/Namespace");
  const isMade = (pair: ObjectPair) =>
    pair.after &&
    !pair.isImported &&
    (belongsTo(pair, ...classesIn("team")) || (!pair.before && !belongsTo(pair, ...ofPlatform)));
  const placesOf = (some: readonly ObjectPair[]) =>
    some
      .filter(({ before }) => before !== undefined)
      .map(({ groupKind, name, namespace }) => (groupKind === "core/Namespace" ? name : namespace));
  const teams = pairs.flatMap((pair) => {
    const args = isFirst ? pair.after : pair.before;
    return isTeams(componentOf(pair.type)) && args !== undefined ? [args.namespace ?? pair.name] : [];
  });
  return {
    isFirst,
    had: new Set(placesOf(objects)),
    worked: new Set(placesOf(objects.filter((one) => !belongsTo(one, ...classesIn("team", "platform"))))),
    made: new Set(own.filter(isMade).map(({ name }) => name)),
    teams: new Set(teams),
    whose,
  };
}

/** Where a new component comes: in a namespace of others it is among their pods, claims and Secrets. */
export function places(
  { place, isWay }: Pick<Descriptor, "place" | "isWay">,
  { name, after }: Pick<Judging, "name" | "after">,
  { isFirst, had, worked, made, teams, whose }: Namespaces,
): Effect[] {
  const namespace = after.namespace ?? (place === "team" ? name : undefined);
  if (namespace === undefined) return [];
  // That of a team that is made in the same preview is known.
  if (hasHidden(namespace)) return [hidden("namespace")];
  const isMembers = place === "team" && isWay === true;
  // Members need a team, or what is a team's.
  const known = isMembers ? teams : place === "platform" ? had : worked;
  // The platform makes the namespace of another stack's team, and may say who its people are.
  const isForOthers = isMembers || (place === "team" && made.has(namespace));
  const isOthers = !isForOthers && whose.isOthers(namespace);
  const isThere = (known.has(namespace) || made.has(namespace)) && !isOthers;
  if (isThere) return [];
  const nothing = had.has(namespace) ? "nothing but walls" : "nothing";
  const text = isMembers ? lookedInto(namespace) : `namespace: ${namespace}, where this stack had ${nothing}`;
  const isFine = (isFirst && !isMembers && !isOthers) || whose.isOwn(String(namespace));
  return [isFine ? gains(text) : crosses("cluster-rights", text)];
}

/** What a team has where its arguments say nothing, by name; a limit alone has none. */
const standardLimits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  quota: defaultQuota,
  etcdSize: { "": defaultEtcdSize },
};

/** Limits of a team that are raised, or taken away. */
export function limits({ path, was, is, before }: Judging): Effect[] {
  if (before === undefined) return [];
  if (hasHidden(is)) return [hidden(path)];
  const [old, now] = [was, is].map((one) => ({
    ...standardLimits[path],
    ...(typeof one === "string" ? { "": one } : mapAt(one)),
  }));
  return Object.entries(old ?? {}).flatMap(([name, limit]) => {
    const next = now?.[name];
    if (next === limit) return [];
    const text = `${[path, name].filter(Boolean).join(".")}: ${textOf(limit)} → ${textOf(next)}`;
    const [most, more] = [limit, next].map((one) => quantityValue(String(one)));
    const isLower = most !== undefined && more !== undefined && more <= most;
    return [isLower ? loses(text) : crosses("wall-removed", text)];
  });
}

/** How many tunnels one client opens: what is left out has its default. */
export function connectionLimits({ path, was, is, before }: Judging): Effect[] {
  if (before === undefined) return [];
  if (hasHidden(is)) return [hidden(path)];
  const [old, now] = [was, is].map((given) =>
    figures(typeof given === "number" ? given : (given ?? {}), path),
  );
  return Object.entries(now ?? {}).flatMap(([name, figure]) => {
    const had = old?.[name] ?? 0;
    if (had === figure) return [];
    const text = `${name}: ${had} → ${figure}`;
    return [figure > had ? crosses("wall-removed", text) : loses(text)];
  });
}

function figures(given: unknown, path: string): Record<string, number> {
  if (typeof given === "number") return { [path]: given };
  const inner = path
    .split(".")
    .slice(1)
    .reduceRight<unknown>((value, key) => ({ [key]: value }), given);
  const parsed = clientLimitsSchema.safeParse(inner).data ?? {};
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([client, rate]) =>
      Object.entries(rate as object).map(([name, figure]) => [`connectionLimits.${client}.${name}`, figure]),
    ),
  );
}

/** A Job that runs over a storage's files: a new storage has none, unless it takes over a claim. */
export function preparation({ path, is, name, before, after }: Judging): Effect[] {
  const runs = path === "prepare" ? is !== undefined : path === "prepare.revision";
  if (!runs || (before === undefined && after.claimName === undefined)) return [];
  return [crosses("write-credential", exactly(`prepare runs over the files of ${name}`, after.prepare))];
}

/** As which account a container runs: without a name it is one of its own, or the namespace's. */
export function account({ path, name, before, after }: Judging): Effect[] {
  const of = (args: unknown) =>
    at(args, "serviceAccount", "name") ?? (at(args, "serviceAccount", "create") === true ? name : "default");
  const [was, is] = [before && of(before), of(after)];
  if (hasHidden(is)) return [hidden(path)];
  const isToldByName =
    path.endsWith("create") && at(before, "serviceAccount", "name") !== at(after, "serviceAccount", "name");
  if (was === is || isToldByName) return [];
  return [gains(`${name} runs as the account ${is}${was === undefined ? "" : `, no longer as ${was}`}`)];
}

/** Who stops and starts a container that sleeps. */
export function sleep({ path, name, before, after }: Judging): Effect[] {
  const sleeps = (args: unknown) => at(args, "idle") !== undefined && at(args, "idle", "enabled") !== false;
  const isNews = before !== undefined && sleeps(before) !== sleeps(after) && /^idle(\.enabled)?$/.test(path);
  if (!isNews) return [];
  return [
    sleeps(after)
      ? gains(`the gateway's accounts may stop and start ${name}`)
      : loses(`the gateway's accounts may no longer stop and start ${name}`),
  ];
}
