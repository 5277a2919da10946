/** Horizontal bars in groups, as SVG. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly value: number; readonly isOurs: boolean }[];
}

const [left, width, barHeight, gap] = [250, 860, 18, 5];
const colors = { ours: "#2f6fb3", others: "#a9b2bd", text: "#30343b" };

export function barChart(title: string, unit: string, groups: readonly BarGroup[]): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const lines: string[] = [];
  let y = 40;
  for (const group of groups) {
    lines.push(text(12, y + 12, group.title, "start", "bold"));
    y += 22;
    for (const { label, value, isOurs } of group.bars) {
      const length = ((width - left - 90) * value) / most;
      const color = isOurs ? colors.ours : colors.others;
      lines.push(text(left - 8, y + 13, label, "end"));
      lines.push(`<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${color}"/>`);
      lines.push(text(left + length + 6, y + 13, `${value.toPrecision(2)} ${unit}`, "start"));
      y += barHeight + gap;
    }
    y += 10;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="12" fill="${colors.text}">`,
    `<rect width="${width}" height="${y}" fill="#fff"/>`,
    text(12, 22, title, "start", "bold"),
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

function text(x: number, y: number, content: string, anchor: string, weight = "normal"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-weight="${weight}">${content}</text>`;
}
