/** The code that a page shows, so that a test runs what readers copy. */
import { readFile } from "node:fs/promises";

/** The fenced blocks of one language, in their order. */
export async function pageBlocks(page: string, language: string): Promise<string[]> {
  const text = await readFile(page, "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    (match) => match[1] ?? "",
  );
}

/** The block that has `mark` in it; there must be exactly one. */
export async function pageBlock(page: string, language: string, mark: string): Promise<string> {
  const found = (await pageBlocks(page, language)).filter((block) => block.includes(mark));
  if (found.length !== 1)
    throw new Error(`${page}: ${found.length} ${language} blocks have "${mark}" in them`);
  return found[0] as string;
}
