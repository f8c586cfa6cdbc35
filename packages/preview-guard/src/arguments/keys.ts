/** Who may log in: keys and authorities by fingerprint. */
import { fingerprint, soundKey } from "@drawbridge-iac/manifests";
import { crosses, type Effect, gains, unknown } from "../effect.ts";
import { hiddenPaths } from "../placeholder.ts";
import type { Judging } from "./judging.ts";
import { losesLogin } from "./open-sessions.ts";

/** A line of authorized_keys: its key, and the options that limit it. */
interface KeyLine {
  readonly print: string;
  readonly comment: string;
  readonly options: string;
}

/** Keys of people. */
export function keyEffects({ was, is, ...judging }: Judging): Effect[] {
  const [before, after] = [linesOf(was), linesOf(is)];
  return [
    ...hiddenLines(is, judging.path),
    ...news(before, after).map((key) => gainedKey(key, before, judging)),
    ...gone(before, after).map((key) => losesLogin(`${show(key)} loses access to ${judging.name}`, judging)),
  ];
}

/** Keys of authorities, whose certificates open. */
export function authorityEffects({ was, is, ...judging }: Judging): Effect[] {
  const [before, after] = [linesOf(was), linesOf(is)];
  const { name } = judging;
  return [
    ...hiddenLines(is, judging.path),
    ...news(before, after).map((key) =>
      authority(key, `everyone with a certificate of ${show(key)} gains access to ${name}`, judging),
    ),
    ...gone(before, after).map((key) =>
      losesLogin(`certificates of ${show(key)} no longer open ${name}`, judging),
    ),
  ];
}

function linesOf(list: unknown): KeyLine[] {
  return (Array.isArray(list) ? list : []).flatMap((line) => {
    const key = soundKey(line);
    return key === undefined
      ? []
      : [{ print: fingerprint(key), comment: key.comment, options: [...key.options].sort().join(",") }];
  });
}

/** Nobody knows whose key it is if a line comes later. */
const hiddenLines = (is: unknown, path: string): Effect[] =>
  hiddenPaths(is, path).length > 0
    ? [unknown("unknown-value", `${path} has a key that is not known before \`pulumi up\``)]
    : [];

const isSame = (a: KeyLine, b: KeyLine) => a.print === b.print && a.options === b.options;
const news = (was: readonly KeyLine[], is: readonly KeyLine[]) =>
  is.filter((key) => !was.some((one) => isSame(one, key)));
const gone = (was: readonly KeyLine[], is: readonly KeyLine[]) =>
  was.filter((key) => !is.some((one) => one.print === key.print));

const show = ({ print, comment }: KeyLine) => `the key ${print}${comment === "" ? "" : ` ("${comment}")`}`;

type Context = Omit<Judging, "was" | "is">;

function gainedKey(key: KeyLine, was: readonly KeyLine[], context: Context): Effect {
  const { name, bounds } = context;
  if (key.options.split(",").includes("cert-authority"))
    return authority(key, `${show(key)} signs certificates that open ${name}`, context);
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

const authority = (key: KeyLine, text: string, { bounds }: Context): Effect =>
  bounds.userCas.has(key.print) ? gains(text) : crosses("foreign-ca", text);
