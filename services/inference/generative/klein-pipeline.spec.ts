import { afterAll, expect, test } from "vitest";
import { floatsOf, readReferences, referencesFolder, shadesOf } from "../../../testing/generative/references.ts";
import { type KleinRequest, paintByKlein } from "./klein-pipeline.ts";
import { openOnnxGraphs } from "./onnx-graphs.ts";
import { promptTokenizer } from "./prompt-tokens.ts";

const { pipeline: config, pictures, prompt, side, ...given } = readReferences("klein.json");
const graphs = openOnnxGraphs(`${referencesFolder}klein`, { logSeverityLevel: 3 });
afterAll(graphs.release);
const model = { config, graphs, tokenizer: promptTokenizer(readReferences("qwen-tokenizer.json"), "<|endoftext|>") };
const photo = { width: side, height: side, rgb: Uint8Array.from(Buffer.from(given.photo, "base64")) };
const style = { ...given.style, rgb: Uint8Array.from(Buffer.from(given.style.rgb, "base64")) };
const fill = Uint8Array.from(Buffer.from(given.fill, "base64"));
const request: KleinRequest = {
  prompt,
  seed: 1,
  width: side,
  height: side,
  steps: 4,
  references: [],
  noise: floatsOf(given.noise),
  signal: new AbortController().signal,
};

test.each([
  { name: "text", asked: {} },
  { name: "reference", asked: { references: [photo] } },
  { name: "fill", asked: { references: [photo], fill } },
  { name: "styledFill", asked: { references: [photo, style], fill } },
  { name: "weakFill", asked: { references: [photo], fill, strength: 0.6 } },
])("the picture of $name is diffusers' own within a thousandth", async ({ name, asked }) => {
  const { data } = await paintByKlein(model, { ...request, ...asked });
  const expected = shadesOf(pictures[name]!);
  const shown = data.map((value) => Math.min(1, Math.max(0, value / 2 + 0.5)));
  expect(shown.length).toBe(expected.length);
  // What is black or white in both pictures proves nothing.
  expect(expected.filter((value) => value > 0 && value < 1).length).toBeGreaterThan(expected.length / 3);
  const far = expected.reduce((most, value, at) => Math.max(most, Math.abs(value - shown[at]!)), 0);
  expect(far).toBeLessThanOrEqual(1e-3);
});
