/**
 * Models in their served form, as a repository for Triton: their graphs are what their configurations say.
 * @module-tag python
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseModelConfig, type TensorConfig } from "@packshot/models/config-pbtxt.ts";
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";
import * as ort from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const repository = fileURLToPath(new URL("../../models", import.meta.url));
const wrapMain = fileURLToPath(new URL("../../packages/models/wrap-model-main.ts", import.meta.url));

/** Weights are downloaded, and not at hand here: a small network with the same input stands for them. */
function writeUnwrapped(folder: string, name: string): void {
  for (const file of ["config.pbtxt", "packshot.json"]) {
    mkdirSync(join(folder, name, "1"), { recursive: true });
    writeFileSync(join(folder, name, file), readFileSync(join(repository, name, file)));
  }
  const network = tinySegmenter({ width: 320, height: 320, channels: 3, batch: 1, depth: 1 });
  writeFileSync(join(folder, name, "1", "model.onnx"), encodeModel(network));
}

describe("the model repository for Triton", { timeout: 300_000 }, () => {
  const fixture = suiteFixture(async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-triton-"));
    writeUnwrapped(join(folder, "unwrapped"), "u2netp");
    const models = [join(repository, "packshot-mask"), join(folder, "unwrapped", "u2netp")];
    const to = join(folder, "triton-models");
    execFileSync(process.execPath, [wrapMain, "--to", to, ...models], { stdio: "pipe" });
    return { to, stop: async () => rmSync(folder, { recursive: true }) };
  });

  it.each(["packshot-mask", "u2netp"])(
    "has a graph for %s whose tensors are those of the configuration",
    async (name) => {
      const file = join(fixture.to, name, "config.pbtxt");
      const { input, output, maxBatchSize } = parseModelConfig(readFileSync(file, "utf8"), file);
      expect(maxBatchSize).toBeGreaterThan(0);
      const session = await ort.InferenceSession.create(join(fixture.to, name, "1", "model.onnx"), {
        logSeverityLevel: 3,
      });
      for (const [tensors, metadata] of [
        [input, session.inputMetadata],
        [output, session.outputMetadata],
      ] as const) {
        expect(metadata.map(describeMetadata)).toEqual(tensors.map(describeConfig));
      }
    },
  );
});

/** Triton wants the batch dimension to be dynamic where there is a `max_batch_size`. */
function describeConfig({ name, dataType, dims }: TensorConfig) {
  return { name, type: dataType.replace("TYPE_", "").toLowerCase(), shape: ["dynamic", ...dims] };
}

function describeMetadata(metadata: ort.InferenceSession.ValueMetadata) {
  if (!metadata.isTensor) return { name: metadata.name };
  const shape = metadata.shape.map((size) => (typeof size === "number" && size > 0 ? size : "dynamic"));
  return { name: metadata.name, type: metadata.type, shape };
}
