/** Horizontal bars in groups, as SVG. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly value: number; readonly isOurs: boolean }[];
}

const left = 250;
const width = 860;
const barHeight = 18;
const gap = 5;
/** A page that is dark gets a dark picture: GitHub shows it in an `<img>`, which hears of the browser's preference. */
const style = `svg { background: #fff; font: 12px sans-serif; }
text { fill: #30343b; }
.title { font-weight: bold; }
.value { fill: #4c5663; }
.ours { fill: #2f6fb3; }
.others { fill: #a9b2bd; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; }
text { fill: #e6ebf1; }
.value { fill: #a9b4c0; }
.ours { fill: #5b9be0; }
.others { fill: #56606d; }
}`;

export interface ChartText {
  readonly title: string;
  /** A line below the title. */
  readonly note: string;
  readonly unit: string;
}

export function barChart({ title, note, unit }: ChartText, groups: readonly BarGroup[]): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const lines: string[] = [];
  let y = 58;
  for (const group of groups) {
    lines.push(text(12, y + 12, group.title, "start", "title"));
    y += 22;
    for (const { label, value, isOurs } of group.bars) {
      const length = ((width - left - 90) * value) / most;
      const whose = isOurs ? "ours" : "others";
      lines.push(text(left - 8, y + 13, label, "end"));
      lines.push(`<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" class="${whose}"/>`);
      lines.push(text(left + length + 6, y + 13, `${value.toPrecision(2)} ${unit}`, "start", "value"));
      y += barHeight + gap;
    }
    y += 10;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    `<style>\n${style}\n</style>`,
    text(12, 22, title, "start", "title"),
    text(12, 42, note, "start", "value"),
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

function text(x: number, y: number, content: string, anchor: string, name = "label"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${name}">${content}</text>`;
}
