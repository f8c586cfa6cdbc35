/** docs/reference.md: every argument, output, key and option, from where each is written down. */

import { execFileSync } from "node:child_process";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import {
  type Argument,
  allowedText,
  argumentGroups,
  type Group,
  namedIn,
  plainWords,
  standardWords,
} from "./argument-groups.ts";
import { type About, aboutClasses } from "./doc-comments.ts";
import { widest, wrapped } from "./page-width.ts";
import { stackSchema } from "./stack-schema.ts";

export const referenceFile = "docs/reference.md";

/** The programs, each with the file that is run for its help. */
const programs = [
  ["drawbridge", "packages/cli/src/main.ts"],
  ["drawbridge-preview-guard", "packages/guard/src/main.ts"],
  ["drawbridge-frp-authorizer", "packages/controllers/src/frp-authorizer/main.ts"],
  ["drawbridge-idle", "packages/controllers/src/idle/main.ts"],
] as const;

type Groups = ReadonlyMap<string, Group>;

export function referencePage(): string {
  const groups = argumentGroups();
  // An interface that two components share stands once, where it is met first.
  const documented = new Set<string>();
  const abouts = aboutClasses("packages/drawbridge/src/*/component.ts");
  const parts = [
    "# Reference",
    "Generated from the sources by `npm run generate`; a check holds it to them. Change a docstring, not this page.",
    "An argument without a default is optional unless it says **required**. `Input<…>` takes an output of another resource as well. Groups, lists and maps are written out, so that their fields may be outputs; what else is plain says why.",
    ...registry.map(({ title }) => component(title, groups, abouts, documented)),
    "## Stack files",
    "What stands below `config:` in `Pulumi.<stack>.yaml`. [Stacks](stacks.md) explains how the parts go together.",
    ...stackKeys(),
    "## Commands",
    ...programs.map(([name, file]) => program(name, file)),
  ];
  return `${wrapped(parts.join("\n\n"), widest.text)}\n`;
}

function component(
  name: string,
  groups: Groups,
  abouts: ReadonlyMap<string, About>,
  documented: Set<string>,
): string {
  const { text, outputs } = abouts.get(name) ?? { text: "", outputs: [] };
  const parts = [`## ${name}`, text];
  for (const group of reachable(`${name}Args`, groups, documented)) {
    parts.push(`### ${group.name}`, plainWords(group.about), fieldList(group.fields));
  }
  const lines = outputs.map(([output, type, said]) => `- **\`${output}\`** ${code(type)}: ${escaped(said)}`);
  if (lines.length > 0) parts.push(`### Outputs of ${name}`, lines.join("\n"));
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A group and those that its fields lead to, each once on the whole page. */
function reachable(name: string, groups: Groups, documented: Set<string>): Group[] {
  const group = groups.get(name);
  if (group === undefined || documented.has(name)) return [];
  documented.add(name);
  const inner = group.fields.flatMap(({ type }) => namedIn(type));
  return [group, ...inner.flatMap((one) => reachable(one.name, groups, documented))];
}

/** One line for each argument, no table: it would be so wide that half of all screens cut it off. */
function fieldList(fields: readonly Argument[]): string {
  return fields
    .map((field) => {
      const standard = standardWords(field);
      const needed = field.isOptional ? "" : ", **required**";
      const usual = standard === "" ? "" : ` Default: ${escaped(asCode(standard))}.`;
      const { example } = field;
      const shown =
        example === undefined ? "" : ` Example: \`${example.replaceAll("`", "").replaceAll("\n", "\\n")}\`.`;
      const plain = field.plain === undefined ? "" : ` Plain: it ${field.plain}.`;
      return `- **\`${field.name}\`** ${shownType(field)}${needed}: ${escaped(plainWords(field.about))}${usual}${shown}${plain}`;
    })
    .join("\n");
}

/** A default that is a value reads as code; one in words stays as it is. */
const asCode = (text: string) =>
  /^(true|false|\d[\w.]*|"[^"]*"|\[.*\]|\{.*\})$/.test(text) ? `\`${text}\`` : text;

/** The type, with links to the groups in it. */
function shownType({ type }: Argument): string {
  const words = allowedText(type);
  const links = namedIn(type).filter(({ kind }) => kind === "group");
  const own = links.map(({ name }) => `[${name}](#${name.toLowerCase()})`);
  return links.length === 1 && words.replace(/\[\]$/, "") === links[0]?.name
    ? `${own[0]}${words.endsWith("[]") ? ", a list" : ""}`
    : [code(words), ...own].join(" ");
}

const code = (text: string) => (text === "" ? "" : `\`${text.replaceAll("pulumi.", "")}\``);

/** Angle brackets and double braces outside of code would be taken for HTML and Vue templates. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;{")))
    .join("");
}

function stackKeys(): string[] {
  const config = stackSchema().properties?.config?.properties ?? {};
  return Object.entries(config).map(([key, schema]) => {
    const keys = schema.properties?.secure ? {} : (schema.properties ?? {});
    const lines = Object.entries(keys).map(
      ([name, { description = "" }]) => `- **\`${name}\`**: ${escaped(String(description))}`,
    );
    return [`### ${key}`, schema.description ?? "", lines.join("\n")]
      .filter((part) => part !== "")
      .join("\n\n");
  });
}

/** What a program says of itself, and of each of its commands. */
function program(name: string, file: string): string {
  const help = (...command: string[]) =>
    execFileSync(process.execPath, [file, ...command, "--help"], {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", COLUMNS: "100" },
    }).trim();
  const root = help();
  const listed = root.split(/^Commands:$/m)[1]?.split(/^\S/m)[0] ?? "";
  const commands = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].map((match) => match[1] ?? "");
  const parts = commands
    .filter((command) => command !== "help")
    .map((command) => `#### ${name} ${command}\n\n${fenced(help(command))}`);
  return [`### ${name}`, fenced(root), ...parts].join("\n\n");
}

const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\``;
