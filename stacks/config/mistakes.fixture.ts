/**
 * Stack files with one mistake each, made from files that are right: every field with every wrong value is a fault at the
 * place where the mistake was made, on its line, and one only. Which values are wrong is said by the JSON Schema that
 * editors use, which is not what reads the file.
 */

import { readFileSync } from "node:fs";
import { isSecretPlace } from "@drawbridge-iac/drawbridge/src/kit/secret-places";
import type { LocatedFault } from "@drawbridge-iac/drawbridge/src/stacks/fault";
import { checkStackConfig } from "@drawbridge-iac/drawbridge/src/stacks/read";
import { stackFile } from "@drawbridge-iac/drawbridge/src/stacks/stack-file";
import { valueAt } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { teamFields } from "@drawbridge-iac/drawbridge/src/team/args";
import { describe, expect, it } from "vitest";
import { LineCounter, parseDocument, stringify } from "yaml";
import { z } from "zod";
import type { AnyTrials, Args } from "../../packages/drawbridge/src/kit/trials.fixture.ts";
import { edited, type Path, pathOf, put } from "../../scripts/lib/trials/edit.ts";
import { type TriedKind, trialsOf, triedTeamFile } from "../../scripts/lib/trials/index.ts";

export type Config = Record<string, unknown>;

/** One kind of thing in a file, with a value for each of its fields. */
interface Kind {
  readonly schema: z.ZodType;
  readonly trials: AnyTrials;
  readonly base: Args;
  /** Where it stands. */
  readonly at: Path;
}

function standing({ schema, trials, base }: TriedKind, ...at: Path): Kind {
  // A seed stands beside the whole file's parts.
  const { seed: _, ...args } = base("gw");
  return { schema, trials, base: args, at };
}

// What is not in the platform's file, its teams have by their place there.
const team = trialsOf("Team");
const inFile = Object.entries(team.trials).filter(([path]) => (path.split(/[.[]/)[0] ?? "") in teamFields);
const platformTeam = { ...team, trials: Object.fromEntries(inFile) };

const kinds: Record<string, Kind> = {
  team: standing(triedTeamFile, "drawbridge:team"),
  container: standing(trialsOf("DevContainer"), "drawbridge:team", "containers", "dev1"),
  "container's defaults": standing(trialsOf("DevContainer"), "drawbridge:team", "containerDefaults"),
  storage: standing(trialsOf("StorageAccessor"), "drawbridge:team", "storages", "models"),
  route: standing(trialsOf("SshRoute"), "drawbridge:team", "routes", "box"),
  "platform's team": standing(platformTeam, "drawbridge:platform", "teams", "team-a"),
  gateway: standing(trialsOf("SshGateway"), "drawbridge:platform", "gateway"),
  "frp server": standing(trialsOf("FrpServer"), "drawbridge:platform", "frp"),
  "storage proxy": standing(trialsOf("StorageProxy"), "drawbridge:platform", "storageProxy"),
};

/** Secrets stand in a file encrypted. */
function encrypted(schema: z.ZodType, value: unknown, path: Path = []): unknown {
  if (typeof value === "string") return isSecretPlace(schema, path) ? { secure: "AAAB" } : value;
  if (Array.isArray(value)) return value.map((inner, index) => encrypted(schema, inner, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, encrypted(schema, inner, [...path, key])]),
  );
}

/** A file with one thing of the kind in it that has a value for the field. */
function fileWith({ schema, trials, base, at }: Kind, field: string, shared: Config = {}): Config {
  const { after } = edited(field, trials[field] ?? { to: {} }, base);
  const { namespace: _, ...args } = encrypted(schema, after) as Config;
  const isTeam = at.length === 1 && at[0] === "drawbridge:team";
  const own = isTeam ? { namespace: "team-a", ...shared, ...args } : args;
  const config: Config =
    at[0] === "drawbridge:team"
      ? {
          "drawbridge:team": { namespace: "team-a", ...shared },
          "drawbridge:hostKeySeed": { secure: "AAAB" },
        }
      : { "drawbridge:platform": {}, "drawbridge:frpSeed": { secure: "AAAB" } };
  const whole = put(config, at, own);
  return at[1] === "containerDefaults"
    ? put(
        put(whole, ["drawbridge:team", "containers", "dev1"], {}),
        ["drawbridge:team", "containers", "dev2"],
        {},
      )
    : whole;
}

export interface Mistake {
  readonly what: string;
  readonly config: Config;
  readonly at: Path;
}

/** Each place from the thing's own field down to the field, with each wrong value. */
function mistakes(kind: Kind, field: string, shared: Config = {}): Mistake[] {
  const right = fileWith(kind, field, shared);
  const steps = pathOf(field);
  return steps.flatMap((_, index) => {
    const at = [...kind.at, ...steps.slice(0, index + 1)];
    const value = valueAt(right, at);
    if (value === undefined) return [];
    const wrong: [string, unknown][] = [
      ["null", null],
      ["text", "some text"],
      ["a number", 4.5],
      ["true", true],
      ["a list", ["x"]],
      ["a list of lists", [[]]],
      ["an object", { x: 1 }],
      ["an empty object", {}],
      ["a list of null", [null]],
      ...(typeof value === "string" ? ([["other case", otherCase(value)]] as [string, unknown][]) : []),
    ];
    const changed = wrong.map(([what, other]) => ({ what, config: put(right, at, other), at }));
    const key = at.at(-1);
    if (typeof key !== "string") return changed;
    const renamed = [
      otherCase(key),
      key.slice(1),
      `${key}x`,
      key.slice(0, 1) + key.slice(2, 3) + key.slice(1, 2) + key.slice(3),
    ]
      .filter((other) => other !== key && other !== "")
      .map((other) => {
        const place = [...at.slice(0, -1), other];
        return { what: `key ${other}`, config: put(put(right, at, undefined), place, value), at: place };
      });
    return [...changed, ...renamed];
  });
}

