import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { analyticKleinConfig, styleShare, writeAnalyticKlein } from "../../../testing/generative/analytic-klein.ts";
import { readReferences } from "../../../testing/generative/references.ts";
import { type KleinRequest, paintByKlein } from "./klein-pipeline.ts";
import { openOnnxGraphs } from "./onnx-graphs.ts";
import { promptTokenizer, qwenChat } from "./prompt-tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-klein-"));
const shift = 0.001;
writeAnalyticKlein(join(folder, "known"), { shift });
writeAnalyticKlein(join(folder, "broken"), { shift: Number.NaN });
const graphs = openOnnxGraphs(join(folder, "known"));
const broken = openOnnxGraphs(join(folder, "broken"));
afterAll(async () => {
  await Promise.all([graphs.release(), broken.release()]);
  rmSync(folder, { recursive: true });
});
const tokenizer = promptTokenizer(readReferences("qwen-tokenizer.json"), "<|endoftext|>");
const model = { config: analyticKleinConfig, graphs, tokenizer };
const width = 24;
const height = 16;
const count = width * height;
const photo = Uint8Array.from({ length: 3 * count }, (_, at) => (at * 37) % 256);
const request: KleinRequest = {
  prompt: "oak",
  seed: 47,
  width,
  height,
  steps: 4,
  references: [{ width, height, rgb: photo }],
  signal: new AbortController().signal,
};
const photographed = (at: number) => (photo[(at % count) * 3 + Math.floor(at / count)]! / 255) * 2 - 1;

/** What the text adds to each value of a picture. */
function colorOf(prompt: string): number {
  const { ids, mask } = tokenizer.encodePadded(qwenChat(prompt), 64);
  return (ids.reduce((sum, id, at) => sum + id * mask[at]!, 0) / ids.length) * shift * 0.5;
}

test.each(["oak", "a marble table"])("the picture of %s is the reference in the text's color", async (prompt) => {
  const { data } = await paintByKlein(model, { ...request, prompt });
  const far = data.map((value, at) => Math.abs(value - photographed(at) - colorOf(prompt)));
  expect(Math.max(...far)).toBeLessThan(1e-5);
});

test("a second reference of another size gives its look: here a share of its mean color", async () => {
  const shades = [200, 90, 30];
  const style = {
    width: 8,
    height: 12,
    rgb: Uint8Array.from({ length: 3 * 96 }, (_, at) => shades[at % 3]!),
  };
  const { data } = await paintByKlein(model, { ...request, references: [...request.references, style] });
  // As latents are scaled, a quarter is no color, and half of a scaled one is added to the picture.
  const given = shades.map((shade) => styleShare * ((shade / 255) * 2 - 1 - 0.25));
  const added = (at: number) => colorOf("oak") + given[Math.floor(at / count)]!;
  expect(Math.max(...data.map((value, at) => Math.abs(value - photographed(at) - added(at))))).toBeLessThan(1e-5);
});

test("outside the mask the picture stays, inside it is painted", async () => {
  const fill = Uint8Array.from({ length: count }, (_, at) => (at % width < width / 2 ? 255 : 0));
  const { data } = await paintByKlein(model, { ...request, fill });
  const added = (at: number) => (fill[at % count] === 255 ? colorOf("oak") : 0);
  expect(Math.max(...data.map((value, at) => Math.abs(value - photographed(at) - added(at))))).toBeLessThan(1e-5);
});

test("a picture that is given up between steps asks for no further step", async () => {
  const controller = new AbortController();
  const steps: number[] = [];
  const onStep = (done: number) => {
    steps.push(done);
    if (done === 2) controller.abort(new Error("given up"));
  };
  await expect(paintByKlein(model, { ...request, signal: controller.signal, onStep })).rejects.toThrow("given up");
  expect(steps).toEqual([1, 2]);
});

test("a graph that answers no numbers ends the picture, by its name", async () => {
  await expect(paintByKlein({ ...model, graphs: broken }, request)).rejects.toThrow(/text_encoder answers NaN/);
});
