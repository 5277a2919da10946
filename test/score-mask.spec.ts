/**
 * Quality of cut-outs on photos with known truth, with public weights and with our own.
 * @module-tag long
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type CutOutOptions, cutOut } from "../services/inference/edits/cut-out/cut-out.ts";
import { runEdit } from "../services/inference/edits/tools/run-edit.ts";
import {
  edgeRingError,
  holeRecall,
  missingComponents,
  shadowKept,
  thinRecall,
} from "../testing/mask/matte-invariants.ts";
import { scoreMatte } from "../testing/mask/matte-scores.ts";
import { hasPhotos, listPhotos, photosFolder, readPhoto, shared } from "../testing/mask/photos-with-truth.ts";
import { editInput } from "../testing/models/edit-input.ts";
import { createInProcessModels } from "../testing/models/in-process-models.ts";

const models = createInProcessModels({
  u2netp: join(shared, "models", "u2netp.onnx"),
  "packshot-mask": fileURLToPath(new URL("../models/packshot-mask/1/model.onnx", import.meta.url)),
});

const editOf = (source: Buffer, model: string) => editInput(source, models, { parameters: { model } });
const cutOutPhoto = (source: Buffer, model: string, options?: CutOutOptions) => cutOut(editOf(source, model), options);
const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

interface Measured {
  readonly name: string;
  readonly group: string;
  readonly iou: number;
  readonly boundaryIou: number;
  readonly holes: number | undefined;
  readonly thin: number | undefined;
  readonly shadow: number | undefined;
  readonly missing: number;
  readonly edge: number;
}

async function measure(name: string, model: string): Promise<Measured> {
  const photo = await readPhoto(name);
  const {
    cut: { rgb, alpha },
    photo: decoded,
  } = await cutOutPhoto(photo.bytes, model);
  return {
    name,
    group: photo.group,
    ...scoreMatte(alpha, photo.truth, photo.width, photo.height),
    holes: holeRecall(alpha, photo.truth, photo),
    thin: thinRecall(alpha, photo.truth, photo),
    shadow: await shadowKept(alpha, photo.truth, decoded.rgb, photo),
    missing: missingComponents(alpha, photo.truth, photo),
    edge: edgeRingError(rgb, alpha, photo),
  };
}

const present = (values: readonly (number | undefined)[]) => values.filter((v) => v !== undefined);

describe.skipIf(!hasPhotos)("u2netp with our refinement, on photos with truth (needs PACKSHOT_SHARED)", () => {
  let all: Measured[];
  const of = (group: string) => all.filter((m) => m.group === group);

  beforeAll(async () => {
    all = [];
    for (const name of await listPhotos()) all.push(await measure(name, "u2netp"));
  }, 1_500_000);

  it.each([
    ["white", 0.98, 0.85],
    ["studio", 0.985, 0.78],
    ["scene", 0.97, 0.72],
  ])("%s photos: IoU at least %d, boundary IoU at least %d", (group, iou, boundary) => {
    expect(mean(of(group).map((m) => m.iou))).toBeGreaterThanOrEqual(iou);
    expect(mean(of(group).map((m) => m.boundaryIou))).toBeGreaterThanOrEqual(boundary);
  });

  it("opens nine tenths of enclosed holes", () => {
    expect(mean(present(all.map((m) => m.holes)))).toBeGreaterThanOrEqual(0.9);
  });

  it("keeps four fifths of parts thinner than 1 % of the diagonal", () => {
    expect(mean(present(all.map((m) => m.thin)))).toBeGreaterThanOrEqual(0.8);
  });

  it("keeps every component over 1 % of the image", () => {
    expect(all.filter((m) => m.missing > 0).map((m) => m.name)).toEqual([]);
  });

  it("keeps no natural shadow", () => {
    const shadows = present(all.map((m) => m.shadow));
    expect(shadows.length).toBeGreaterThan(4);
    expect(Math.max(...shadows)).toBeLessThanOrEqual(0.02);
  });

  it("leaves the product's own colors at the edge, on black, white and magenta", () => {
    expect(all.filter((m) => m.edge > 5).map((m) => `${m.name} ${m.edge}`)).toEqual([]);
  });
});

describe.skipIf(!hasPhotos)("our own weights with refinement (needs PACKSHOT_SHARED)", () => {
  it("cut products out of white photos at IoU .98", async () => {
    const white = (await listPhotos()).filter((name) => name.startsWith("white"));
    const scores: number[] = [];
    for (const name of white) scores.push((await measure(name, "packshot-mask")).iou);
    expect(mean(scores)).toBeGreaterThanOrEqual(0.98);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.95);
  }, 300_000);

  it("follow edges better with refinement than without, in photos of 320 pixels, too", async () => {
    const refined: number[] = [];
    const plain: number[] = [];
    for (const name of (await listPhotos()).filter((photo) => photo.startsWith("scene"))) {
      const { source, truth, width, height } = await readReduced(name, 320);
      const boundaryIou = async (options?: CutOutOptions) =>
        scoreMatte((await cutOutPhoto(source, "packshot-mask", options)).alpha, truth, width, height).boundaryIou;
      refined.push(await boundaryIou());
      plain.push(await boundaryIou({ refine: false }));
    }
    expect(mean(refined)).toBeGreaterThan(mean(plain));
  }, 300_000);
});

/** @param longSide of both, in pixels */
async function readReduced(name: string, longSide: number) {
  const { bytes, truth, width, height } = await readPhoto(name);
  const box = { width: longSide, height: longSide, fit: "inside" } as const;
  const plane = sharp(truth, { raw: { width, height, channels: 1 } })
    .resize(box)
    .toColorspace("b-w");
  const { data, info } = await plane.raw().toBuffer({ resolveWithObject: true });
  const source = await sharp(bytes).resize(box).jpeg({ quality: 92 }).toBuffer();
  return { source, truth: new Uint8Array(data), width: info.width, height: info.height };
}

describe.skipIf(!hasPhotos)("fidelity (needs PACKSHOT_SHARED)", () => {
  it("gives rembg's matte when refinement is off", async () => {
    const theirs = join(photosFolder, "rembg-anime-girl-1.rembg-u2netp.png");
    const { data } = await sharp(theirs).extractChannel(3).raw().toBuffer({ resolveWithObject: true });
    const source = await readFile(join(photosFolder, "rembg-anime-girl-1.jpg"));
    const { alpha } = await cutOutPhoto(source, "u2netp", { refine: false });
    expect(mean(Array.from(alpha, (v, i) => Math.abs(v - data[i]!) / 255))).toBeLessThanOrEqual(0.005);
  });

  it("hands out the product's own pixels to the bit where alpha is 255", async () => {
    const source = await readFile(join(photosFolder, "white-wb07-brown-0.jpg"));
    const { result, report } = await runEdit(editOf(source, "u2netp"));
    const [before, after] = await Promise.all([
      sharp(source).raw().toBuffer(),
      sharp(result.bytes).raw().toBuffer({ resolveWithObject: true }),
    ]);
    expect(after.info.channels).toBe(4);
    let most = 0;
    let opaque = 0;
    for (let i = 0; i < after.data.length / 4; i++) {
      if (after.data[i * 4 + 3] !== 255) continue;
      opaque++;
      for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(after.data[i * 4 + c]! - before[i * 3 + c]!));
    }
    expect(opaque).toBeGreaterThan(100_000);
    expect(most).toBe(0);
    expect(report.changedOpaqueShare).toBe(0);
  });
});