const otherCase = (text: string) =>
  text.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export async function read(
  config: Config,
): Promise<{ faults: LocatedFault[]; lineOf(path: Path): number | undefined }> {
  const lines = new LineCounter();
  const document = parseDocument(stringify({ config }, { aliasDuplicateObjects: false }), {
    lineCounter: lines,
  });
  const file = stackFile(document, (position) => lines.linePos(position).line);
  return {
    faults: await checkStackConfig(document.toJS().config, file),
    lineOf: (path) => file.lineOf(path),
  };
}

const editors = z.fromJSONSchema(JSON.parse(readFileSync("stacks/schema.json", "utf8")));
const zodsOwn = /^(Invalid|Too (small|big)|Expected|Unrecognized)|a object|undefined|\[object/;

/** What is wrong with how a mistake is answered: not at all, more than once, elsewhere, or in a library's words. */
async function complaintsOf({ what, config, at }: Mistake): Promise<string[]> {
  const title = `${at.slice(1).join(".")} = ${what}`;
  const { faults, lineOf } = await read(config).catch((error: Error) => ({
    faults: [{ path: "crash", line: 0, message: error.stack ?? "" }],
    lineOf: () => undefined,
  }));
  if (faults.some(({ path }) => path === "crash")) return [`${title}: ${faults[0]?.message.slice(0, 300)}`];
  const bad: string[] = [];
  const isWrong = !editors.safeParse({ config }).success;
  if (isWrong && faults.length === 0) bad.push(`${title}: taken`);
  // What was put in the place of a group may lack several fields; a misspelt key or a wrong leaf is one mistake.
  const isOne = what !== "an object" && what !== "an empty object";
  const places = new Set(faults.map(({ path, line }) => `${path} ${line}`));
  if (faults.length > (isOne ? 1 : places.size)) {
    const texts = faults.map(({ path, message }) => `${path}: ${message}`);
    bad.push(`${title}: ${faults.length} faults: ${texts.join(" | ")}`);
  }
  const line = lineOf(at) ?? 0;
  for (const fault of faults) {
    if (zodsOwn.test(fault.message)) bad.push(`${title}: ${fault.message}`);
    if (fault.line === undefined) bad.push(`${title}: no line: ${fault.path}: ${fault.message}`);
    else if (faults.length === 1 && fault.line < line) {
      bad.push(`${title}: line ${fault.line}, not ${line}: ${fault.path}: ${fault.message}`);
    }
  }
  return bad;
}

export const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB carol";
/** What the rest of a team's file may come from. */
export const shared: Config = { platform: "platform", people: { carol: { keys: [key] } } };

export async function complaints(all: readonly Mistake[]): Promise<string[]> {
  const bad: string[] = [];
  for (const one of all) bad.push(...(await complaintsOf(one)));
  console.log(`${all.length} mistakes`);
  return bad;
}

/** The fields of a kind of thing, without those that a file has in another place. */
const fieldsOf = (name: string, { trials }: Kind) =>
  Object.entries(trials)
    .filter(
      ([field, { from, to }]) =>
        field !== "seed" && (name === "team" || !("namespace" in { ...from, ...to, [field]: true })),
    )
    .map(([field]) => field);

/** Files that are right, and have together a value for each field of each kind of thing. */
export const rightFiles = (): Config[] =>
  Object.entries(kinds).flatMap(([name, kind]) =>
    fieldsOf(name, kind).map((field) => fileWith(kind, field, shared)),
  );

/** @param every 1 for all mistakes, more for a part: each field has some, and each wrong value many fields */
export const eachField = (every: number) =>
  describe.each(Object.entries(kinds))("each field of a %s", (name, kind) => {
    const fields = fieldsOf(name, kind);
    const isTried = (_: Mistake, index: number) => index % every === 0;

    it("has a right value here, also beside a platform and people", async () => {
      const wrong: string[] = [];
      for (const field of fields) {
        for (const around of [{}, shared]) {
          const { faults } = await read(fileWith(kind, field, around));
          wrong.push(...faults.map(({ path, message }) => `${field}: ${path}: ${message}`));
        }
      }
      expect(wrong).toEqual([]);
    });

    it("with any other value is a fault, or no mistake", { timeout: 300_000 }, async () => {
      const all = fields.flatMap((field) => mistakes(kind, field)).filter(isTried);
      expect(await complaints(all)).toEqual([]);
    });

    it("is one fault beside a platform and people too", { timeout: 300_000 }, async () => {
      const some = ["null", "some text", "a list", "other case"];
      const all = fields
        .flatMap((field) => mistakes(kind, field, shared))
        .filter(({ what }) => some.includes(what) || what.startsWith("key "))
        .filter(isTried);
      expect(kind.at[0] === "drawbridge:team" ? await complaints(all) : []).toEqual([]);
    });
  });
