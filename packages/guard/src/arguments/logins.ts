/** Who may log in: keys and authorities by fingerprint, names in certificates, and sessions that outlive them. */
import { fingerprint, validKey } from "@drawbridge-iac/drawbridge/src/host/keys/authorized-keys";
import { sshdLabel } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { crosses, type Effect, gains, loses, unknown } from "../effect.ts";
import { type ObjectPair, templateOf } from "../objects.ts";
import { components } from "../ours/components.ts";
import { at, hasHidden, isEqual, listAt } from "../values.ts";
import type { Judging } from "./judging.ts";
import { hidden, itemsOf, knownSetEffects, textOf } from "./sets.ts";

/** A line of authorized_keys: its key, and the options that limit it. */
interface KeyLine {
  readonly print: string;
  readonly comment: string;
  readonly options: string;
}

/** Keys of people. */
export const keyEffects = (judging: Judging): Effect[] =>
  lineEffects(judging, gainedKey, (key) => `${show(key)} loses access to ${judging.name}`);

/** Keys of authorities, whose certificates open. */
export const authorityEffects = (judging: Judging): Effect[] =>
  lineEffects(
    judging,
    (key) =>
      authority(key, `everyone with a certificate of ${show(key)} gains access to ${judging.name}`, judging),
    (key) => `certificates of ${show(key)} no longer open ${judging.name}`,
  );

function lineEffects(
  judging: Judging,
  gained: (key: KeyLine, was: readonly KeyLine[], judging: Judging) => Effect,
  lost: (key: KeyLine) => string,
): Effect[] {
  const { was, is, path } = judging;
  const [before, after] = [linesOf(was), linesOf(is)];
  const isIn = (keys: readonly KeyLine[], { print, options }: KeyLine) =>
    keys.some((one) => one.print === print && one.options === options);
  return [
    // Nobody knows whose key it is if a line comes later.
    ...(hasHidden(is)
      ? [unknown("unknown-value", `${path} has a key that is not known before \`pulumi up\``)]
      : []),
    ...after.filter((key) => !isIn(before, key)).map((key) => gained(key, before, judging)),
    ...before
      .filter(({ print }) => !after.some((one) => one.print === print))
      .map((key) => losesLogin(lost(key), judging)),
  ];
}

function linesOf(list: unknown): KeyLine[] {
  return (Array.isArray(list) ? list : []).flatMap((line) => {
    const key = validKey(line);
    return key === undefined
      ? []
      : [{ print: fingerprint(key), comment: key.comment, options: key.options.join(",") }];
  });
}

const show = ({ print, comment }: KeyLine) => `the key ${print}${comment === "" ? "" : ` ("${comment}")`}`;

function gainedKey(key: KeyLine, was: readonly KeyLine[], judging: Judging): Effect {
  const { name, bounds } = judging;
  if (key.options.split(",").includes("cert-authority"))
    return authority(key, `${show(key)} signs certificates that open ${name}`, judging);
  if (was.some((one) => one.print === key.print))
    return gains(`${show(key)} opens ${name} with other limits: ${key.options || "none"}`);
  const person = bounds.people?.get(key.print);
  const limits = key.options === "" ? "" : `, limited by ${key.options}`;
  const who = person === undefined ? show(key) : `${person}, by ${show(key)},`;
  const text = `${who} gains access to ${name}${limits}`;
  return bounds.people !== undefined && person === undefined
    ? crosses("unnamed-key", `${text}; it belongs to nobody whom the platform names`)
    : gains(text);
}

const authority = (key: KeyLine, text: string, { bounds }: Judging): Effect =>
  bounds.userCas.has(key.print) ? gains(text) : crosses("foreign-ca", text);

export const principals = (judging: Judging): Effect[] => [
  // Without any it is the user's own name.
  ...(itemsOf(judging.was).size === 0
    ? [losesLogin(`certificates for its user alone no longer open ${judging.name}`, judging)]
    : []),
  ...(itemsOf(judging.is).size === 0 && at(judging.after, "ssh", "userCa") !== undefined
    ? [gains(`certificates for its user open ${judging.name}`)]
    : []),
  ...knownSetEffects(
    judging,
    (_, __, name) => gains(`certificates for "${name}" open ${judging.name}`),
    (_, name) => losesLogin(`certificates for "${name}" no longer open ${judging.name}`, judging),
  ),
];

/** Whom certificates name, where no principal is given. */
export function loginName(judging: Judging): Effect[] {
  const { was, is, name, before, after, path } = judging;
  const isNamed = listAt(after, "ssh", "userCa", "principals").length > 0;
  if (before === undefined || at(after, "ssh", "userCa") === undefined || isNamed) return [];
  if (hasHidden(is)) return [hidden(path)];
  return [
    gains(`certificates for ${textOf(is)} open ${name}`),
    losesLogin(`certificates for ${textOf(was)} no longer open ${name}`, judging),
  ];
}

/** The effect of a lost login: only a new pod ends its sessions. A preview does not show whether a session is open, but whether one could go on. */
function losesLogin(text: string, judging: Judging): Effect {
  const { pairs, bounds } = judging;
  if (pairs.some((pair) => isWorkloadOf(judging, pair) && isAnotherPod(pair))) return loses(text);
  const open = `${text}; open sessions go on until a new ssh.sessionsValidFrom replaces the pod`;
  return bounds.openSessions === "refused" ? crosses("session-left-open", open) : loses(open);
}

/** A container's StatefulSet, or whatever has taken the template that a component gives out. */
function isWorkloadOf({ kind, name }: Pick<Judging, "kind" | "name">, pair: ObjectPair): boolean {
  if (components[kind]?.template !== undefined) {
    return at(templateOf(pair.before, pair.kind), "metadata", "labels", sshdLabel) === name;
  }
  const { component, groupKind } = pair;
  const isOwn = component?.type === `drawbridge:index:${kind}` && component.name === name;
  return isOwn && groupKind === "apps/StatefulSet";
}

/** Whether the template changes, or the workload was or is off: then no earlier session goes on. */
function isAnotherPod({ kind, before, after }: ObjectPair): boolean {
  const isOff = (inputs: ObjectPair["after"]) => inputs === undefined || at(inputs, "spec", "replicas") === 0;
  if (isOff(before) || isOff(after)) return true;
  if (at(after, "spec", "updateStrategy", "type") === "OnDelete") return false;
  return !isEqual(templateOf(before, kind), templateOf(after, kind));
}
