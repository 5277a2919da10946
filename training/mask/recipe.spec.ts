/**
 * The whole training recipe, tiny. Python and torch are not part of the product, so it only runs where they are
 * installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const python = process.env.PACKSHOT_TRAINING_PYTHON;
const usable = python !== undefined && spawnSync(python, ["-c", "import torch, cv2, onnx, onnxruntime"]).status === 0;
const reason = usable
  ? ""
  : " (skipped: PACKSHOT_TRAINING_PYTHON must name an interpreter with training/mask/requirements.txt)";

const recipeMsMax = 900_000;

function sha256Of(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** A file of int8 weights stands beside exactly the weights that it was made from, or not at all. */
function expectInt8OfTheseWeights(folder: string): void {
  const { sha256, int8 } = JSON.parse(readFileSync(join(folder, "packshot.json"), "utf8"));
  const record = JSON.parse(readFileSync(join(folder, "training.json"), "utf8"));
  const file = join(folder, "1/model.int8.onnx");
  expect(existsSync(file)).toBe(int8 !== undefined);
  expect(record.int8).toEqual(int8 === undefined ? undefined : expect.objectContaining(int8));
  if (int8 !== undefined) expect(int8).toMatchObject({ sha256: sha256Of(file), madeFrom: sha256 });
}

describe.skipIf(!usable)(`training the mask network${reason}`, () => {
  let out: string;

  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), "packshot-training-"));
    const run = spawnSync(join(import.meta.dirname, "smoke.sh"), [out], {
      env: { ...process.env, PYTHON: python },
      encoding: "utf8",
      timeout: recipeMsMax,
    });
    expect(run.status, run.stderr).toBe(0);
  }, recipeMsMax);

  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it("renders, trains, and goes on with a run from its checkpoint", () => {
    const curve = JSON.parse(readFileSync(join(out, "run/curve.json"), "utf8"));
    expect(curve.curve.map(({ step }: { step: number }) => step)).toEqual([24, 30]);
    expect(curve.curve.at(-1).seen).toBe(240);
    expect(curve.curve.at(-1).heldOutIou).toEqual({ shards: expect.any(Number) });
    expect(curve.recipe.pictures).toBe(750);
  });

  it("loses nothing from a run to its exported graph and back, the coarse outputs included", () => {
    expect(Number(readFileSync(join(out, "difference"), "utf8"))).toBe(0);
  });

  it("goes on from the bundled weights", () => {
    const { curve } = JSON.parse(readFileSync(join(out, "onward/curve.json"), "utf8"));
    expect(curve.at(-1).step).toBe(3);
  });

  it("trains a large network of at most 30 MB, and a small one that it teaches", () => {
    const manifest = JSON.parse(readFileSync(join(out, "large-model/packshot.json"), "utf8"));
    const record = JSON.parse(readFileSync(join(out, "large-model/training.json"), "utf8"));
    expect(manifest.name).toBe("packshot-mask-large");
    expect(manifest.size).toBeLessThanOrEqual(30_000_000);
    expect(record.parameters).toBeLessThanOrEqual(15_000_000);
    const { recipe } = JSON.parse(readFileSync(join(out, "taught/curve.json"), "utf8"));
    expect(recipe).toMatchObject({ size: "small", teacher: "average.pt" });
  });

  it("quantizes the exported weights, which the manifest and the training record name", () => {
    expect(existsSync(join(out, "model/1/model.int8.onnx"))).toBe(true);
    expectInt8OfTheseWeights(join(out, "model"));
  });

  it("writes a manifest whose hash is the weights'", () => {
    const manifest = JSON.parse(readFileSync(join(out, "model/packshot.json"), "utf8"));
    const weights = readFileSync(join(out, "model/1/model.onnx"));
    expect(manifest.sha256).toBe(createHash("sha256").update(weights).digest("hex"));
    expect(manifest.size).toBe(weights.length);
    expect(manifest.score).toBeNull();
    expect(manifest.pre).toMatchObject({ width: 32, height: 32, channels: "rgb+backdrop" });
  });
});

describe("the bundled mask weights", () => {
  const folder = join(import.meta.dirname, "../../models/packshot-mask");
  const manifest = JSON.parse(readFileSync(join(folder, "packshot.json"), "utf8"));
  const weights = readFileSync(join(folder, "1/model.onnx"));

  it("are the ones that the manifest and the training record name", () => {
    const sha256 = createHash("sha256").update(weights).digest("hex");
    const record = JSON.parse(readFileSync(join(folder, "training.json"), "utf8"));
    expect(manifest.sha256).toBe(sha256);
    expect(record.sha256["model.onnx"]).toBe(sha256);
  });

  it("have int8 weights that were made from them, if any", () => {
    expectInt8OfTheseWeights(folder);
  });

  it("stay within 3 M parameters, 12 MB", () => {
    const record = JSON.parse(readFileSync(join(folder, "training.json"), "utf8"));
    expect(record.parameters).toBeLessThanOrEqual(3_000_000);
    expect(weights.length).toBeLessThanOrEqual(12_000_000);
  });
});
