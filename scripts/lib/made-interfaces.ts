/** packages/drawbridge/src/generated: the documented interfaces of the components' arguments, made of their schemas. */
import { type Argument, argumentGroups, type Group, namedIn, typeText } from "./argument-groups.ts";

export const madeFolder = "packages/drawbridge/src/generated";

/** The files, and the beginnings of the names of what stands in each; `shared` has the rest. */
const files = {
  "dev-container": "DevContainer",
  "ssh-gateway": "SshGateway",
  "ssh-route": "SshRoute",
  "injected-sshd": "InjectedSshd",
  "frp-server": "FrpServer",
  "cert-manager": "CertManager",
  "storage-proxy": "StorageProxy",
  "storage-accessor": "Storage",
  team: "Team",
} as const;

const fileOf = (name: string) =>
  Object.entries(files).find(([, start]) => name.startsWith(start))?.[0] ?? "shared";

/** The text of each file by its name. */
export function madeInterfaces(): Readonly<Record<string, string>> {
  const groups = [...argumentGroups().values()];
  const names = [...new Set(groups.map(({ name }) => fileOf(name)))].sort();
  const texts = names.map((file) => [
    `${file}.ts`,
    fileText(
      file,
      groups.filter(({ name }) => fileOf(name) === file),
      groups,
    ),
  ]);
  // cert-manager has an entry point of its own.
  const exported = names
    .filter((file) => file !== "cert-manager")
    .map((file) => `export * from "./${file}.ts";`);
  return { ...Object.fromEntries(texts), "index.ts": `${[notice, ...exported].join("\n")}\n` };
}

const notice = "// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.";

function fileText(file: string, own: readonly Group[], groups: readonly Group[]): string {
  const inherited = (group: Group) =>
    groups
      .filter(({ name }) => group.extends.includes(name))
      .flatMap(({ fields }) => fields.map(({ name }) => name));
  const used = own.flatMap((group) => {
    const fields = group.fields.filter(({ name }) => !inherited(group).includes(name));
    return [
      ...group.extends.map((name) => ({ kind: "group" as const, name })),
      ...fields.flatMap(({ type }) => namedIn(type)),
    ];
  });
  const bodies = own.flatMap((group) => [
    interfaceText(group, inherited(group)),
    ...(isRef(group) ? [refText(group)] : []),
  ]);
  const text = bodies.join("\n");
  const choices = unique(used.filter(({ kind }) => kind === "choice").map(({ name }) => name));
  const others = unique(
    used.filter(({ name, kind }) => kind === "group" && fileOf(name) !== file).map(({ name }) => name),
  );
  const from = [...new Set(others.map(fileOf))].sort();
  return [
    notice,
    ...(choices.length === 0 ? [] : [imported(choices, "@drawbridge-iac/manifests/lists")]),
    ...(text.includes("pulumi.") ? ['import type * as pulumi from "@pulumi/pulumi";'] : []),
    ...(text.includes("AsInKubernetes") ? [imported(["AsInKubernetes"], "../as-in-kubernetes.ts")] : []),
    ...from.map((one) =>
      imported(
        others.filter((name) => fileOf(name) === one),
        `./${one}.ts`,
      ),
    ),
    "",
    text,
  ].join("\n");
}

const unique = (names: readonly string[]) => [...new Set(names)].sort();

/** As the formatter has it. */
function imported(names: readonly string[], from: string): string {
  const line = `import type { ${names.join(", ")} } from "${from}";`;
  if (line.length <= 110) return line;
  return ["import type {", ...names.map((name) => `  ${name},`), `} from "${from}";`].join("\n");
}

function interfaceText(group: Group, inherited: readonly string[]): string {
  const bases = group.extends.length === 0 ? "" : ` extends ${group.extends.join(", ")}`;
  const fields = group.fields.filter(({ name }) => !inherited.includes(name));
  return [
    ...comment("", group.about, group.example === undefined ? [] : ["", `@example\n${group.example}`]),
    `export interface ${group.name}${bases} {`,
    ...fields.flatMap(member),
    "}",
    "",
  ].join("\n");
}

/** What a component gives out as its `ref`, which others take as arguments. */
const isRef = ({ name }: Group) => name.endsWith("RefArgs");

/** As it comes out: its values are known when it is. */
function refText({ name, about }: Group): string {
  const declaration = `export interface ${name.replace(/Args$/, "")} extends pulumi.Unwrap<${name}> {}`;
  return [...comment("", about, []), declaration, ""].join("\n");
}

function member({ name, type, isOptional, about, standard, example }: Argument): string[] {
  const tags = [
    ...(standard === "" ? [] : [`@default ${standard}`]),
    ...(example === undefined ? [] : [`@example ${example}`]),
  ];
  return [...comment("  ", about, tags), `  ${name}${isOptional ? "?" : ""}: ${typeText(type)};`];
}

const columns = 120;

function comment(indent: string, about: string, tags: readonly string[]): string[] {
  const line = `${indent}/** ${[about, ...tags].join(" ")} */`;
  if (!tags.includes("") && line.length <= columns) return [line];
  const lines = [...wrapped(about, columns - indent.length - 3), ...tags.flatMap((tag) => tag.split("\n"))];
  return [`${indent}/**`, ...lines.map((one) => `${indent} * ${one}`.trimEnd()), `${indent} */`];
}

/** Lines of whole words; one that is too long stands alone. */
const wrapped = (text: string, width: number): string[] =>
  text.match(new RegExp(`\\S.{0,${width - 1}}(?= |$)|\\S+`, "g")) ?? [];
