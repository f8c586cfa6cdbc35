/** Whether every block that people copy from a page is run by a test, or listed with why not. */
import { existsSync, readFileSync } from "node:fs";
import { blanked, madeBlocks } from "./page-figures.ts";
import { type Listed, notRunBlocks, type Run, runBlocks } from "./page-inventory.ts";
import { type Block, blocksOf, pages } from "./pages/page-blocks.ts";

/** What a program printed, drawings and folders: nothing to copy. */
const shown = ["text", "markdown"];
/** All of it is compiled by one test. */
const compiled = ["ts"];

const where = ({ page, language, mark }: Listed) => `${page}, ${language}, "${mark.trim()}"`;
const isOf = (block: Block) => (listed: Listed) =>
  listed.page === block.page && listed.language === block.language && block.text.includes(listed.mark);

export function unlistedBlocks(
  blocks: readonly Block[],
  listed: readonly Listed[] = [...runBlocks, ...notRunBlocks],
): string[] {
  const copied = blocks.filter(({ language }) => ![...shown, ...compiled].includes(language));
  const faults = copied.flatMap((block) => {
    const found = listed.filter(isOf(block)).length;
    if (found === 1) return [];
    const what = block.language === "" ? "a block without a language" : `a block of ${block.language}`;
    return [`${block.page}:${block.line}: ${what} is listed ${found} times, and must be once`];
  });
  const stale = listed.filter((entry) => !copied.some((block) => isOf(block)(entry)));
  return [...faults, ...stale.map((entry) => `no page has the listed block ${where(entry)}`)];
}

/** Entries whose test does not take the block from its page. */
export function untakenBlocks(entries: readonly Run[] = runBlocks): string[] {
  return entries.flatMap((entry) =>
    entry.tests.flatMap((test) => {
      if (!existsSync(test)) return [`${where(entry)}: ${test} is not there`];
      const text = readFileSync(test, "utf8");
      const taken = text.includes("pageBlock(") && text.includes(JSON.stringify(entry.mark));
      return taken ? [] : [`${where(entry)}: ${test} does not take it from the page`];
    }),
  );
}

export function pageBlockFaults(): string[] {
  const blocks = pages().flatMap((page) =>
    // What a program writes there is a copy of what the tests run.
    blocksOf(page, blanked(readFileSync(page, "utf8"), madeBlocks)),
  );
  return [...unlistedBlocks(blocks), ...untakenBlocks()];
}
