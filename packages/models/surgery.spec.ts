/** The surgery on graphs, held against onnxruntime itself. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { type ModelManifest, parseManifest } from "./manifest.ts";
import { decodeModel, elementTypes, encodeModel, fedInputs, type OnnxModel, shapeOf } from "./onnx-file.ts";
import { servedModel } from "./served-model.ts";
import { tinySegmenter } from "./tiny-segmenter.ts";
import { isByteGraph, wrapForBytes } from "./wrap-for-bytes.ts";

const repository = fileURLToPath(new URL("../../models", import.meta.url));
const shared = process.env.PACKSHOT_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
const u2netpFile = join(shared, "models", "u2netp.onnx");

function manifestOf(name: string): ModelManifest {
  return parseManifest(readFileSync(join(repository, name, "packshot.json"), "utf8"), name);
}

/** An image with dark, bright, colored and noisy areas. */
function testImage(rows: number, width: number, height: number, channels: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(rows * width * height * channels);
  for (let at = 0; at < bytes.length; at += 1) {
    const noise = (Math.imul(at + seed, 2_654_435_761) >>> 24) & 31;
    bytes[at] = 20 + noise + ((at / channels) % width > width / 2 ? 180 : 0);
  }
  return bytes;
}

async function runBytes(model: Uint8Array, bytes: Uint8Array, shape: readonly number[]) {
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  const { matte } = await session.run({ image: new Tensor("uint8", bytes, shape) });
  await session.release();
  return { data: matte!.data as Uint8Array, dims: matte!.dims };
}

/** The reference in plain JavaScript: the processing that the model's authors do in Python around their network. */
async function runReference(core: OnnxModel, { pre, post }: ModelManifest, bytes: Uint8Array): Promise<Float64Array> {
  const { width, height, mean, std } = pre;
  const area = width * height;
  const channels = mean.length;
  const divisor = pre.divideBy === "255" ? 255 : bytes.reduce((most, byte) => Math.max(most, byte), 1);
  const floats = new Float32Array(area * channels);
  for (let at = 0; at < area; at += 1) {
    for (let c = 0; c < channels; c += 1)
      floats[c * area + at] = (bytes[at * channels + c]! / divisor - mean[c]!) / std[c]!;
  }
  const session = await InferenceSession.create(encodeModel(core), { logSeverityLevel: 3 });
  const results = await session.run({
    [session.inputNames[0]!]: new Tensor("float32", floats, [1, channels, height, width]),
  });
  const map = Float64Array.from(results[post.output ?? session.outputNames[0]!]!.data as Float32Array);
  await session.release();
  const inPlace = (change: (x: number) => number): void => {
    for (const [at, x] of map.entries()) map[at] = change(x);
  };
  if (post.activation === "sigmoid") inPlace((x) => 1 / (1 + Math.exp(-x)));
  if (post.range === "image-min-max") {
    const low = map.reduce((a, b) => Math.min(a, b));
    const spread = Math.max(map.reduce((a, b) => Math.max(a, b)) - low, 0.25);
    inPlace((x) => (x - low) / spread);
  }
  return map.map((x) => Math.min(255, Math.max(0, x * 255)));
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let at = 0; at < a.length; at += 1) largest = Math.max(largest, Math.abs(a[at]! - b[at]!));
  return largest;
}

