/** What sets of people, networks, identities and the like gain and lose: judges of single arguments. */
import { isHarmless } from "../bounds.ts";
import { crosses, type Effect, exactly, gains, loses, unknown } from "../effect.ts";
import { probesElsewhere } from "../foreign/pod.ts";
import { at, hasHidden, listAt, mapAt } from "../values.ts";
import type { Judging } from "./judging.ts";

/** Items by their texts; of a map, each with its key. */
export function itemsOf(value: unknown): Map<string, unknown> {
  if (value === undefined) return new Map();
  if (Array.isArray(value)) return new Map(value.map((item) => [textOf(item), item]));
  if (typeof value !== "object" || value === null) return new Map([[textOf(value), value]]);
  return new Map(Object.entries(value).map(([key, item]) => [`${key}: ${textOf(item)}`, item]));
}

export function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "none");
  return text.length > 200 ? exactly(`${text.slice(0, 180)}…`, value) : text;
}

type Sets = Pick<Judging, "was" | "is" | "path">;
type Gained = (text: string, item: unknown, shown: string) => Effect | undefined;

/** The items that came and went, each judged by itself. */
export function setEffects(
  { was, is, path }: Sets,
  gained: Gained,
  lost: (text: string, shown: string) => Effect = loses,
): Effect[] {
  const [before, after] = [itemsOf(was), itemsOf(is)];
  return [
    ...[...after]
      .filter(([shown]) => !before.has(shown))
      .flatMap(([shown, item]) => gained(`${path} has ${shown} too`, item, shown) ?? []),
    ...[...before.keys()]
      .filter((shown) => !after.has(shown))
      .map((shown) => lost(`${path} no longer has ${shown}`, shown)),
  ];
}

/** The same, where each new item must be known. */
export const knownSetEffects = (sets: Sets, gained: Gained, lost?: (text: string, shown: string) => Effect) =>
  setEffects(
    sets,
    (text, item, shown) => (hasHidden(item) ? hidden(sets.path) : gained(text, item, shown)),
    lost,
  );

export const hidden = (path: string) =>
  unknown("unknown-value", `${path} is not known before \`pulumi up\`, or secret`);

/** Account names that are not one person's or team's. */
const everyone =
  /^(system:(authenticated|unauthenticated|serviceaccounts|masters|nodes|anonymous)|system:(serviceaccounts?|kube|node):?.*)$/;

export const subjects = (judging: Judging): Effect[] =>
  knownSetEffects(judging, (text, _, name) =>
    everyone.test(name) ? crosses("cluster-rights", `${text}: that is not one person or team`) : gains(text),
  );

export const accounts = (judging: Judging): Effect[] =>
  knownSetEffects(judging, (text, account) =>
    at(account, "namespace") === (judging.after.namespace ?? judging.name)
      ? gains(text)
      : crosses("cluster-rights", `${text}: the account belongs to another namespace`),
  );

export const accountsOfRoot = (judging: Judging): Effect[] =>
  knownSetEffects(judging, (text) =>
    judging.before === undefined ? gains(text) : crosses("pod-security-lowered", text),
  );

/** Who has a certificate: everybody where nobody is named. */
export function identities(judging: Judging): Effect[] {
  const {
    was,
    is,
    path,
    name,
    before,
    wall: { rule },
  } = judging;
  const [old, now] = [[...itemsOf(was).keys()], [...itemsOf(is).keys()]];
  if (now.length === 0)
    return [crosses(rule, `${path}: no client certificate would be demanded any more (${old.join(", ")})`)];
  if (old.length === 0 && before !== undefined)
    return [loses(`only who has a certificate of ${now.join(", ")} may open ${name}`)];
  const domains = new Set(old.map(trustDomain));
  return knownSetEffects(judging, (_, __, item) => {
    const text = `${item} may open ${name}`;
    if (rule === "gateway-opened" && before !== undefined) return crosses(rule, text);
    return before === undefined || domains.has(trustDomain(item))
      ? gains(text)
      : crosses("foreign-ca", `${text}, which is of another trust domain`);
  });
}

const trustDomain = (identity: string) => identity.split("/").slice(0, 3).join("/");

/** What a driver hands out nobody knows; a claim that comes with the pod may begin with other data. */
export const volumes = (judging: Judging): Effect[] =>
  knownSetEffects(judging, (text, volume) => {
    const { metadata, spec } = mapAt(volume, "ephemeral", "volumeClaimTemplate");
    const borrowed =
      ["volumeName", "selector", "dataSource", "dataSourceRef"].some((field) => field in mapAt(spec)) ||
      Object.keys(mapAt(metadata, "annotations")).some((name) => !isHarmless(name, judging.bounds));
    if (borrowed) return crosses("volume-borrowed", `${text}: it takes other data`);
    const isIssued = listAt(volume, "projected", "sources").some((source) => at(source, "podCertificate"));
    return at(volume, "csi") === undefined && !isIssued
      ? gains(text)
      : unknown("unknown-field", `${text}: what this driver gives is not known`);
  });

/** Annotations that may open something: of a pod, what takes its walls; of a Service, what publishes it. */
export const annotations = (judging: Judging): Effect[] =>
  knownSetEffects(
    judging,
    (text, _, shown) => (isOpening(shown, judging) ? crosses(judging.wall.rule, text) : undefined),
    // What keeps a Service within may go.
    (text, shown) => (isKeptWithin(judging, shown) ? crosses("gateway-opened", text) : loses(text)),
  );

