/**
 * The int8 weights: on no processor do sums of them saturate, and they cut out as well as the original ones.
 * @module-tag long
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeModel, elementTypes, type OnnxTensor } from "@packshot/models/onnx-file.ts";
import { describe, expect, it } from "vitest";
import { cutOut } from "../services/inference/edits/cut-out/cut-out.ts";
import { choosePrecision } from "../services/inference/model-server/model-precision.ts";
import { scoreMatte } from "../testing/mask/matte-scores.ts";
import { hasPhotos, readPhoto } from "../testing/mask/photos-with-truth.ts";
import { editInput } from "../testing/models/edit-input.ts";
import { createInProcessModels } from "../testing/models/in-process-models.ts";

const folder = fileURLToPath(new URL("../models/packshot-mask/1/", import.meta.url));
const models = { original: "model.onnx", int8: "model.int8.onnx" };
const hasInt8File = existsSync(join(folder, models.int8));
const isRunHere =
  choosePrecision({ onGpu: false, halfOnGpu: false, hasInt8File, int8: "auto" }) === "int8" && hasPhotos;

const clientOf = (precision: keyof typeof models) =>
  createInProcessModels({ "packshot-mask": join(folder, models[precision]) });
const clients = { original: clientOf("original"), int8: clientOf("int8") };

async function scoreOf(name: string, precision: keyof typeof models) {
  const photo = await readPhoto(name);
  const { cut } = await cutOut(editInput(photo.bytes, clients[precision], { parameters: { model: "packshot-mask" } }));
  return scoreMatte(cut.alpha, photo.truth, photo.width, photo.height);
}

/**
 * x86 without VNNI adds the products of two neighboring input channels with levels up to 255 in 16 bits, with saturation.
 * Returns the largest sum of one sign of two such weights [O, I, h, w].
 */
function largestPairSum({ dims, rawData }: OnnxTensor): number {
  const weights = new Int8Array(rawData!.buffer, rawData!.byteOffset, rawData!.byteLength);
  const [, channels, ...kernel] = dims.map(Number);
  const places = kernel.reduce((product, side) => product * side, 1);
  let largest = 0;
  for (let at = 0; at < weights.length; at += places) {
    if ((Math.floor(at / places) % channels!) % 2 === 1) continue;
    for (let place = at; place < at + places; place++) {
      const one = weights[place]!;
      const other = weights[place + places] ?? 0;
      largest = Math.max(largest, Math.max(one, 0) + Math.max(other, 0), -Math.min(one, 0) - Math.min(other, 0));
    }
  }
  return largest;
}

describe.skipIf(!hasInt8File)("the bundled int8 weights", () => {
  it("give the same sums on every processor", () => {
    const { initializer } = decodeModel(readFileSync(join(folder, models.int8))).graph;
    const convolved = initializer.filter(({ dataType, dims }) => dataType === elementTypes.int8 && dims.length === 4);
    expect(convolved.length).toBeGreaterThan(20);
    for (const weights of convolved) {
      const largest = largestPairSum(weights);
      expect(largest * 255, weights.name).toBeLessThan(2 ** 15);
      // As large as they may be, or some precision is lost.
      expect(largest, weights.name).toBeGreaterThan(120);
    }
  });
});

describe.skipIf(!isRunHere)("the bundled int8 weights (skipped without fast int8 or photos)", () => {
  it.each(["white-wb07-brown-0", "studio-mighty-mug", "scene-mb02-gray-0"])(
    "cut %s out as well as the original ones",
    async (name) => {
      const original = await scoreOf(name, "original");
      const int8 = await scoreOf(name, "int8");
      expect(int8.iou).toBeGreaterThan(original.iou - 0.01);
      expect(int8.boundaryIou).toBeGreaterThan(original.boundaryIou - 0.02);
    },
  );
});
