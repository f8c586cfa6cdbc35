/** Stack files with secrets at places drawn from a seed, what the real CLI and the guard say of them, and what is wrong with that. */
import { readFile, writeFile } from "node:fs/promises";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { stringify } from "yaml";
import { validate } from "../../../packages/cli/src/commands/validate.ts";
import { showPath, withDefaults } from "../../../packages/drawbridge/src/stacks/yaml.ts";
import { command } from "../../../packages/guard/src/command.ts";
import type { ProjectCopy, StackName } from "../../../scripts/lib/stacks/stacks.ts";
import { type Path, placesIn, put } from "../../../scripts/lib/trials/edit.ts";
import { type Config, rightFiles } from "../../../stacks/config/mistakes.fixture.ts";
import { leakFinder, random, secretText, shapes } from "./leaks.ts";

/** A file with secrets at several places, none of them in another. */
interface Batch {
  readonly config: Config;
  readonly places: readonly Path[];
}

const within = (one: Path, other: Path) => one.every((part, index) => part === other[index]);
const meet = (one: Path, other: Path) => within(one, other) || within(other, one);

/** Where a secret may stand, in one shape or another: all else is drawn. */
const isRow = (at: Path) =>
  /(seed|privateKey|token|password|secretEnv|secure)$/i.test(
    at
      .filter((part) => typeof part === "string")
      .slice(-2)
      .join(" "),
  );

/** @param most places in one file, so that its report is not cut */
function drawn(key: string, count: number, next: () => number, cipher: unknown, most = 8): Batch[] {
  const all = rightFiles()
    .filter((config) => key in config)
    .flatMap((config) => placesIn(config[key]).map((at) => ({ config, at: [key, ...at] })))
    .filter(({ at }) => !at.some((part) => part === "secretEnv") && !isRow(at));
  const batches: Batch[] = [];
  // Half of them padded: a cut is what no filter of exact texts mends.
  const forms = Object.values(shapes).flatMap((shape) => [shape, shapes.padded]);
  for (let index = 0; index < count; ) {
    const one = all[Math.floor(next() * all.length)];
    if (
      one === undefined ||
      batches.some(({ places }) => places.some((other) => showPath(other) === showPath(one.at)))
    )
      continue;
    const shaped = forms[index % forms.length]?.(cipher, next);
    const last = batches.at(-1);
    const fits =
      last !== undefined && last.places.length < most && !last.places.some((other) => meet(other, one.at));
    const config = put(withDefaults(fits ? last.config : {}, one.config), one.at, shaped);
    const places = [...(fits ? last.places : []), one.at];
    // What was put there before stays, whatever the next file has.
    const kept = fits
      ? last.places.reduce((whole, at) => put(whole, at, valueIn(last.config, at)), config)
      : config;
    if (fits) batches.pop();
    batches.push({ config: kept, places });
    index += 1;
  }
  return batches;
}

const valueIn = (value: unknown, at: Path) =>
  at.reduce<unknown>((inner, key) => (inner as Config | undefined)?.[key as string], value);

/** Everything that a call of the CLI prints, and that its error says. */
export async function printed(call: (onOutput: (text: string) => void) => Promise<unknown>): Promise<string> {
  const output: string[] = [];
  try {
    await call((text) => output.push(text));
    return output.join("");
  } catch (error) {
    return [...output, String(error), (error as Error).stack].join("\n");
  }
}

/** The Automation API has no argument for every flag, but each can be set as a variable. */
export async function withOption<T>(
  stack: Stack,
  options: Record<string, string>,
  call: () => Promise<T>,
): Promise<T> {
  const { workspace } = stack;
  const before = workspace.envVars;
  workspace.envVars = { ...before, ...options };
  try {
    return await call();
  } finally {
    workspace.envVars = before;
  }
}

async function* once(text: string) {
  yield Buffer.from(text);
}

/** @param code what the preview ended with */
export async function report(digest: string, code = "255"): Promise<string> {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  await command(["--pulumi-exit-code", code], { stdin: once(digest), stdout: output, stderr: output });
  return written.join("");
}

/**
 * Previews, tries to bring up and reports each file.
 * @returns what was found of the secret, and places of which nothing was said
 */
export async function leaksAt(
  project: ProjectCopy,
  counts: Readonly<Record<"platform" | "team", number>>,
  seed: string,
) {
  const next = random(seed);
  const secret = secretText(next);
  const find = leakFinder([secret]);
  const bad: string[] = [];
  const seen = { places: 0, files: 0 };
  for (const part of ["platform", "team"] as const) {
    const name: StackName = part === "platform" ? "platform" : "team-a";
    const stack = await project.open(name);
    const key = part === "platform" ? "frpSeed" : "hostKeySeed";
    await stack.setConfig(`drawbridge:${key}`, { value: secret, secret: true });
    const file = project.fileOf(name);
    const text = await readFile(file, "utf8");
    const secure = /(?:hostKey|frp)Seed:\s+secure: (\S+)/.exec(text)?.[1] ?? "";
    const salt = /^encryptionsalt: .*$/m.exec(text)?.[0] ?? "";
    for (const { config, places } of drawn(`drawbridge:${part}`, counts[part], next, { secure })) {
      const whole = { ...config, [`drawbridge:${key}`]: { secure } };
      await writeFile(
        file,
        `${salt}\n${stringify({ config: encrypted(whole, secure) }, { aliasDuplicateObjects: false })}`,
      );
      const said = await everything(stack, file);
      seen.files += 1;
      seen.places += places.length;
      for (const [what, words] of Object.entries(said)) {
        const found = find(words);
        if (found.length > 0) bad.push(`${what} of ${places.map(showPath).join(", ")} says ${found[0]}`);
        const missing = places.filter(
          (at) => !words.includes(showPath(at)) && !words.includes(JSON.stringify(showPath(at)).slice(1, -1)),
        );
        if (missing.length > 0) bad.push(`${what} has nothing of ${missing.map(showPath).join(", ")}`);
      }
    }
  }
  return { bad, seen };
}

/** Every encrypted value by the same cipher text, which decrypts to the secret. */
function encrypted(value: unknown, secure: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => encrypted(inner, secure));
  if (typeof value !== "object" || value === null) return value;
  if ("secure" in value) return { secure };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, encrypted(inner, secure)]));
}

async function everything(stack: Stack, file: string): Promise<Record<string, string>> {
  let digest = "";
  const json = await withOption(stack, { PULUMI_OPTION_JSON: "true" }, () =>
    printed((onOutput) =>
      stack.preview({
        onOutput: (text) => {
          digest += text;
          onOutput(text);
        },
      }),
    ),
  );
  let checked = "";
  await validate([file], { json: true }, (text) => (checked += text));
  return {
    preview: await printed((onOutput) => stack.preview({ onOutput, diff: true })),
    "preview --json": json,
    "the guard's report": await report(digest.slice(digest.indexOf("{"))),
    up: await printed((onOutput) => stack.up({ onOutput })),
    validate: checked,
  };
}
