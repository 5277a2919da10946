import { afterAll, expect, test } from "vitest";
import { floatsOf, readReferences, referencesFolder, shadesOf } from "../../../testing/generative/references.ts";
import { openOnnxGraphs } from "./onnx-graphs.ts";
import { promptTokenizer } from "./prompt-tokens.ts";
import { paintByStable } from "./stable-pipeline.ts";

const json = readReferences("clip-tokenizer.json");
const opened = ["sd-inpainting", "sdxl"].map((name) => ({
  name,
  graphs: openOnnxGraphs(`${referencesFolder}${name}`, { logSeverityLevel: 3 }),
}));
afterAll(() => Promise.all(opened.map(({ graphs }) => graphs.release())));

const euler = {
  _class_name: "EulerDiscreteScheduler",
  num_train_timesteps: 1_000,
  beta_start: 0.00085,
  beta_end: 0.012,
  beta_schedule: "scaled_linear",
  steps_offset: 1,
  timestep_spacing: "trailing",
};

test.each([
  { name: "sd-inpainting", picture: "lcm", steps: 4, ran: 4, asked: {}, strength: 1, isFilled: true },
  {
    name: "sd-inpainting",
    picture: "guided",
    steps: 6,
    ran: 6,
    asked: { scheduler: euler, guidance: 3 },
    strength: 1,
    isFilled: true,
  },
  { name: "sd-inpainting", picture: "weakLcm", steps: 4, ran: 2, asked: {}, strength: 0.6, isFilled: true },
  { name: "sdxl", picture: "weakFill", steps: 4, ran: 2, asked: {}, strength: 0.6, isFilled: true },
  { name: "sdxl", picture: "text", steps: 4, ran: 4, asked: {}, strength: 1, isFilled: false },
  { name: "sdxl", picture: "fill", steps: 4, ran: 4, asked: {}, strength: 1, isFilled: true },
] as const)("the picture of $name, $picture, is diffusers' own within a thousandth", async (each) => {
  const { pipeline, pictures, prompt, side, ...given } = readReferences(`${each.name}.json`);
  const config = { ...pipeline, ...each.asked };
  const { graphs } = opened.find(({ name }) => name === each.name)!;
  const tokenizer = promptTokenizer(json, "<|endoftext|>");
  const second = config.secondPadding === undefined ? undefined : promptTokenizer(json, config.secondPadding);
  const rgb = Uint8Array.from(Buffer.from(given.photo, "base64"));
  const steps: string[] = [];
  const { data } = await paintByStable(
    { config, graphs, tokenizer, secondTokenizer: second },
    {
      prompt,
      seed: 1,
      strength: each.strength,
      noise: floatsOf(given.noise),
      width: side,
      height: side,
      steps: each.steps,
      references: each.isFilled ? [{ width: side, height: side, rgb }] : [],
      ...(each.isFilled && { fill: Uint8Array.from(Buffer.from(given.fill, "base64")) }),
      signal: new AbortController().signal,
      onStep: (done, of) => steps.push(`${done}/${of}`),
    },
  );
  const expected = shadesOf(pictures[each.picture]!);
  const shown = data.map((value) => Math.min(1, Math.max(0, value / 2 + 0.5)));
  expect(shown.length).toBe(expected.length);
  // What is black or white in both pictures proves nothing.
  expect(expected.filter((value) => value > 0 && value < 1).length).toBeGreaterThan(expected.length / 3);
  const far = expected.reduce((most, value, at) => Math.max(most, Math.abs(value - shown[at]!)), 0);
  expect(far).toBeLessThanOrEqual(1e-3);
  expect(steps.at(-1)).toBe(`${each.ran}/${each.ran}`);
});