describe("every model in models/", () => {
  const small = (name: string): ModelManifest => {
    const manifest = manifestOf(name);
    return { ...manifest, pre: { ...manifest.pre, width: 48, height: 40 } };
  };

  it.each(readdirSync(repository).filter((name) => existsSync(join(repository, name, "packshot.json"))))(
    "%s: the wrapped graph is its makers' pipeline, to a rounding",
    async (name) => {
      const manifest = small(name);
      const { width, height, mean } = manifest.pre;
      const core = tinySegmenter({
        width,
        height,
        channels: mean.length,
        sigmoid: manifest.post.activation === "none",
        outputNames: name.startsWith("birefnet") ? ["output_image"] : [manifest.post.output ?? "d0", "d1", "d2"],
        opset: name.startsWith("birefnet") ? 18 : 13,
      });
      const bytes = testImage(1, width, height, mean.length);
      const wrapped = await runBytes(servedModel(encodeModel(core), manifest).bytes, bytes, [
        1,
        height,
        width,
        mean.length,
      ]);
      expect(wrapped.dims).toEqual([1, height, width, 1]);
      expect(largestDifference(wrapped.data, await runReference(core, manifest, bytes))).toBeLessThan(0.51);
    },
  );

  it("a batch gives the same as its images alone, also when the file was exported for one image", async () => {
    const manifest = small("isnet-general-use");
    const core = tinySegmenter({ width: 48, height: 40, channels: 3, batch: 1, outputNames: ["d0", "d1"] });
    const { bytes: model } = servedModel(encodeModel(core), manifest);
    const one = testImage(1, 48, 40, 3, 1);
    const two = testImage(1, 48, 40, 3, 99);
    const both = await runBytes(model, new Uint8Array([...one, ...two]), [2, 40, 48, 3]);
    const alone = [await runBytes(model, one, [1, 40, 48, 3]), await runBytes(model, two, [1, 40, 48, 3])];
    expect(largestDifference(both.data, [...alone[0]!.data, ...alone[1]!.data])).toBeLessThanOrEqual(1);
  });

  it("drops unused outputs and their weights", () => {
    const manifest = small("u2net");
    const wrapped = wrapForBytes(
      tinySegmenter({ width: 48, height: 40, channels: 3, outputNames: ["d0", "d1"] }),
      manifest.pre,
      manifest.post,
    );
    expect(wrapped.graph.output.map(({ name }) => name)).toEqual(["matte"]);
    expect(wrapped.graph.initializer.map(({ name }) => name)).not.toContain("logits1.weight");
  });

  it("in half floats the matte stays within 2 of 255", async () => {
    const manifest = small("u2net");
    const core = encodeModel(tinySegmenter({ width: 48, height: 40, channels: 3 }));
    const bytes = testImage(1, 48, 40, 3);
    const half = servedModel(core, manifest, { halfPrecision: true });
    expect(decodeModel(half.bytes).graph.initializer.some(({ dataType }) => dataType === elementTypes.float32)).toBe(
      false,
    );
    const full = await runBytes(servedModel(core, manifest).bytes, bytes, [1, 40, 48, 3]);
    expect(largestDifference((await runBytes(half.bytes, bytes, [1, 40, 48, 3])).data, full.data)).toBeLessThanOrEqual(
      2,
    );
  });

  it("a black image does not divide by zero", async () => {
    const manifest = small("u2net");
    const core = encodeModel(tinySegmenter({ width: 48, height: 40, channels: 3 }));
    const { data } = await runBytes(servedModel(core, manifest).bytes, new Uint8Array(48 * 40 * 3), [1, 40, 48, 3]);
    expect(data.every((byte) => byte <= 255)).toBe(true);
  });
});

describe("models that cannot be wrapped", () => {
  const { pre, post } = manifestOf("u2netp");
  it.each([
    [
      "another size",
      () => wrapForBytes(tinySegmenter({ width: 64, height: 64, channels: 3 }), pre, post),
      "the manifest says f32 [N,3,320,320]",
    ],
    [
      "other channels",
      () => wrapForBytes(tinySegmenter({ width: 320, height: 320, channels: 4 }), pre, post),
      "is [-1,4,320,320]",
    ],
    [
      "no such output",
      () => wrapForBytes(tinySegmenter({ width: 320, height: 320, channels: 3 }), pre, { ...post, output: "x" }),
      "has no output x",
    ],
    [
      "old operators",
      () => wrapForBytes(tinySegmenter({ width: 320, height: 320, channels: 3, opset: 10 }), pre, post),
      "too old",
    ],
    ["no model", () => decodeModel(Buffer.from("<html>404</html>")), "not an ONNX model"],
    ["nothing", () => decodeModel(new Uint8Array()), "not an ONNX model"],
  ])("%s: names the fault", (_, act, text) => {
    expect(act).toThrow(text);
  });
});

describe.skipIf(!existsSync(u2netpFile))("u2netp, the published weights (needs PACKSHOT_SHARED)", () => {
  it("is read and written back byte by byte", () => {
    const file = readFileSync(u2netpFile);
    expect(Buffer.compare(encodeModel(decodeModel(file)), file)).toBe(0);
  });

  it("wrapped, gives its authors' map up to rounding; in half floats within 3 of 255", async () => {
    const manifest = manifestOf("u2netp");
    const file = readFileSync(u2netpFile);
    const { bytes: model } = servedModel(file, manifest);
    expect(isByteGraph(decodeModel(model))).toBe(true);
    expect(shapeOf(fedInputs(decodeModel(model).graph)[0]!)).toEqual([-1, 320, 320, 3]);
    const bytes = testImage(1, 320, 320, 3);
    const full = await runBytes(model, bytes, [1, 320, 320, 3]);
    expect(largestDifference(full.data, await runReference(decodeModel(file), manifest, bytes))).toBeLessThan(0.51);
    const half = servedModel(file, manifest, { halfPrecision: true });
    expect(
      largestDifference((await runBytes(half.bytes, bytes, [1, 320, 320, 3])).data, full.data),
    ).toBeLessThanOrEqual(3);
  });
});
