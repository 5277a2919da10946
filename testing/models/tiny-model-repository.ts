/** Model repositories for tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";

export const tinyModelSide = 32;

/** Writes a small model with random weights into a repository, so that a test's server warms up quickly. */
export function writeTinyModel(folder: string, name: string, seed: number, version = "1", depth = 1): void {
  mkdirSync(join(folder, name, version), { recursive: true });
  const model = tinySegmenter({
    width: tinyModelSide,
    height: tinyModelSide,
    channels: 3,
    seed,
    depth,
    hidden: depth === 1 ? 8 : 64,
  });
  writeFileSync(join(folder, name, version, "model.onnx"), encodeModel(model));
  const pre = {
    width: tinyModelSide,
    height: tinyModelSide,
    channels: "rgb",
    divideBy: "255",
    mean: [0, 0, 0],
    std: [1, 1, 1],
  };
  const post = { output: null, activation: "none", range: "none" };
  const about = {
    version: "1",
    description: "random",
    license: "Apache-2.0",
    trainedOn: "nothing",
    source: null,
    score: null,
  };
  writeFileSync(join(folder, name, "packshot.json"), JSON.stringify({ name, ...about, pre, post }));
}
