/** A text without some of its parts; their lines stay, so that the numbers are right. */
export const blanked = (text: string, part: RegExp): string =>
  text.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, ""));

/** What a program writes into a page, between two marks. */
export const madeBlocks = /<!-- (.*) begins -->[\s\S]*?<!-- \1 ends -->/g;
