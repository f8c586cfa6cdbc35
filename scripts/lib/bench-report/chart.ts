/** Bars as a plain SVG that is readable on light and on dark pages. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as it is written behind the bar. */
  readonly text: string;
  /** Whether it is one of our own ways. */
  readonly ours: boolean;
}

export interface Chart {
  /** What the chart says. */
  readonly title: string;
  /** Under which conditions, and which way is better. */
  readonly conditions: string;
  readonly bars: readonly Bar[];
}

const width = 720;
const labelWidth = 210;
const textWidth = 90;
const rowHeight = 26;
const head = 36;
const gap = 14;

/** One horizontal bar each, ours first and in a colour of their own, the others below; all begin at zero. */
export function barChart({ title, conditions, bars }: Chart): string {
  const greatest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const groups = [bars.filter(({ ours }) => ours), bars.filter(({ ours }) => !ours)];
  let top = head;
  const rows = groups.flatMap((group, index) => {
    if (index > 0 && group.length > 0 && group.length < bars.length) top += gap;
    return group.map(({ label, value, text, ours }) => {
      const length = Math.max(1, Math.round(((width - labelWidth - textWidth) * value) / greatest));
      const middle = top + rowHeight / 2 + 4;
      const row = [
        `  <text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
        `  <rect x="${labelWidth}" y="${top + 4}" width="${length}" height="${rowHeight - 8}" rx="2"${ours ? ' class="ours"' : ""}/>`,
        `  <text x="${labelWidth + length + 6}" y="${middle}">${escaped(text)}</text>`,
      ].join("\n");
      top += rowHeight;
      return row;
    });
  });
  const height = top + 30;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .title { font-size: 14px; font-weight: 600; }
    .conditions { font-size: 12px; fill: #59636e; }
    rect { fill: #8c959f; }
    .ours { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .conditions { fill: #9198a1; }
      rect { fill: #6e7681; }
      .ours { fill: #58a6ff; }
    }
  </style>
  <text class="title" x="8" y="22">${escaped(title)}</text>
${rows.join("\n")}
  <text class="conditions" x="8" y="${height - 10}">${escaped(conditions)}</text>
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
