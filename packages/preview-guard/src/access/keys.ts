/** Who may log in: keys and authorities by fingerprint, and the names that certificates must carry. */
import { type AuthorizedKey, fingerprint, parseAuthorizedKey } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { type Inputs, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, unknown } from "./effect.ts";
import { losesLogin } from "./open-sessions.ts";

export const keyFiles = ["authorized_keys", "user_ca_keys", "principals"] as const;

export function holdsKeys(inputs: Inputs | undefined): boolean {
  const data = mapAt(inputs, "data");
  return keyFiles.some((file) => data[file] !== undefined);
}

/** A line of authorized_keys: its key, and the options that limit it. */
interface KeyLine {
  readonly print: string;
  readonly comment: string;
  readonly options: readonly string[];
}

export function keyEffects(pair: ObjectPair, context: AccessContext): Effect[] {
  const where = pair.component?.name ?? pair.name;
  const [was, is] = [lines(pair.before, "authorized_keys"), lines(pair.after, "authorized_keys")];
  const [wasCa, isCa] = [lines(pair.before, "user_ca_keys"), lines(pair.after, "user_ca_keys")];
  const lost = (text: string) => losesLogin(`${text} ${where}`, pair, context);
  return [
    ...broken(pair),
    ...news(was.keys, is.keys).map((key) => gainedKey(key, was.keys, where, context)),
    ...gone(was.keys, is.keys).map((key) => lost(`${show(key)} loses access to`)),
    ...news(wasCa.keys, isCa.keys).map((key) => gainedAuthority(key, where, context)),
    ...gone(wasCa.keys, isCa.keys).map((key) => lost(`certificates of ${show(key)} no longer open`)),
    ...principals(pair, where, lost),
  ];
}

function lines(inputs: Inputs | undefined, file: string): { keys: KeyLine[]; broken: string[] } {
  const text = String(at(inputs, "data", file) ?? "");
  const all = text.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  const keys: KeyLine[] = [];
  const broken: string[] = [];
  for (const line of all) {
    const key = parsed(line);
    if (key === undefined) broken.push(line);
    else keys.push({ print: fingerprint(key), comment: key.comment, options: [...key.options].sort() });
  }
  return { keys, broken };
}

function parsed(line: string): AuthorizedKey | undefined {
  try {
    return parseAuthorizedKey(line);
  } catch {
    return undefined;
  }
}

/** A line that is no key here. sshd may read it otherwise, so it is not judged. */
function broken({ before, after }: ObjectPair): Effect[] {
  return ["authorized_keys", "user_ca_keys"].flatMap((file) => {
    const known = lines(before, file).broken;
    return lines(after, file)
      .broken.filter((line) => !known.includes(line))
      .map(() =>
        unknown("unknown-value", `${file} has a line that is no key, or has options that are not known`),
      );
  });
}

const isSame = (a: KeyLine, b: KeyLine) => a.print === b.print && a.options.join() === b.options.join();
const news = (was: readonly KeyLine[], is: readonly KeyLine[]) =>
  is.filter((key) => !was.some((one) => isSame(one, key)));
const gone = (was: readonly KeyLine[], is: readonly KeyLine[]) =>
  was.filter((key) => !is.some((one) => one.print === key.print));

function show({ print, comment }: KeyLine): string {
  return `the key ${print}${comment === "" ? "" : ` ("${comment}")`}`;
}

function gainedKey(key: KeyLine, was: readonly KeyLine[], where: string, { bounds }: AccessContext): Effect {
  if (key.options.includes("cert-authority")) {
    const text = `${show(key)} signs certificates that open ${where}`;
    return bounds.userCas.has(key.print) ? gains(text) : crosses("foreign-ca", text);
  }
  const name = bounds.people?.get(key.print);
  const options = key.options.length === 0 ? "" : `, limited by ${key.options.join(",")}`;
  const text = `${name === undefined ? show(key) : `${name}, by ${show(key)},`} gains access to ${where}${options}`;
  if (was.some((one) => one.print === key.print)) {
    return gains(`${show(key)} opens ${where} with other limits: ${key.options.join(",") || "none"}`);
  }
  return bounds.people !== undefined && name === undefined
    ? crosses("unnamed-key", `${text}; it belongs to nobody whom the platform names`)
    : gains(text);
}

function gainedAuthority(key: KeyLine, where: string, { bounds }: AccessContext): Effect {
  const text = `everyone with a certificate of ${show(key)} gains access to ${where}`;
  return bounds.userCas.has(key.print) ? gains(text) : crosses("foreign-ca", text);
}

function principals({ before, after }: ObjectPair, where: string, lost: (text: string) => Effect): Effect[] {
  const names = (inputs: Inputs | undefined) =>
    String(at(inputs, "data", "principals") ?? "")
      .split("\n")
      .filter((name) => name !== "");
  const [was, is] = [names(before), names(after)];
  return [
    ...is
      .filter((name) => !was.includes(name))
      .map((name) => gains(`certificates for "${name}" open ${where}`)),
    ...was
      .filter((name) => !is.includes(name))
      .map((name) => lost(`certificates for "${name}" no longer open`)),
  ];
}
