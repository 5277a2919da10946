/**
 * Measures the memory of edits, each in a process of its own that edits as a worker does: in threads, with a worker's
 * allocator and the sandbox's model, because inference takes place elsewhere.
 *
 *   node bench/edits/peak-memory.ts                 peaks by tool, megapixels and formats, and what is estimated
 *   node bench/edits/peak-memory.ts at-once 4 3000  four masks of 100 MP at once, without a budget and with one of 3,000 MB
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EditParameters, type OutputFormat, type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import sharp from "sharp";
import { nodeEnvironment, nodeFlags } from "../../cli/up/services.ts";
import { createMemoryBudget } from "../../services/inference/consumer/memory-budget.ts";
import { createEditPool } from "../../services/inference/edits/threads/edit-pool.ts";
import { estimateEditMemory } from "../../services/inference/edits/tools/edit-memory.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { sandboxModelClient } from "../../services/inference/model-client/model-client.ts";
import { productPixels } from "../../testing/images/odd-images.ts";
import { editInput } from "../../testing/models/edit-input.ts";

const MB = 1_000_000;
const maxPixels = 100 * MB;

interface Task {
  readonly tool: ToolId;
  readonly photo: string;
  readonly format: OutputFormat | undefined;
  /** Beside the format. */
  readonly parameters?: EditParameters;
  readonly atOnce: number;
  readonly budgetBytes: number;
}

/** With noise, as of a camera: without any, files are too small. */
async function takePhoto(megapixels: number, format: "jpeg" | "png"): Promise<Buffer> {
  const width = Math.floor(Math.sqrt((megapixels * MB * 4) / 3));
  const size = { width, height: Math.floor((width * 3) / 4) };
  const noise = { type: "gaussian", mean: 8, sigma: 4 } as const;
  const stored = { compressionLevel: 0 };
  const pixels = await sharp(productPixels(), { raw: { width: 320, height: 240, channels: 3 } })
    .resize({ ...size, fit: "fill" })
    .png(stored)
    .toBuffer();
  const grain = await sharp({ create: { ...size, channels: 3, background: "#000", noise } })
    .png(stored)
    .toBuffer();
  const composed = sharp(pixels)
    .composite([{ input: grain, blend: "add" }])
    .removeAlpha();
  return await (format === "png" ? composed.png({ compressionLevel: 1 }) : composed.jpeg({ quality: 92 })).toBuffer();
}

function residentBytes(field: "VmHWM" | "VmRSS"): number {
  return 1_024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))![1]);
}

/** In a process of its own: the peak beside what it has before the first edit. */
async function edit({ tool, photo, format, parameters: more = {}, atOnce, budgetBytes }: Task): Promise<void> {
  const pool = createEditPool({ threads: atOnce, logger: createLogger({ name: "peak-memory", level: "warn" }) });
  await pool.start();
  const parameters = format === undefined ? more : { ...more, output: { ...more.output, format } };
  const budget = createMemoryBudget({ bytesMax: budgetBytes, waitTimeoutMs: 600_000 });
  const before = residentBytes("VmRSS");
  let estimate = 0;
  async function once(): Promise<void> {
    const { signal } = new AbortController();
    const header = await inspectImage(photo, { maxPixels });
    const sourceBytes = statSync(photo).size;
    const toEstimate = { tool, parameters, sourceBytes, header };
    estimate = estimateEditMemory(toEstimate);
    const release = await budget.reserve({ bytes: estimate, signal, onWait() {} });
    const onFrame = (frame: Size) => {
      estimate = Math.min(estimate, estimateEditMemory({ ...toEstimate, frame }));
      release(estimate);
    };
    const input = editInput(readFileSync(photo), sandboxModelClient, { tool, parameters, maxPixels });
    await pool.runEdit({ ...input, onFrame });
    release();
  }
  await Promise.all(Array.from({ length: atOnce }, once));
  process.stdout.write(JSON.stringify({ before, peak: residentBytes("VmHWM"), estimate }));
  process.exit(0);
}

function measure(task: Task): { before: number; peak: number; estimate: number } {
  const args = [...nodeFlags.worker, fileURLToPath(import.meta.url), "edit", JSON.stringify(task)];
  const env = { ...process.env, ...nodeEnvironment.worker };
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function printRow(...cells: readonly (string | number)[]): void {
  process.stdout.write(
    `| ${cells.map((cell) => (typeof cell === "number" ? Math.round(cell / MB) : cell)).join(" | ")} |\n`,
  );
}

/** A cut-out with a shadow is the largest of them. */
const outputs = [{ name: "main", preset: "amazon-main" }, { name: "cutout" }, { name: "card", shadow: {} }] as const;

const [role, ...rest] = process.argv.slice(2);
if (role === "edit") await edit(JSON.parse(rest[0]!) as Task);
const folder = mkdtempSync(join(tmpdir(), "packshot-peak-memory-"));
const photo = join(folder, "photo");
const alone = { photo, atOnce: 1, budgetBytes: Number.MAX_SAFE_INTEGER };
if (role === "at-once") {
  writeFileSync(photo, await takePhoto(100, "jpeg"));
  const [atOnce, budgetMb] = rest.map(Number) as [number, number];
  printRow("masks of 100 MP at once", "budget MB", "before MB", "peak MB", "each is estimated MB");
  for (const budgetBytes of [Number.MAX_SAFE_INTEGER, budgetMb * MB]) {
    const { before, peak, estimate } = measure({ tool: "mask", format: undefined, photo, atOnce, budgetBytes });
    printRow(String(atOnce), budgetBytes === Number.MAX_SAFE_INTEGER ? "none" : budgetBytes, before, peak, estimate);
  }
} else {
  printRow("tool", "MP", "source", "result", "taken MB", "estimated MB");
  for (const megapixels of [12, 50, 100]) {
    for (const source of ["jpeg", "png"] as const) {
      writeFileSync(photo, await takePhoto(megapixels, source));
      // An AVIF of 100 MP takes more memory than most machines have.
      const others = megapixels < 100 && source === "jpeg" ? (["jpeg", "webp", "avif"] as const) : [];
      for (const tool of toolIds) {
        for (const format of [undefined, ...others]) {
          const { before, peak, estimate } = measure({ ...alone, tool, format });
          printRow(tool, String(megapixels), source, format ?? "default", peak - before, estimate);
        }
        if (source === "png") continue;
        for (const format of others) {
          const parameters = { output: { crop: "product", width: 1_600 } } as const;
          const { before, peak, estimate } = measure({ ...alone, tool, format, parameters });
          printRow(tool, String(megapixels), source, `${format}, cropped, 1600 wide`, peak - before, estimate);
        }
        if (tool === "mask") {
          const files = measure({ ...alone, tool, format: undefined, parameters: { outputs } });
          printRow(tool, String(megapixels), source, "three files", files.peak - files.before, files.estimate);
          continue;
        }
        const { before, peak, estimate } = measure({ ...alone, tool, format: undefined, parameters: { layers: true } });
        printRow(tool, String(megapixels), source, "default, with layers", peak - before, estimate);
      }
    }
  }
}
rmSync(folder, { recursive: true });
