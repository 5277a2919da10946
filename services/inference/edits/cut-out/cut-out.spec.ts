/**
 * What a network with test-time augmentation sees, and where its prediction is placed. The network of these tests
 * takes red for the product, and is not sure of pale red.
 */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ModelClient, Tensor } from "../../model-client/model-client.ts";
import { type CutOutOptions, cutOut } from "./cut-out.ts";

const side = 64;

function redIsProduct(testTimeAugmentation: boolean) {
  const inputs: Tensor[] = [];
  const modelNames: string[] = [];
  const models: ModelClient = {
    describe: async (model) => {
      modelNames.push(model);
      return { width: side, height: side, channels: "rgb", testTimeAugmentation, version: "1" };
    },
    predict: async ({ model, input }) => {
      modelNames.push(model);
      inputs.push(input);
      const data = Uint8Array.from({ length: side * side }, (_, i) => 255 - input.data[i * 3 + 1]!);
      return { output: { shape: [1, side, side, 1], data }, modelName: "red", modelVersion: "1" };
    },
  };
  return { models, inputs, modelNames };
}

/**
 * A flag on white: a thin pole at the left, cloth at its upper right, so that a mirrored or shifted matte shows.
 *
 * @param isPale with a pale patch in the middle of the cloth
 */
async function flag(scale: number, left: number, top: number, isPale = true) {
  const width = 900;
  const height = 700;
  const truth = new Uint8Array(width * height);
  const draw = (x: number, y: number, w: number, h: number, alpha = 255) => {
    for (let row = y; row < y + h; row++) truth.fill(alpha, row * width + x, row * width + x + w);
  };
  draw(left, top, 10 * scale, 100 * scale);
  draw(left, top, 80 * scale, 40 * scale);
  if (isPale) draw(left + 25 * scale, top + 12 * scale, 24 * scale, 16 * scale, 150);
  const rgb = Uint8Array.from({ length: truth.length * 3 }, (_, i) => (i % 3 === 0 ? 255 : 255 - truth[(i / 3) | 0]!));
  return {
    source: await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
    truth,
  };
}

async function cut(
  source: Buffer,
  models: ModelClient,
  { model = "red", ...options }: CutOutOptions & { readonly model?: string } = {},
) {
  const parameters = { seed: 1, model };
  const { signal } = new AbortController();
  const input = { source, parameters, tenant: "t", deadlineAtMs: Date.now() + 60_000, maxPixels: 1e8, models, signal };
  return (await cutOut({ ...input, onStage: () => {} }, { refine: false, ...options })).alpha;
}

function iou(alpha: Uint8Array, truth: Uint8Array): number {
  let both = 0;
  let either = 0;
  for (let i = 0; i < truth.length; i++) {
    const a = alpha[i]! > 127;
    const b = truth[i]! > 127;
    if (a && b) both++;
    if (a || b) either++;
  }
  return both / either;
}

describe("test-time augmentation", () => {
  it.each([
    ["large", 5, 200, 120],
    ["at the corner", 3, 0, 400],
    ["so small that it is cropped from the photo itself", 1, 610, 300],
  ])("is placed where the product is: %s", async (_, scale, left, top) => {
    const { source, truth } = await flag(scale, left, top);
    const plain = redIsProduct(false);
    const augmented = redIsProduct(true);
    const plainIou = iou(await cut(source, plain.models), truth);
    const augmentedIou = iou(await cut(source, augmented.models), truth);
    expect([plain.inputs.length, augmented.inputs.length]).toEqual([1, 2]);
    expect(augmentedIou).toBeGreaterThan(plainIou);
    expect(augmentedIou).toBeGreaterThan(0.9);
  });

  it("mirrors the product: the pole is at the right", async () => {
    const { source } = await flag(5, 200, 120);
    const { models, inputs } = redIsProduct(true);
    await cut(source, models);
    const low = side * (side - 8);
    const green = (x: number) => inputs[1]!.data[(low + x) * 3 + 1]!;
    expect(green(side - 10)).toBeLessThan(60);
    expect(green(9)).toBeGreaterThan(200);
  });

  it("does not run where the first prediction is certain of a large product", async () => {
    const { source, truth } = await flag(5, 200, 120, false);
    const certain = redIsProduct(true);
    const unsure = redIsProduct(true);
    const matte = await cut(source, certain.models);
    expect(matte).toEqual(await cut(source, redIsProduct(false).models));
    expect(iou(matte, truth)).toBeGreaterThan(0.85);
    await cut((await flag(5, 200, 120)).source, unsure.models);
    expect([certain.inputs.length, unsure.inputs.length]).toEqual([1, 2]);
  });

  it("runs for a small product, which the network saw at a few pixels, however certain it is", async () => {
    const { models, inputs } = redIsProduct(true);
    await cut((await flag(2, 200, 120, false)).source, models);
    expect(inputs.length).toBe(2);
  });

  it("does not run where the network found nothing", async () => {
    const { models, inputs } = redIsProduct(true);
    const empty = await sharp({ create: { width: 300, height: 200, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    await expect(cut(empty, models)).rejects.toMatchObject({ code: "no_product_found" });
    expect(inputs.length).toBe(1);
  });
});

it("describes and runs the version that the edit names", async () => {
  const { models, modelNames } = redIsProduct(false);
  const { source } = await flag(2, 100, 100);
  await cut(source, models, { model: "red@3" });
  expect(modelNames).toEqual(["red@3", "red@3"]);
});

it("measures the photo for refinement while the network predicts, and refines as without", async () => {
  const { models } = redIsProduct(false);
  const { source } = await flag(5, 200, 120, false);
  const { promise: isMeasured, resolve: onMeasured } = Promise.withResolvers<void>();
  const slow: ModelClient = {
    ...models,
    async predict(request) {
      await isMeasured;
      return await models.predict(request);
    },
  };
  const hold: CutOutOptions["hold"] = (compute) => {
    onMeasured();
    return compute();
  };
  const alpha = await cut(source, slow, { refine: true, hold });
  expect(alpha).toEqual(await cut(source, models, { refine: true, hold: () => undefined }));
});
