/**
 * How long a mask takes while an image model paints, beside one that is alone, in turns on one model server:
 *
 *     node bench/generative/masks-beside.ts [--rounds 4] [--masks 30] [--slow 4000] [--model NAME] [--model-dir data/models] [--side 256]
 *
 * Without --model the image model is the stand-in, of which each step multiplies two matrices of so many rows for nothing: 4000 make a picture of some
 * six seconds on one core. Masks are asked one after the other, by another account. On a CPU both share the cores.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { connectModelClient } from "../../testing/models/connect-model-client.ts";
import { startModelServerProcess } from "../../testing/models/model-server-process.ts";

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "4" },
    masks: { type: "string", default: "30" },
    slow: { type: "string", default: "4000" },
    model: { type: "string", default: "stand-in" },
    "model-dir": { type: "string" },
    side: { type: "string", default: "256" },
  },
});
const masks = Number(flags.masks);
const folder = mkdtempSync(join(tmpdir(), "packshot-beside-"));
writeImageModel(folder, "stand-in", { shift: 0.001, slowBy: Number(flags.slow) });
const server = await startModelServerProcess(
  flags.model === "stand-in" ? folder : (flags["model-dir"] ?? "data/models"),
);
const client = await connectModelClient(server.address);
const { width, height, channels } = await client.describe("packshot-mask");
const shape = [1, height, width, channels === "rgb" ? 3 : 4];
const photo = { shape, data: new Uint8Array(shape.reduce((product, side) => product * side, 1)).fill(127) };
const deadlineAtMs = Date.now() + 3_600_000;

async function maskMs(): Promise<number> {
  const startedAt = performance.now();
  const { signal } = new AbortController();
  await client.predict({ model: "packshot-mask", input: photo, tenant: "shop", deadlineAtMs, signal });
  return performance.now() - startedAt;
}

function paint(signal: AbortSignal): { readonly begun: Promise<void>; readonly ended: Promise<unknown> } {
  const begun = Promise.withResolvers<void>();
  const side = Number(flags.side);
  const ended = client.painter(flags.model).paint({
    prompt: "oak",
    seed: 1,
    strength: 1,
    width: side,
    height: side,
    reference: new Uint8Array(3 * side * side).fill(127),
    fill: new Uint8Array(side * side).fill(255),
    tenant: "other",
    deadlineAtMs,
    signal,
    onStep: () => begun.resolve(),
  });
  return { begun: begun.promise, ended: ended.catch(() => undefined) };
}

const alone: number[] = [];
const beside: number[] = [];
const pictureMs: number[] = [];
for (let round = 0; round < Number(flags.rounds); round++) {
  for (let mask = 0; mask < masks; mask++) alone.push(await maskMs());
  const stop = new AbortController();
  const startedAt = performance.now();
  const first = paint(stop.signal);
  // Another one waits behind it, so that one is painted for as long as masks are asked for.
  const second = paint(stop.signal);
  void first.ended.then(() => pictureMs.push(performance.now() - startedAt));
  await first.begun;
  for (let mask = 0; mask < masks; mask++) beside.push(await maskMs());
  await first.ended;
  stop.abort();
  await second.ended;
}
client.close();
await server.stop();
rmSync(folder, { recursive: true });

const at = (times: readonly number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(share * times.length))]!;
for (const [name, times] of Object.entries({ alone, beside })) {
  console.log(
    `${name.padEnd(8)}${times.length} masks, median ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms`,
  );
}
const ratio = (share: number) => (at(beside, share) / at(alone, share)).toFixed(2);
console.log(
  `a picture took ${(at(pictureMs, 0.5) / 1_000).toFixed(1)} s; beside it masks took ${ratio(0.5)} of the median, ${ratio(0.99)} of the p99`,
);
