/** The code that pages show, so that a test runs what readers copy. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Every page that people read on the site, in the repository or on npm. */
export function pages(): string[] {
  const found = globSync(["*.md", "docs/*.md", "examples/*/README.md", "packages/**/README.md"], {
    exclude: (path) => path.includes("node_modules"),
  });
  return found.sort();
}

export interface Block {
  readonly page: string;
  readonly line: number;
  /** What stands behind the fence; empty where nothing does. */
  readonly language: string;
  readonly text: string;
}

const fence = /^( *)```(\S*)\n([\s\S]*?)^ *```$/gm;

/** All fenced blocks of a page, in their order. */
export function blocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(fence)].map((match) => {
    const [, indent = "", language = "", inner = ""] = match;
    const line = text.slice(0, match.index).split("\n").length;
    return { page, line, language, text: inner.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
  });
}

/** The fenced blocks of one language, in their order. */
async function pageBlocks(page: string, language: string): Promise<string[]> {
  const blocks = blocksOf(page, await readFile(page, "utf8"));
  return blocks.filter((block) => block.language === language).map(({ text }) => text);
}

/** The block that has `mark` in it; there must be exactly one. */
export async function pageBlock(page: string, language: string, mark: string): Promise<string> {
  const found = (await pageBlocks(page, language)).filter((block) => block.includes(mark));
  if (found.length !== 1)
    throw new Error(`${page}: ${found.length} ${language} blocks have "${mark}" in them`);
  return found[0] as string;
}
