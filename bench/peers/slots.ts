/**
 * Photos a second with 16 clients by the number of edit slots and of onnxruntime's threads, each in a stack of its own:
 *
 *     node bench/peers/slots.ts [--rounds 1] [--window 8] [--slots 1,2,4] [--threads 1,2]
 *
 * Bundled weights, a busy scene of 1.45 MP, request to PNG in hand.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { photosFolder, shared } from "../../testing/mask/photos-with-truth.ts";
import { median } from "../measuring/statistics.ts";
import { type Measured, measureAlternately } from "./measure.ts";
import { startPackshot } from "./packshot-systems.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "1" },
    window: { type: "string", default: "8" },
    slots: { type: "string", default: "1,2,4" },
    threads: { type: "string", default: "1,2" },
  },
});
const clients = 16;
const warmUps = 8;
const whole = sharp(readFileSync(join(photosFolder, "scene-mighty-mug.jpg")));
const photo = await whole.resize(1204, 1204, { fit: "fill" }).jpeg({ quality: 92 }).toBuffer();

async function measure(slots: string, threads: string): Promise<Measured> {
  process.env.PACKSHOT_WORKER_SLOTS = slots;
  process.env.PACKSHOT_MODEL_THREADS = threads;
  const folder = mkdtempSync(join(tmpdir(), "packshot-slots-"));
  const systems = await startPackshot(join(shared, "models", "u2netp.onnx"), folder);
  const bundled = systems.at(-1)!;
  const { signal } = new AbortController();
  try {
    const windowMs = 1_000 * Number(options.window);
    const measured = await measureAlternately({
      systems: [bundled],
      photos: [photo],
      clients,
      windowMs,
      rounds: 1,
      signal,
      warmUps,
    });
    return measured.get(bundled.name)!;
  } finally {
    for (const { stop } of systems) await stop();
    rmSync(folder, { recursive: true });
  }
}

const cases = options.slots
  .split(",")
  .flatMap((slots) => options.threads.split(",").map((threads) => ({ slots, threads, found: [] as Measured[] })));
for (let round = 0; round < Number(options.rounds); round++) {
  for (const { slots, threads, found } of cases) found.push(await measure(slots, threads));
}
const row = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
process.stdout.write(`${cpus().length} × ${cpus()[0]?.model.trim()}, ${clients} clients\n\n`);
row(["edit slots", "threads of onnxruntime", "photos/s", "p50 ms", "processor ms a photo", "peak MB"]);
row(["--:", "--:", "--:", "--:", "--:", "--:"]);
for (const { slots, threads, found } of cases) {
  const of = (value: (measured: Measured) => number, digits = 0) => median(found.map(value)).toFixed(digits);
  const times = [of((one) => one.perSecond, 2), of((one) => one.p50Ms), of((one) => one.cpuMsEach)];
  row([slots, threads, ...times, of((one) => one.peakBytes / 1e6)]);
}
