/**
 * Measures the time from a photo to its PNG cut-out through the public API, and of rembg with the same weights (u2netp)
 * on the same machine; writes bench/results/<date>/mask-speed.md:
 *
 *     python -m venv .cache/rembg && .cache/rembg/bin/pip install rembg==2.0.86 onnxruntime
 *     node bench/mask/measure-speed.ts [--python .cache/rembg/bin/python] [--runs 9] [--date 2026-11-21]
 *
 * Packshot is timed from the request with the photo to the last byte of the downloaded PNG: HTTP, storage, log, queue and
 * model server included. For rembg only the call is timed, from bytes to bytes in one process. The two alternate.
 */

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startService } from "../../cli/up/start-service.ts";
import { photosFolder, shared } from "../../testing/mask/photos-with-truth.ts";
import { formWith, startLiveStack } from "../../testing/stack/live-stack.ts";
import { resizedPhoto } from "../measuring/resized-photo.ts";
import { median } from "../measuring/statistics.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    python: { type: "string", default: join(root, ".cache", "rembg", "bin", "python") },
    photo: { type: "string", default: "white-wb07-brown-0" },
    megapixels: { type: "string", default: "1,4,12" },
    runs: { type: "string", default: "9" },
  },
});
/** After about twelve edits a worker's code is compiled. */
const warmUps = 15;
const weights = join(shared, "models", "u2netp.onnx");

interface MeasuredSystem {
  /** Milliseconds from photo to PNG. */
  cutOut(photo: Buffer): Promise<number>;
  stop(): Promise<void>;
}

async function startRembg(folder: string): Promise<MeasuredSystem> {
  const script = join(root, "bench", "mask", "rembg_server.py");
  let onAnswer: (line: string) => void = () => {};
  const rembg = await startService({
    name: "rembg",
    program: options.python,
    args: [script, weights, join(folder, "home")],
    environment: process.env,
    waitForReady: ({ untilLine }) => untilLine((line) => line === "ready" || undefined),
    onLine: (line) => onAnswer(line),
  });
  const photoFile = join(folder, "photo.jpg");
  const outFile = join(folder, "cut.png");
  return {
    async cutOut(photo) {
      await writeFile(photoFile, photo);
      const answer = Promise.withResolvers<number>();
      onAnswer = (line) => {
        if (/^[\d.]+$/.test(line)) answer.resolve(Number(line));
      };
      rembg.stdin.write(`${photoFile}\t${outFile}\n`);
      return await answer.promise;
    },
    stop: () => rembg.stop(),
  };
}

interface Job {
  readonly status: string;
  readonly resultUrl: string;
  readonly timings: Readonly<Record<string, number>>;
}

/** The whole stack as `packshot up` starts it, with u2netp in the model folder. */
async function startPackshot(jobs: Job[]): Promise<MeasuredSystem> {
  const { file, stop } = await startLiveStack({
    PACKSHOT_MODEL_DIR: join(shared, "models"),
    // The same photo is sent again and again.
    PACKSHOT_KEPT_MATTE_SECONDS: "0",
  });
  const headers = { Authorization: `Bearer ${file.apiKey}`, Prefer: "wait=60" };
  return {
    async cutOut(photo) {
      const form = new Response(formWith(photo, { model: "u2netp" }));
      const type = { "Content-Type": form.headers.get("Content-Type")! };
      const body = Buffer.from(await form.arrayBuffer());
      const startedMs = performance.now();
      const answer = await send("POST", `${file.apiUrl}/v1/tools/mask/edit`, { ...headers, ...type }, body);
      const job = JSON.parse(answer.toString()) as Job;
      if (job.status !== "completed") throw new Error(`the edit ended as ${answer}`);
      const png = await send("GET", job.resultUrl);
      const tookMs = performance.now() - startedMs;
      if (png.subarray(1, 4).toString() !== "PNG") throw new Error("the result is not a PNG");
      jobs.push(job);
      return tookMs;
    },
    stop,
  };
}

/** `fetch` is not used, because its streams cost this process 20 ms for a PNG of 12 MP. */
async function send(method: string, url: string, headers: OutgoingHttpHeaders = {}, body?: Buffer): Promise<Buffer> {
  const sent = request(url, { method, headers, timeout: 60_000 });
  sent.on("timeout", () => sent.destroy(new Error(`${method} ${url}: no answer in 60 s`))).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return await buffer(answer);
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const ms = (values: readonly number[]) =>
  `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "packshot-speed-"));
  const jobs: Job[] = [];
  const systems: MeasuredSystem[] = [];
  const rows: string[] = [];
  const stages: string[] = [];
  const loadBefore = loadavg()[0]!;
  try {
    const packshot = await startPackshot(jobs);
    systems.push(packshot);
    const rembg = await startRembg(folder);
    systems.push(rembg);
    for (const megapixels of options.megapixels.split(",").map(Number)) {
      const photo = await resizedPhoto(join(photosFolder, `${options.photo}.jpg`), megapixels);
      // Compares long-lived processes, whose compilers and allocators have warmed up.
      for (let run = 0; run < warmUps; run++) for (const system of [packshot, rembg]) await system.cutOut(photo);
      const packshotMs: number[] = [];
      const rembgMs: number[] = [];
      jobs.length = 0;
      for (let run = 0; run < Number(options.runs); run++) {
        packshotMs.push(await packshot.cutOut(photo));
        rembgMs.push(await rembg.cutOut(photo));
      }
      rows.push(
        row([`${megapixels} MP`, ms(packshotMs), ms(rembgMs), (median(packshotMs) / median(rembgMs)).toFixed(2)]),
      );
      const names = Object.keys(jobs[0]!.timings);
      if (stages.length === 0) stages.push(row(["photo", ...names]), row(["---", ...names.map(() => "---")]));
      stages.push(
        row([`${megapixels} MP`, ...names.map((name) => String(median(jobs.map((job) => job.timings[name]!))))]),
      );
      process.stdout.write(`${rows.at(-1)}\n`);
    }
  } finally {
    for (const system of systems) await system.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  await report(rows, stages, loadBefore);
}

async function report(rows: readonly string[], stages: readonly string[], loadBefore: number): Promise<void> {
  const folder = join(root, "bench", "results", options.date);
  await mkdir(folder, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, "node_modules", "sharp", "package.json"), "utf8")) as {
    version: string;
  };
  await writeFile(
    join(folder, "mask-speed.md"),
    `# JPEG to PNG cut-out with u2netp, through our API and by rembg: measured ${options.date}

${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Node ${process.version}, sharp ${version}, rembg 2.0.86 with one session reused.
Load before: ${loadBefore.toFixed(1)}. Photo: ${options.photo}, scaled. \`node bench/mask/measure-speed.ts --runs ${options.runs}\`: the two take
turns after ${warmUps} warm-ups, milliseconds passed, median (least–most).

Ours: from the request that carries the photo to the last byte of the PNG, one client (node:http), the stack of \`packshot up\` with
one worker. rembg: the call alone, from bytes in memory to PNG bytes in memory, without any server around it. Ours cuts at
full resolution and cleans the edge's colors; rembg enlarges the matte.

${row(["photo", "Packshot, through the API", "rembg, the call alone", "ours / theirs"])}
${row(["---", "---", "---", "---"])}
${rows.join("\n")}

Our stages as the job reports them (milliseconds passed, medians):

${stages.join("\n")}
`,
  );
}

await main();
