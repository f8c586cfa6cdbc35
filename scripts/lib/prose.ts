/** The pages' English: few rules, without false alarms. "Style" in CONTRIBUTING has the rest, for people. */
import { readFileSync } from "node:fs";
import type { Root } from "nlcst";
import { toString as textOf } from "nlcst-to-string";
import { ParseEnglish } from "parse-english";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRetext from "remark-retext";
import retextRepeatedWords from "retext-repeated-words";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { VFile } from "vfile";
import { blanked, madeBlocks } from "./page-figures.ts";
import { pages } from "./pages/page-blocks.ts";

/** A longer sentence is two. */
const mostWords = 65;

/** Turns of phrase that have to be read twice, each with what to write. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\ba (sshd|ssh_config|SSH|frp[sc]?)\b/, "an"],
  [/\bis nobody\b/i, "say what it cannot do"],
  [/^who (?!may\b|can\b)\w+ [^,.;?]+ (is|has|gets|keeps) /i, "anyone who, or a noun"],
  [/\bwhat (cannot|can) be \w+ (is|has|keeps|goes)\b/i, "a noun"],
  [/\bwhoever\b/i, "anyone who, or a noun"],
  [/\bsomebody\b/i, "someone, or a noun"],
  [/\bin order to\b/i, "to"],
  [/\bshall\b/i, "must, or the present tense"],
  [/\bby the clock on the wall\b/i, "in local time"],
  [/\b(is|was|are) (not )?to be had\b/i, "is available"],
  [/\b(simply|of course|obviously)\b/i, "nothing"],
];

/** Whole sentences, with code as it stands. */
function sentences() {
  return (tree: Root, file: VFile) =>
    visit(tree, "SentenceNode", (node) => {
      const text = textOf(node).replaceAll(/\s+/g, " ");
      const words = text.split(" ").length;
      if (words > mostWords) file.message(`a sentence of ${words} words, at most ${mostWords}`, node);
      for (const [phrase, instead] of phrases) {
        const found = phrase.exec(text)?.[0];
        if (found !== undefined) file.message(`"${found.trim()}": ${instead}`, node);
      }
    });
}

const english = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRetext, ParseEnglish)
  .use(retextRepeatedWords)
  .use(sentences);

/** What is wrong with a page, as `page:line: …`. */
export async function proseFaultsOf(page: string, text: string): Promise<string[]> {
  const file = new VFile({ path: page, value: blanked(text, madeBlocks) });
  await english.run(english.parse(file), file);
  return file.messages.map(({ line, reason }) => `${page}:${line}: ${reason}`);
}

/** Of all pages that are written by hand; the changelog is of its time. */
export async function proseFaults(): Promise<string[]> {
  const byHand = pages().filter((page) => !["CHANGELOG.md", "docs/reference.md"].includes(page));
  return (await Promise.all(byHand.map((page) => proseFaultsOf(page, readFileSync(page, "utf8"))))).flat();
}
