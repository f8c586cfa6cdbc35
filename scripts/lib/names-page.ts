/** docs/interface.md: below its rules, the names of all arguments, made of their groups. */
import { readFileSync } from "node:fs";
import { replaceBetween } from "../../test/support/pages/marked-text.ts";
import { type ArgType, argumentGroups, type Group, namedIn } from "./argument-groups.ts";
import { widest } from "./page-width.ts";
import { wrapped } from "./wrapped.ts";

export const namesFile = "docs/interface.md";

type Groups = ReadonlyMap<string, Group>;

/** The page as it stands, with today's names. */
export function namesPage(): string {
  const groups = argumentGroups();
  return [...groups.keys()]
    .map((name) => /^(\w+)Args$/.exec(name)?.[1] ?? "")
    .reduce(
      (page, component) => {
        const mark = `names of ${component}`;
        return page.includes(`<!-- ${mark} begins -->`)
          ? replaceBetween(page, mark, wrapped(namesOf(`${component}Args`, groups), widest.text))
          : page;
      },
      readFileSync(namesFile, "utf8"),
    );
}

/** A group's fields, and those of the groups that only it leads to, each after the places where they stand. */
function namesOf(root: string, groups: Groups): string {
  const places = new Map<string, string[]>();
  const visit = (group: Group | undefined, place: string): void => {
    for (const { name, type } of group?.fields ?? []) {
      const [inner] = namedIn(type).filter(({ kind }) => kind === "group");
      if (inner === undefined || isShared(inner.name)) continue;
      const own = `${place === "" ? "" : `${place}.`}${name}${mark(type)}`;
      const known = places.get(inner.name);
      places.set(inner.name, [...(known ?? []), own]);
      if (known === undefined) visit(groups.get(inner.name), own);
    }
  };
  visit(groups.get(root), "");
  const fields = (name: string) => codes((groups.get(name)?.fields ?? []).map((field) => field.name));
  return [fields(root), ...[...places].map(([name, own]) => `${codes(own)}: ${fields(name)}`)]
    .map((line) => `- ${line}`)
    .join("\n");
}

/** Groups of several components have a section of their own. */
const isShared = (name: string) => !/^(DevContainer|SshGateway|FrpServer|Storage|Team)/.test(name);

function mark(type: ArgType): string {
  return type.kind === "list" ? "[]" : type.kind === "map" ? "{}" : "";
}

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
