/**
 * docs/public/llms.txt, for programs that write code for people (https://llmstxt.org): how to use the components without a
 * wrong guess, every argument in a line, and where each page is. The site serves it, and the npm package has it.
 */
import { readFileSync } from "node:fs";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import {
  type Argument,
  allowedText,
  argumentGroups,
  type Group,
  namedIn,
  plainWords,
} from "./argument-groups.ts";
import { aboutClasses } from "./doc-comments.ts";
import { pages } from "./pages/page-blocks.ts";
import { writtenRepository } from "./repository.ts";

export const llmsFile = "docs/public/llms.txt";

const rules = [
  "Pass a component itself where another takes one: `access: { gateway }`, `access: { frp }`, `mounts: [{ storage: models }]`, `browse: { proxy }`, `namespace: team.namespace`. Pass a `ref` only for a component of another stack.",
  "Export `dev1.sshTarget` of each container; the command `drawbridge ssh-config` on a laptop reads it from the stack's outputs.",
  "Set `hostKey.seed` and other secrets with `pulumi config set --secret`, read them with `requireSecret`; never write one into a program.",
  "Write no `dependsOn` and no `apply` for an address: both are read of the component. A preview needs no kubeconfig.",
  "Names of arguments in Python are those below in snake_case, in Go with a capital letter; YAML and TypeScript use them as they are.",
  "Do not invent arguments: one that is not listed is refused, with the names that exist.",
  "Run `pulumi preview` and read its faults: all of them come at once, each with what to write.",
] as const;

export function llmsText(): string {
  const groups = argumentGroups();
  const abouts = aboutClasses("packages/drawbridge/src/*/component.ts");
  const written = new Set<string>();
  const components = registry.flatMap(({ title }) => [
    `### ${title}`,
    firstSentence(abouts.get(title)?.text ?? ""),
    ...groupLines(`${title}Args`, groups, written),
  ]);
  return [
    "# drawbridge",
    "> SSH-reachable development containers on Kubernetes, as Pulumi components.",
    "## Rules",
    rules.map((rule) => `- ${rule}`).join("\n"),
    "## Components and their arguments",
    "An argument is optional unless it says required. `Input<…>` takes an Output too.",
    ...components,
    "## Pages",
    pages()
      .filter((file) => /^(README|CHANGELOG|docs\/[a-z-]+)\.md$/.test(file))
      .map((file) => `- [${titleOf(file)}](https://github.com/${writtenRepository()}/blob/main/${file})`)
      .join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

/** A group and those below it, each once. */
function groupLines(name: string, groups: ReadonlyMap<string, Group>, written: Set<string>): string[] {
  const group = groups.get(name);
  if (group === undefined || written.has(name)) return [];
  written.add(name);
  const below = group.fields.flatMap(({ type }) => namedIn(type));
  return [
    `${name}:\n${group.fields.map(argumentLine).join("\n")}`,
    ...below.flatMap((one) => groupLines(one.name, groups, written)),
  ];
}

const argumentLine = ({ name, type, isOptional, about }: Argument) =>
  `- ${name}: ${allowedText(type)}${isOptional ? "" : ", required"}. ${firstSentence(plainWords(about))}`;

/** Up to a full stop that ends a sentence, on one line. */
const firstSentence = (text: string) =>
  (/^.*?[^.]\.(?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/\s+/g, " ").trim();

const titleOf = (file: string) => /^(?:# |title: )(.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? file;
