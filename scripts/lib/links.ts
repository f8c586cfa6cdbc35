/** Links between pages, files and headings of the repository. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { pages } from "./pages/page-blocks.ts";

/** The anchor of a heading, as GitHub makes it; the site is told to make the same. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```$/gms, "");

function anchorsOf(file: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(readFileSync(file, "utf8")).matchAll(/^#{1,6} (.*)$/gm)) {
    const plain = slug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    const count = seen.get(plain) ?? 0;
    seen.set(plain, count + 1);
    anchors.add(count === 0 ? plain : `${plain}-${count}`);
  }
  return anchors;
}

/** Links that lead nowhere: a file that is not there, or a heading that its page does not have. */
export function deadLinks(): string[] {
  return [...pages(), ...globSync(".github/**/*.md")].flatMap((page) => {
    const links = withoutCode(readFileSync(page, "utf8")).matchAll(/\]\(([^)\s]+)\)/g);
    return [...links].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path));
      if (!existsSync(target)) return [`${page}: ${link} is not there`];
      if (anchor === undefined || statSync(target).isDirectory()) return [];
      return anchorsOf(target).has(anchor) ? [] : [`${page}: ${target} has no heading #${anchor}`];
    });
  });
}
