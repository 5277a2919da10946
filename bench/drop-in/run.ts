/**
 * What the drop-in for remove.bg costs beside our own endpoint: the same photo and the same result over both, in turns, one
 * at a time, on a stack of its own. Ours is POST with `Prefer: wait`, then GET of the result's link; the drop-in is one POST.
 *
 * node bench/drop-in/run.ts [--photo FILE] [--rounds N]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { productPixels } from "../../testing/images/odd-images.ts";
import { formWith, startLiveStack } from "../../testing/stack/live-stack.ts";
import { median, quantile } from "../measuring/statistics.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";

const warmUps = 3;

const { values } = parseArgs({ options: { photo: { type: "string" }, rounds: { type: "string", default: "60" } } });
const rounds = Number(values.rounds);
const raw = { raw: { width: 320, height: 240, channels: 3 as const } };
const photo =
  values.photo === undefined
    ? await sharp(productPixels(), raw).resize(2000, 1500).jpeg({ quality: 92 }).toBuffer()
    : readFileSync(values.photo);
const stack = await startLiveStack();

async function byOwnEndpoint(megapixels: number): Promise<Buffer> {
  const form = formWith(photo, { "output.format": "png", "output.maxMegapixels": String(megapixels) });
  const headers = { Prefer: "wait=60" };
  const created = await stack.call("POST", "/v1/tools/mask/edit", { body: form, headers });
  const { status, resultUrl } = (await created.json()) as { status: string; resultUrl: string };
  if (status !== "completed") throw new Error(`the edit is ${status}`);
  return Buffer.from(await (await stack.call("GET", resultUrl)).arrayBuffer());
}

async function byDropIn(size: string): Promise<Buffer> {
  const form = new FormData();
  form.set("image_file", new Blob([new Uint8Array(photo)]), "photo.jpg");
  form.set("size", size);
  form.set("format", "png");
  const headers = { "X-Api-Key": stack.file.apiKey };
  const response = await stack.call("POST", "/v1.0/removebg", { body: form, headers });
  if (response.status !== 200) throw new Error(`the drop-in responds with ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function timed(edit: () => Promise<Buffer>, into: number[]): Promise<Buffer> {
  const startedMs = performance.now();
  const bytes = await edit();
  into.push(performance.now() - startedMs);
  return bytes;
}

try {
  const rows: (string | number)[][] = [];
  for (const [size, megapixels] of [
    ["preview", 0.25],
    ["full", 10],
  ] as const) {
    const [own, dropIn]: [number[], number[]] = [[], []];
    for (let round = 0; round < warmUps + rounds; round++) {
      const isWarm = round >= warmUps;
      const ways = [
        () => timed(() => byOwnEndpoint(megapixels), isWarm ? own : []),
        () => timed(() => byDropIn(size), isWarm ? dropIn : []),
      ];
      // Whoever comes second finds warmer caches: they take turns.
      const [first, second] = round % 2 === 0 ? ways : ways.toReversed();
      const [one, other] = [await first!(), await second!()];
      if (!one.equals(other)) throw new Error("the two results differ");
    }
    const ratio = median(dropIn) / median(own);
    const shown = (times: readonly number[], share: number) =>
      quantile(
        times.toSorted((a, b) => a - b),
        share,
      ).toFixed(0);
    rows.push([size, shown(own, 0.5), shown(dropIn, 0.5), ratio.toFixed(3), shown(own, 0.9), shown(dropIn, 0.9)]);
  }
  writeResults({
    name: "drop-in",
    title: "The drop-in for remove.bg beside our own endpoint",
    setting: `one worker, one client, a JPEG of ${photo.length} bytes, ${rounds} rounds in turns, equal bytes in both results`,
    sections: [
      formatTable(["size", "own p50, ms", "drop-in p50, ms", "drop-in / own", "own p90, ms", "drop-in p90, ms"], rows),
      "Milliseconds from the request to the last byte of the result. Ours takes two requests: the edit, with `Prefer: wait`, and the download of its result.",
    ],
  });
} finally {
  await stack.stop();
}
