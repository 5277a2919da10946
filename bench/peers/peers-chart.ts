/** The bar chart of photos a second at saturation, made from the table of peers.md. */
import { readdirSync, readFileSync } from "node:fs";
import { barChart } from "./bar-chart.ts";

const results = new URL("../results/", import.meta.url);

export function peersChart(markdown: string): string {
  const section = markdown.split("## Saturation")[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| ([\d.]+ MP), (.+?) \| ([\d.]+) \|/gm)];
  if (rows.length === 0) throw new Error("there is no table of saturation");
  const groups = Map.groupBy(rows, ([, megapixels]) => megapixels!);
  return barChart(
    "Cut-outs a second at saturation",
    "/s",
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

/** Draws the newest results; undefined where there are none yet. */
export function newestPeersChart(): string | undefined {
  const found = readdirSync(results, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("/peers.md"),
  );
  const newest = found.toSorted().at(-1);
  return newest === undefined ? undefined : peersChart(readFileSync(new URL(newest, results), "utf8"));
}
