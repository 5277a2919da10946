/** An image model through the worker's client: the stand-in's picture is known. */
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { styleShare } from "../../../testing/generative/analytic-klein.ts";
import { writeImageModel } from "../../../testing/generative/image-model-folder.ts";
import { readReferences, referencesFolder } from "../../../testing/generative/references.ts";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { promptTokenizer, qwenChat } from "../generative/prompt-tokens.ts";
import type { OpenInferenceClient } from "../model-client/open-inference-client.ts";
import type { PaintRequest } from "../model-client/painter.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

const logger = createLogger({ name: "test", level: "silent" });
const metricsRegistry = new Registry();
const folder = mkdtempSync(join(tmpdir(), "packshot-image-models-"));
const deps = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], threads: 1, logger };
/** A step of the slow one takes some tenths of a second. */
const slowBy = 2_000;
const shift = 0.001;
let server: ModelServer;
let client: OpenInferenceClient;

beforeAll(async () => {
  writeTinyModel(folder, "tiny", 1);
  writeImageModel(folder, "known", { shift });
  writeImageModel(folder, "broken", { shift: Number.NaN });
  writeImageModel(folder, "slow", { shift, slowBy });
  writeImageModel(folder, "together", { shift, slowBy: 1_000, file: { batchMax: 4, steps: 20 } });
  writeTinySdxl(join(folder, "sdxl", "1"));
  server = await startModelServer({ ...deps, metricsRegistry });
  client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
});
afterAll(async () => {
  client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Its weights are random. */
function writeTinySdxl(version: string): void {
  cpSync(`${referencesFolder}sdxl`, version, { recursive: true });
  copyFileSync(`${referencesFolder}clip-tokenizer.json`, join(version, "tokenizer.json"));
  const about = { description: "A tiny one", license: "Apache-2.0", steps: 4, pixelsMax: 4_096, batchMax: 2 };
  const { pipeline } = readReferences("sdxl.json");
  const file = { pipeline: "stable-diffusion", padding: "<|endoftext|>", ...about, ...pipeline };
  writeFileSync(join(version, "pipeline.json"), JSON.stringify(file));
}

const width = 24;
const height = 16;
const reference = Uint8Array.from({ length: 3 * width * height }, (_, at) => 40 + ((at * 37) % 160));
const isPainted = (at: number) => at % width >= width / 2;

function requestFor(asked: Partial<PaintRequest> = {}): PaintRequest {
  return {
    prompt: "oak",
    seed: 47,
    strength: 1,
    width,
    height,
    reference,
    fill: Uint8Array.from({ length: width * height }, (_, at) => (isPainted(at) ? 255 : 0)),
    tenant: "acct",
    deadlineAtMs: Date.now() + 60_000,
    signal: new AbortController().signal,
    onStep() {},
    ...asked,
  };
}

/** What the words add to each byte. */
function colorOf(prompt: string): number {
  const tokenizer = promptTokenizer(readReferences("qwen-tokenizer.json"), "<|endoftext|>");
  const { ids, mask } = tokenizer.encodePadded(qwenChat(prompt), 64);
  const mean = ids.reduce((sum, id, at) => sum + id * mask[at]!, 0) / ids.length;
  return mean * shift * 0.5 * 127.5;
}

async function metric(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
  const { values } = await metricsRegistry.getSingleMetric(name)!.get();
  const wanted = Object.entries(labels);
  return values.find((value) => wanted.every(([label, text]) => value.labels[label] === text))?.value ?? 0;
}

/** How many steps have run, and for how many pictures. */
async function batchSizes(model: string): Promise<{ readonly count: number; readonly sum: number }> {
  const { values } = await metricsRegistry.getSingleMetric("packshot_inference_batch_size")!.get();
  const of = (end: string) =>
    (values as readonly { metricName?: string; labels: { model?: string }; value: number }[]).find(
      ({ metricName, labels }) => metricName?.endsWith(end) && labels.model === model,
    )!.value;
  return { count: of("_count"), sum: of("_sum") };
}

it("says what pictures the model paints", async () => {
  const described = { model: "known@1", steps: 4, patchPixels: 4, pixelsMax: 262_144 };
  expect(await client.painter("known").describe()).toEqual(described);
  await expect(client.painter("none").describe()).rejects.toMatchObject({ code: "model_unavailable" });
  await expect(client.painter("tiny").describe()).rejects.toThrow(/is no image model/);
  await expect(client.describe("known")).rejects.toThrow(/does not take images/);
});

it.each(["oak", "a marble table in the morning"])("paints %s where the mask says so, step by step", async (prompt) => {
  const steps: string[] = [];
  const onStep = (done: number, of: number) => void steps.push(`${done}/${of}`);
  const { picture, provider, runMs } = await client.painter("known").paint(requestFor({ prompt, onStep }));
  const added = (at: number) => (isPainted(Math.floor(at / 3)) ? colorOf(prompt) : 0);
  expect(picture).toEqual(Buffer.from(reference.map((value, at) => Math.round(value + added(at)))));
  expect([provider, runMs! > 0]).toEqual(["cpu", true]);
  expect(steps).toEqual(["1/4", "2/4", "3/4", "4/4"]);
});

it("gives the picture the look of a second reference, of its own size", async () => {
  const shade = 230;
  const style = { width: 12, height: 8, rgb: new Uint8Array(3 * 12 * 8).fill(shade) };
  const { picture } = await client.painter("known").paint(requestFor({ style }));
  const given = styleShare * ((shade / 255) * 2 - 1 - 0.25) * 127.5;
  const added = (at: number) => (isPainted(Math.floor(at / 3)) ? colorOf("oak") + given : 0);
  expect(picture).toEqual(Buffer.from(reference.map((value, at) => Math.round(value + added(at)))));
});

it("runs fewer steps the nearer to the reference the picture is to stay", async () => {
  const steps: string[] = [];
  const onStep = (done: number, of: number) => void steps.push(`${done}/${of}`);
  await client.painter("known").paint(requestFor({ strength: 0.5, onStep }));
  expect(steps).toEqual(["1/2", "2/2"]);
});

it("answers no picture where the graphs answer no numbers, and asks no other server", async () => {
  expect(await client.painter("broken").paint(requestFor())).toMatchObject({ picture: null });
});

it("ends a picture that is given up after the step that runs, and paints the next one", async () => {
  const abort = new AbortController();
  const steps: number[] = [];
  const onStep = (done: number) => {
    steps.push(done);
    abort.abort(new Error("given up"));
  };
  const painter = client.painter("slow");
  await expect(painter.paint(requestFor({ signal: abort.signal, onStep }))).rejects.toThrow("given up");
  // The only thread is free again, long before the other steps would have run.
  const { picture } = await painter.paint(requestFor());
  expect(picture).toHaveLength(reference.length);
  expect(steps).toEqual([1]);
  expect(await metric("packshot_inference_requests_total", { model: "slow", outcome: "abandoned" })).toBe(1);
});

it("ends a picture whose deadline passes, with deadline_exceeded", async () => {
  const late = requestFor({ deadlineAtMs: Date.now() + 50 });
  await expect(client.painter("slow").paint(late)).rejects.toMatchObject({ code: "deadline_exceeded" });
});

it("paints pictures together, each as it is alone, whatever becomes of the others", async () => {
  const painter = client.painter("together");
  const asked = [{ seed: 1 }, { seed: 2, prompt: "a marble table" }, { seed: 3, strength: 0.5 }].map(requestFor);
  const alone = [];
  for (const each of asked) alone.push((await painter.paint(each)).picture);
  const stepsBefore = await batchSizes("together");
  const firstStep = Promise.withResolvers<void>();
  const steps = asked.map((): number[] => []);
  const painted = asked.map((each, at) => {
    const onStep = (done: number) => {
      steps[at]!.push(done);
      firstStep.resolve();
    };
    return painter.paint({ ...each, onStep });
  });
  await firstStep.promise;
  const abort = new AbortController();
  const givenUp = painter.paint(requestFor({ signal: abort.signal, onStep: () => abort.abort(new Error("given up")) }));
  await expect(givenUp).rejects.toThrow("given up");
  const late = painter.paint(requestFor({ deadlineAtMs: Date.now() + 50 }));
  await expect(late).rejects.toMatchObject({ code: "deadline_exceeded" });
  expect((await Promise.all(painted)).map(({ picture }) => picture)).toEqual(alone);
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  expect(steps).toEqual([upTo(20), upTo(20), upTo(10)]);
  const ran = await batchSizes("together");
  const pictures = ran.sum - stepsBefore.sum;
  expect(pictures).toBeGreaterThanOrEqual(51);
  expect(ran.count - stepsBefore.count).toBeLessThan(pictures);
});

it("paints by a model of SDXL's kind, which shares steps, too, and keeps what is outside the mask", async () => {
  const painter = client.painter("sdxl");
  expect(await painter.describe()).toMatchObject({ model: "sdxl@1", steps: 4, patchPixels: 4 });
  const side = 64;
  const photo = Uint8Array.from({ length: 3 * side * side }, (_, at) => 90 + ((at * 7) % 60));
  const fill = new Uint8Array(side * side).fill(255, side * 32);
  const asked = (seed: number) => requestFor({ width: side, height: side, reference: photo, fill, seed });
  const alone = [await painter.paint(asked(1)), await painter.paint(asked(2))].map(({ picture }) => picture!);
  const together = await Promise.all([painter.paint(asked(1)), painter.paint(asked(2))]);
  expect(together.map(({ picture }) => picture)).toEqual(alone);
  const above = (picture: Uint8Array) => [...picture.subarray(0, 3 * side * 8)];
  const below = (picture: Uint8Array) => [...picture.subarray(3 * side * 48)];
  const [first, second] = alone as [Uint8Array, Uint8Array];
  // The VAE's attention has each place see all others, a little.
  const far = (a: readonly number[], b: readonly number[]) =>
    Math.max(...a.map((value, at) => Math.abs(value - b[at]!)));
  expect(far(above(first), above(second))).toBeLessThan(far(below(first), below(second)) / 4);
});

it("answers masks while it paints, from a queue of their own", async () => {
  const events: string[] = [];
  const firstStep = Promise.withResolvers<void>();
  const onStep = () => firstStep.resolve();
  const painting = client.painter("slow").paint(requestFor({ onStep }));
  const painted = painting.then(() => events.push("picture"));
  await firstStep.promise;
  const side = tinyModelSide;
  const input = { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3) };
  const { tenant, deadlineAtMs, signal } = requestFor();
  await client.predict({ model: "tiny", input, tenant, deadlineAtMs, signal });
  events.push("mask");
  await painted;
  expect(events).toEqual(["mask", "picture"]);
});

it.each([
  { asked: { width: 22, reference: reference.subarray(0, 22 * height * 3) }, says: /multiples of 4/ },
  { asked: { fill: new Uint8Array(4) }, says: /byte size mismatch/ },
  { asked: { strength: 0 }, says: /STRENGTH must be above 0/ },
  {
    asked: { style: { width: 6, height: 4, rgb: new Uint8Array(72) } },
    says: /STYLE must have sides of multiples of 4/,
  },
])("refuses what it cannot paint: $says", async ({ asked, says }) => {
  const fill = new Uint8Array((asked.width ?? width) * height);
  await expect(client.painter("known").paint(requestFor({ fill, ...asked }))).rejects.toThrow(says);
});

it.each([
  { file: { batchMax: 0 }, says: /pipeline\.json: batchMax must be 1 to 64, not 0/ },
  { file: { steps: 0 }, says: /pipeline\.json: steps must be 1 to 100, not 0/ },
  { file: { mean: [0] }, says: /pipeline\.json: mean must be 48 numbers/ },
  { file: { scheduler: {} }, says: /no sampler for undefined/ },
])("does not start with a pipeline that it cannot run: $says", async ({ file, says }) => {
  const faulty = mkdtempSync(join(tmpdir(), "packshot-image-models-"));
  writeImageModel(faulty, "faulty", { shift, file });
  await expect(startModelServer({ ...deps, modelDirs: [faulty] })).rejects.toThrow(says);
  rmSync(faulty, { recursive: true });
});
