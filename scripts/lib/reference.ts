/** docs/reference.md: every argument, output, key and option, from where each is written down. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import * as lists from "@drawbridge-iac/manifests/lists";
import ts from "typescript";
import {
  type Argument,
  argumentGroups,
  type Group,
  namedIn,
  plainWords,
  standardWords,
  typeText,
} from "./argument-groups.ts";
import { saidOf } from "./doc-comments.ts";
import { widest } from "./page-width.ts";
import { stackSchema } from "./stack-schema.ts";
import { wrapped } from "./wrapped.ts";

export const referenceFile = "docs/reference.md";

/** The components in the order in which one meets them, with the interfaces of their arguments. */
const components = [
  ["SshGateway", "SshGatewayArgs"],
  ["Team", "TeamArgs"],
  ["TeamMembers", "TeamMembersArgs"],
  ["TeamPolicies", "TeamPoliciesArgs"],
  ["DevContainer", "DevContainerArgs"],
  ["InjectedSshd", "InjectedSshdArgs"],
  ["SshRoute", "SshRouteArgs"],
  ["StorageAccessor", "StorageAccessorArgs"],
  ["StorageProxy", "StorageProxyArgs"],
  ["FrpServer", "FrpServerArgs"],
  ["CertManager", "CertManagerArgs"],
] as const;

/** The programs, with the ways to ask each for its help. */
const programs = [
  ["drawbridge", "packages/cli/src/main.ts"],
  ["drawbridge-preview-guard", "packages/preview-guard/src/main.ts"],
  ["drawbridge-frp-authorizer", "packages/programs/src/frp-authorizer/main.ts"],
  ["drawbridge-idle", "packages/programs/src/idle/main.ts"],
] as const;

type Groups = ReadonlyMap<string, Group>;

export function referencePage(): string {
  const groups = argumentGroups();
  // An interface that two components share stands once, where it is met first.
  const documented = new Set<string>();
  const abouts = aboutClasses(globSync("packages/components/src/*.ts").sort());
  const parts = [
    "# Reference",
    "Made from the sources by `npm run docs`; a check holds it to them. Change a docstring, not this page.",
    "An argument without a default is optional unless it says **required**. `Input<…>` takes an output of another resource as well; everything else must be known when the program runs, because it decides which resources exist.",
    ...components.map(([name, args]) => component(name, args, groups, abouts, documented)),
    "## Stack files",
    "What stands below `config:` in `Pulumi.<stack>.yaml`. [Stacks](stacks.md) explains how the parts go together.",
    ...stackKeys(),
    "## Commands",
    ...programs.map(([name, file]) => program(name, file)),
  ];
  return `${wrapped(parts.join("\n\n"), widest.text)}\n`;
}

interface About {
  readonly text: string;
  /** Public outputs of a class: name, type, what. */
  readonly outputs: readonly (readonly [string, string, string])[];
}

/** What is said of each exported class. */
function aboutClasses(files: readonly string[]): ReadonlyMap<string, About> {
  const found = new Map<string, About>();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
        found.set(statement.name.text, { text: saidOf(statement), outputs: outputsOf(statement) });
      }
    }
  }
  return found;
}

function outputsOf(declaration: ts.ClassDeclaration): [string, string, string][] {
  return declaration.members.flatMap((member): [string, string, string][] => {
    const named = ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member);
    if (!named || !ts.isIdentifier(member.name)) return [];
    if (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Static)) return [];
    return [[member.name.text, member.type?.getText() ?? "", saidOf(member)]];
  });
}

function component(
  name: string,
  args: string,
  groups: Groups,
  abouts: ReadonlyMap<string, About>,
  documented: Set<string>,
): string {
  const { text, outputs } = abouts.get(name) ?? { text: "", outputs: [] };
  const parts = [`## ${name}`, text];
  for (const group of reachable(args, groups, documented)) {
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

/** One line for each argument: tables of this width are cut off on half of all screens. */
function fieldList(fields: readonly Argument[]): string {
  return fields
    .map((field) => {
      const standard = standardWords(field);
      const needed = field.isOptional ? "" : ", **required**";
      const usual = standard === "" ? "" : ` Default: ${escaped(asCode(standard))}.`;
      const { example } = field;
      const shown =
        example === undefined ? "" : ` Example: \`${example.replaceAll("`", "").replaceAll("\n", "\\n")}\`.`;
      return `- **\`${field.name}\`** ${shownType(field)}${needed}: ${escaped(plainWords(field.about))}${usual}${shown}`;
    })
    .join("\n");
}

/** A default that is a value reads as code; one in words stays as it is. */
const asCode = (text: string) =>
  /^(true|false|\d[\w.]*|"[^"]*"|\[.*\]|\{.*\})$/.test(text) ? `\`${text}\`` : text;

/** The type, with the allowed words in the place of a const object's name and a link to another group. */
function shownType({ type }: Argument): string {
  const words = namedIn(type)
    .filter(({ kind }) => kind === "choice")
    .reduce(
      (text, { name }) => {
        const values = Object.values(
          (lists as unknown as Record<string, Record<string, string>>)[name] ?? {},
        );
        const allowed = values.map((value) => JSON.stringify(value)).join(" | ");
        return text.replace(name, text.includes("[]") ? `(${allowed})` : allowed);
      },
      typeText(type).replaceAll("pulumi.", ""),
    );
  const links = namedIn(type).filter(({ kind }) => kind === "group");
  const own = links.map(({ name }) => `[${name}](#${name.toLowerCase()})`);
  return links.length === 1 && words.replace(/\[\]$/, "") === links[0]?.name
    ? `${own[0]}${words.endsWith("[]") ? ", a list" : ""}`
    : [code(words), ...own].join(" ");
}

const code = (text: string) => (text === "" ? "" : `\`${text.replaceAll("pulumi.", "")}\``);

/** Angle brackets outside of code would be taken for HTML. */
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
