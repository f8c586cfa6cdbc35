/** The programs that stand as files beside their builders, embedded as text: one made module a package. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** Lines for those who read a file or check it, by its language; they are not embedded. */
const notes: Readonly<Record<string, RegExp | undefined>> = {
  sh: /^[ \t]*(##|# shellcheck)( .*)?\n/gm,
  lua: /^[ \t]*---( .*)?\n/gm,
  js: /^[ \t]*\/\/\/( .*)?\n/gm,
};
/** Brings a part that several programs have. */
const bringing = /^\. \.\/(\S+\.sh)\n/gm;

const languageOf = (file: string) => file.slice(file.lastIndexOf(".") + 1);
const partsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(bringing)].map(([, part = ""]) => join(dirname(file), part));

const filesIn = (folder: string) => globSync(`${folder}/**/*.{sh,lua,js,css,html}`).sort();

/** Whether a file is only a part of programs beside it. */
export function isPart(file: string): boolean {
  return globSync(join(dirname(file), "*.sh")).some((program) => partsOf(program).includes(file));
}

/** A program as it is embedded. */
export function programText(file: string): string {
  const text = readFileSync(file, "utf8").replace(notes[languageOf(file)] ?? /(?!)/g, "");
  return text.replace(bringing, (_, part: string) => programText(join(dirname(file), part)));
}

/** The text of each made module by its name. */
export function programModules(): ReadonlyMap<string, string> {
  const sources = new Set(filesIn("packages/*/src").map((file) => file.split("/").slice(0, 3).join("/")));
  return new Map([...sources].map((folder) => [`${folder}/made/programs.ts`, programModule(folder)]));
}

export function programModule(folder: string): string {
  const from = folder.includes("/manifests/") ? "../common/program.ts" : "@drawbridge-iac/manifests/program";
  const programs = filesIn(folder).filter((file) => !isPart(file));
  return `// Made by \`npm run docs\` of the programs that stand beside their builders; change those.
// biome-ignore-all format: each text is one line
import type { Program } from "${from}";

${programs.map((file) => `/** ${relative(folder, file)} */\n${constant(file)}`).join("\n")}`;
}

/** `sshd/idle-agent.sh` is `idleAgentSh`. */
function constant(file: string): string {
  const name = basename(file).replace(/[-.]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const text = programText(file);
  const [texts, lines] = [namesIn(text, ""), namesIn(text, "?")];
  const type = lines === "" ? texts : `${texts || "never"}, ${lines}`;
  return `export const ${name} = ${JSON.stringify(text)}${type && ` as Program<${type}>`};\n`;
}

/** The names of placeholders with this mark, as a type. */
function namesIn(text: string, mark: "" | "?"): string {
  const found = [...text.matchAll(/@([A-Z][A-Z_]*)(\??)@/g)].filter((each) => each[2] === mark);
  return [...new Set(found.map(([, name]) => `"${name}"`))].sort().join(" | ");
}

/** @param files the text of each by its name */
export function writeFiles(files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Comes before anything that imports a builder: the builder of a new program does not load without its text. */
export const writePrograms = () => writeFiles(programModules());

if (import.meta.main) writePrograms();