const nameIn = (shown: string) => shown.split(": ")[0] ?? "";
const isOpening = (shown: string, { bounds }: Judging) => !isHarmless(nameIn(shown), bounds);

/** Whether a LoadBalancer's annotation that goes kept it within; another value in its place is judged by itself. */
const isKeptWithin = (judging: Judging, shown: string) =>
  judging.path.endsWith("loadBalancer.annotations") &&
  isOpening(shown, judging) &&
  !shown.includes("external-dns") &&
  !(nameIn(shown) in mapAt(judging.is));

/** What a patch annotates. */
export function patch(judging: Judging): Effect[] {
  const { path, was, is } = judging;
  if (hasHidden(is)) return [hidden(path)];
  const of = (given: unknown) => mapAt(given, "metadata", "annotations");
  return annotations({ ...judging, was: of(was), is: of(is) });
}

/** Of a claim's patch also the part that says with what data it begins. */
export const claimPatch = (judging: Judging): Effect[] =>
  patchWith(judging, () =>
    knownSetEffects(judging, (text, _, shown) =>
      shown.startsWith("spec: ") ? crosses("volume-borrowed", text) : undefined,
    ),
  );

/** Of a workload's patch also the parts of its pod. */
export const podPatch = (judging: Judging): Effect[] => patchWith(judging, podParts);

const patchWith = (judging: Judging, rest: (judging: Judging) => readonly Effect[]) =>
  hasHidden(judging.is) ? [hidden(judging.path)] : [...patch(judging), ...rest(judging)];

/** Another cloud's annotations keep nothing within. */
export const preset = ({ was, is, path, before, after }: Judging): Effect[] =>
  before === undefined ||
  ["generic", "metallb", undefined].includes(was as string) ||
  at(after, "loadBalancer", "scope") === "public"
    ? []
    : [crosses("gateway-opened", `${path}: ${textOf(was)} → ${textOf(is)}, and what keeps it within goes`)];

/** Parts of a pod as they are written there. */
export const podParts = (judging: Judging): Effect[] =>
  knownSetEffects(judging, (text, part) =>
    probesElsewhere(part)
      ? crosses("pod-privileges", `${text}: the node would ask another host`)
      : gains(text),
  );

/** Passwords are secret; whose they are, and who may write, is not. */
export function credentials({ was, is, name, before, after }: Judging): Effect[] {
  const of = (list: unknown) =>
    listAt({ list }, "list").map((one) => ({
      user: String(at(one, "user")),
      write: at(one, "write") === true,
    }));
  const isShown = listAt({ is }, "is").every((one) => !hasHidden([at(one, "user"), at(one, "write")]));
  if (!isShown || typeof is === "string") return [hidden("browse.credentials")];
  const [old, now] = [of(was), of(is)];
  // A new storage has no files yet that its first writer could spoil; an older claim may have some.
  const isNew = before === undefined && after.claimName === undefined;
  return [
    ...now
      .filter(({ user, write }) => !old.some((one) => one.user === user && (one.write || !write)))
      .map(({ user, write }) => {
        const text = `${user} may ${write ? "write" : "read"} the files of ${name}`;
        return write && !isNew ? crosses("write-credential", text) : gains(text);
      }),
    ...old
      .filter(({ user }) => !now.some((one) => one.user === user))
      .map(({ user }) => loses(`${user} no longer has a password for the files of ${name}`)),
    ...old
      .filter(({ user, write }) => write && now.some((one) => one.user === user && !one.write))
      .map(({ user }) => loses(`${user} may no longer write the files of ${name}`)),
  ];
}

/** Whose tokens are let in: of a storage that is there, another's are refused. */
export function issuer({ was, is, path, name, before }: Judging): Effect[] {
  if (hasHidden(is)) return [hidden(path)];
  if (at(before, "browse", "jwt") !== undefined && path.endsWith("audiences") && was === undefined)
    return [loses(`${path}: only tokens for ${textOf(is)} open the files of ${name}`)];
  const text = `${path}: tokens of ${textOf(is)} open the files of ${name}`;
  return [
    before === undefined
      ? gains(text)
      : is === undefined && !path.endsWith("audiences")
        ? loses(`${path}: no token opens the files of ${name} any more`)
        : crosses("foreign-ca", text),
  ];
}

/** The CA of the clients' certificates. */
export function certificateAuthority({ was, is, name }: Judging): Effect[] {
  if (is === undefined)
    return [crosses("certificate-dropped", `clients of ${name} would need no certificate any more`)];
  if (was === undefined) return [loses(`only who has a certificate may use ${name}`)];
  if (hasHidden(is)) return [hidden("listeners.tls.clientCa")];
  return [
    crosses("foreign-ca", exactly(`another authority would sign the client certificates of ${name}`, is)),
  ];
}

/** A listener without certificates, beside one that asks for them. */
export function plainListener({ was, is, name, before, path }: Judging): Effect[] {
  const ended = loses(`${path}: ${name} no longer listens in clear text as before`);
  if (is === undefined) return [ended];
  const text = `${path}: ${name} listens in clear text at port ${at(is, "port") ?? textOf(is)}`;
  return [
    at(before, "listeners", "tls", "clientCa") === undefined
      ? gains(text)
      : crosses("certificate-dropped", `${text}, where no client certificate is asked for`),
    ...(was === undefined ? [] : [ended]),
  ];
}
