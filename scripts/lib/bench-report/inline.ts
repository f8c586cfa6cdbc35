/** Figures of the bench inside the sentences of any page: `<!--tunnel/frp/login-->168 ms<!---->`. */
import { formatFigure } from "./format.ts";
import { type BenchDocument, figuresOf } from "./json.ts";

const mark = /<!--(\w+)\/([^/]+)\/(\w+)-->[^<]*<!---->/g;

/** The page with the document's figure in the place of each; one that the document lacks is an error. */
export function withFigures(text: string, document: BenchDocument): string {
  return text.replaceAll(mark, (_, scenario: string, rival: string, figure: string) => {
    const value = figuresOf(document, scenario)?.[rival]?.[figure];
    if (value === undefined) throw new Error(`no bench has measured ${scenario}/${rival}/${figure}`);
    return `<!--${scenario}/${rival}/${figure}-->${formatFigure(figure, value)}<!---->`;
  });
}

export const markedFigures = (text: string): number => [...text.matchAll(mark)].length;
