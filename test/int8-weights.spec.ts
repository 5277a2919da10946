/** The int8 weights against the original ones, on this processor if the model server would run them here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cutOut } from "../services/inference/edits/cut-out.ts";
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

async function scoreOf(name: string, precision: keyof typeof models) {
  const photo = await readPhoto(name);
  const client = createInProcessModels({ "packshot-mask": join(folder, models[precision]) });
  const { cut } = await cutOut(editInput(photo.bytes, client, { parameters: { model: "packshot-mask" } }));
  return scoreMatte(cut.alpha, photo.truth, photo.width, photo.height);
}

describe.skipIf(!isRunHere)("the bundled int8 weights (skipped without int8 dot products or photos)", () => {
  it.each(["white-wb07-brown-0", "studio-mighty-mug", "scene-mb02-gray-0"])(
    "cut %s out as well as the original ones",
    async (name) => {
      const [original, int8] = [await scoreOf(name, "original"), await scoreOf(name, "int8")];
      expect(int8.iou).toBeGreaterThan(original.iou - 0.01);
      expect(int8.boundaryIou).toBeGreaterThan(original.boundaryIou - 0.02);
    },
  );
});
