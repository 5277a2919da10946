import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundledWeights, weightsOfResults, withoutReview } from "./bundled-weights.ts";
import { newestPeersChart, peersChart } from "./peers-chart.ts";

const table = `# Cut-outs by Packshot and by its peers, 2026-11-26

2 × Intel Xeon, 24 GiB, Node v24; 5 rounds; \`node bench/peers/run.ts\`; commit f85ff4c.

Bundled weights: packshot-mask 0.14.0 (8b58d4607e6f).

## Saturation, and the bound

| | photos/s at saturation | processor ms of the stages | bound, photos/s | share |
|---|--:|--:|--:|--:|
| 1 MP, rembg s | 1.50 |  |  |  |
| 1 MP, Packshot, bundled weights | 3.00 | 350 | 5.71 | 0.53 |
| busy scenes, rembg s | 0.75 |  |  |  |

## By clients at once

| 1 MP, rembg s | 4 | 9.99 |
`;

test("each row of the table of saturation is a bar as long as its value, in the group of its size", () => {
  const svg = peersChart(table);
  const labels = [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, label]) => label!);
  expect(labels).toEqual([
    ...["Cut-outs a second at saturation"],
    ...["2026-11-26 · 2 × Intel Xeon · commit f85ff4c · packshot-mask 0.14.0 (8b58d4607e6f)", "1 MP"],
    ...["rembg s", "1.5 /s", "Packshot, bundled weights", "3.0 /s"],
    ...["busy scenes", "rembg s", "0.75 /s"],
  ]);
  const lengths = [...svg.matchAll(/<rect x="250" [^>]*width="([\d.]+)"/g)].map(([, length]) => Number(length));
  expect(lengths.map((length) => length / lengths[1]!)).toEqual([0.5, 1, 0.25]);
});

test("a table without saturation is refused", () => {
  expect(() => peersChart("# Cut-outs\n")).toThrow("no table");
});

test("weights with another configuration are other weights", () => {
  expect(bundledWeights()).toMatch(/^packshot-mask \d+\.\d+\.\d+ \([0-9a-f]{12}\)$/);
  expect(weightsOfResults("Bundled weights: packshot-mask 0.14.0 (8b58d4607e6f).\n")).not.toBe(bundledWeights());
  expect(weightsOfResults("# Cut-outs by Packshot and by its peers, 2026-11-23\n")).toBeUndefined();
});

test("limits of reviews are no other weights", () => {
  const file = new URL("../../models/packshot-mask/config.pbtxt", import.meta.url);
  const config = readFileSync(file, "utf8");
  const changed = config.replace(/(key: "packshot\.doubt_limits"\s*value: \{ string_value: ")[^"]*/, "$10.5");
  expect(changed).not.toBe(config);
  expect(withoutReview("config.pbtxt", Buffer.from(changed))).toBe(withoutReview("config.pbtxt", Buffer.from(config)));
  const others = config.replace(/max_batch_size: \d+/, "max_batch_size: 99");
  expect(withoutReview("config.pbtxt", Buffer.from(others))).not.toBe(
    withoutReview("config.pbtxt", Buffer.from(config)),
  );
});

test("the README's chart and its sentence were measured with the weights that are bundled now", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, path] = /\((bench\/results\/[\d-]+\/peers\.md)\)/.exec(readme) ?? [];
  const measured = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(weightsOfResults(measured), "run make bench-peers and npm run docs, and say the new figures").toBe(
    bundledWeights(),
  );
  expect(newestPeersChart()).toBe(peersChart(measured));
});
