/** The bar chart of photos a second at saturation, made from the table of peers.md. */
import { readdirSync, readFileSync } from "node:fs";
import { barChart } from "./bar-chart.ts";
import { weightsOfResults } from "./bundled-weights.ts";

const results = new URL("../results/", import.meta.url);

export function peersChart(markdown: string): string {
  const section = markdown.split("## Saturation")[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| ([^|,]+), (.+?) \| ([\d.]+) \|/gm)];
  if (rows.length === 0) throw new Error("there is no table of saturation");
  const groups = Map.groupBy(rows, ([, title]) => title!);
  return barChart(
    { title: "Cut-outs a second at saturation", note: measuredBy(markdown), unit: "/s" },
    [...groups].map(([title, group]) => ({
      title,
      bars: group.map(([, , label, perSecond]) => ({
        label: label!,
        value: Number(perSecond),
        isOurs: label!.startsWith("Packshot"),
      })),
    })),
  );
}

/** When, on which processor, at which commit and with which weights, as the results say of themselves. */
function measuredBy(markdown: string): string {
  const date = /^# .*, (\d{4}-\d\d-\d\d)$/m.exec(markdown)?.[1];
  const processor = /^(\d+ × [^,;]+)[,;]/m.exec(markdown)?.[1];
  const commit = /; commit ([0-9a-f]+)/.exec(markdown)?.[1];
  return [date, processor, commit && `commit ${commit}`, weightsOfResults(markdown)]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** Draws the newest results; undefined where there are none yet. */
export function newestPeersChart(): string | undefined {
  const found = readdirSync(results, { recursive: true, encoding: "utf8" });
  const newest = found
    .filter((path) => path.endsWith("/peers.md"))
    .toSorted()
    .at(-1);
  return newest === undefined ? undefined : peersChart(readFileSync(new URL(newest, results), "utf8"));
}
