/** Bars as a plain SVG that is readable on light and on dark pages. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as it is written behind the bar. */
  readonly text: string;
}

export interface Chart {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The label of the bar that stands out. */
  readonly ours: string;
}

const width = 640;
const labelWidth = 210;
const textWidth = 90;
const rowHeight = 26;
const head = 34;

/** One horizontal bar a rival, ours in a colour of its own; all begin at zero. */
export function barChart({ title, bars, ours }: Chart): string {
  const height = head + bars.length * rowHeight + 8;
  const greatest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const rows = bars.map(({ label, value, text }, index) => {
    const top = head + index * rowHeight;
    const length = Math.max(1, Math.round(((width - labelWidth - textWidth) * value) / greatest));
    const middle = top + rowHeight / 2 + 4;
    return [
      `  <text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
      `  <rect x="${labelWidth}" y="${top + 4}" width="${length}" height="${rowHeight - 8}" rx="2"${label === ours ? ' class="ours"' : ""}/>`,
      `  <text x="${labelWidth + length + 6}" y="${middle}">${escaped(text)}</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .title { font-weight: 600; }
    rect { fill: #8c959f; }
    .ours { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      rect { fill: #6e7681; }
      .ours { fill: #58a6ff; }
    }
  </style>
  <text class="title" x="8" y="20">${escaped(title)}</text>
${rows.join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
