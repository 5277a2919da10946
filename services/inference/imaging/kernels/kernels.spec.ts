/** The kernels give what the same loops in plain TypeScript give, on random pictures of random sizes. */

import fc from "fast-check";
import { expect, it } from "vitest";
import * as plainBackdrop from "../../../../testing/imaging-oracles/backdrop.ts";
import * as plainColorEvidence from "../../../../testing/imaging-oracles/color-evidence.ts";
import * as plainComponents from "../../../../testing/imaging-oracles/connected-components.ts";
import * as plainEdges from "../../../../testing/imaging-oracles/edge-alpha.ts";
import * as plainForeground from "../../../../testing/imaging-oracles/estimate-foreground.ts";
import * as plainGaps from "../../../../testing/imaging-oracles/fill-gaps.ts";
import * as plainMarks from "../../../../testing/imaging-oracles/ground-marks.ts";
import * as plainLab from "../../../../testing/imaging-oracles/lab.ts";
import * as plainUncertainty from "../../../../testing/imaging-oracles/matte-uncertainty.ts";
import * as plainEvidence from "../../../../testing/imaging-oracles/measure-backdrop.ts";
import * as plainMorphology from "../../../../testing/imaging-oracles/morphology.ts";
import * as plainResample from "../../../../testing/imaging-oracles/resample.ts";
import * as plainRays from "../../../../testing/imaging-oracles/segment-by-color.ts";
import * as plainDistance from "../../../../testing/imaging-oracles/signed-distance.ts";
import { estimateEdgeAlpha } from "../matting/alpha/edge-alpha.ts";
import { estimateForeground } from "../matting/alpha/estimate-foreground.ts";
import { fitBackdrop } from "../matting/evidence/backdrop.ts";
import { addColorEvidence } from "../matting/evidence/color-evidence.ts";
import { measureBackdrop } from "../matting/evidence/measure-backdrop.ts";
import {
  createWorkGrid,
  gridColors,
  marksAbove,
  maskBelowPrior,
  priorAbove,
  priorFrom,
  toUnitRange,
  type WorkGrid,
} from "../matting/evidence/work-grid.ts";
import { matteUncertainty } from "../matting/predict/matte-uncertainty.ts";
import { joinChannels } from "../matting/predict/model-input.ts";
import { flipHorizontally } from "../matting/predict/test-time-augmentation.ts";
import { segmentByColor } from "../matting/refine-matte.ts";
import { fillGaps } from "../matting/report/expected-overlap.ts";
import { labelComponents } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import { rgbToLab } from "../pixels/lab.ts";
import { dilate, erode, listMarks, markEdge } from "../pixels/morphology.ts";
import { resamplePlane } from "../pixels/resample.ts";
import { signedDistance } from "../pixels/signed-distance.ts";
import { findGroundMarks } from "../source/ground-marks.ts";
import { addressOf, computeBytes, inKernelMemory } from "./kernel-memory.ts";
import { kernels } from "./kernels.ts";

interface Picture extends Size {
  /** The product as a mask. */
  readonly mask: Uint8Array;
  readonly rgb: Uint8Array;
  /** A soft matte of the product, of the same size. */
  readonly matte: Uint8Array;
}

/** Pseudorandom numbers, 0…1: fast-check would draw each byte by itself. */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Discs of one color on another, both with noise, so that there are edges, holes, thin parts and plain areas. */
function drawPicture({
  width,
  height,
  seed,
  noise,
}: {
  width: number;
  height: number;
  seed: number;
  noise: number;
}): Picture {
  const random = randomNumbers(seed);
  const discs = Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 1 + random() * 0.4 * Math.min(width, height),
    value: random() < 0.7 ? 1 : 0,
  }));
  const [front, back] = [0, 1].map(() => [0, 1, 2].map(() => random() * 255)) as [number[], number[]];
  const mask = new Uint8Array(width * height);
  const matte = new Uint8Array(width * height);
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < mask.length; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    let soft = 0;
    for (const disc of discs) {
      const inside = Math.min(1, Math.max(0, disc.radius - Math.hypot(x - disc.x, y - disc.y) + 0.5));
      soft += inside * (disc.value - soft);
    }
    mask[i] = soft >= 0.5 ? 1 : 0;
    matte[i] = Math.round(255 * soft);
    for (let c = 0; c < 3; c++) {
      const color = back[c]! + soft * (front[c]! - back[c]!) + noise * (random() - 0.5);
      rgb[3 * i + c] = Math.min(255, Math.max(0, Math.round(color)));
    }
  }
  return { width, height, mask, rgb, matte };
}

const side = fc.integer({ min: 1, max: 90 });
const pictures = fc
  .record({ width: side, height: side, seed: fc.integer(), noise: fc.constantFrom(0, 6, 60) })
  .map(drawPicture);
const runs = { numRuns: 30 };
/** Floats may round a value that is nearly between two the other way. */
const roundedMax = 0.5001;

function gridOf(picture: Picture): WorkGrid {
  const small = { width: Math.ceil(picture.width / 3), height: Math.ceil(picture.height / 3) };
  const alpha = plainResample.resamplePlane(picture.matte, picture, small);
  return createWorkGrid(gridColors(picture), { ...small, alpha, networkPixel: 1 });
}

/** Rows of several words of 64 cells. */
const widePictures = fc
  .record({ width: fc.integer({ min: 1, max: 300 }), height: side, seed: fc.integer(), noise: fc.constant(0) })
  .map(drawPicture);

it("spreads a mask, to the byte", () => {
  fc.assert(
    fc.property(widePictures, fc.integer({ min: 0, max: 100 }), (picture, radius) => {
      const { mask } = picture;
      expect(dilate(mask, picture, radius)).toEqual(plainMorphology.dilate(mask, picture, radius));
      expect(erode(mask, picture, radius)).toEqual(plainMorphology.erode(mask, picture, radius));
    }),
    runs,
  );
});

it("lists the cells of a mask, and those at its edge", () => {
  fc.assert(
    fc.property(widePictures, (picture) => {
      const { mask, width, height } = picture;
      const cells = [...mask.keys()].filter((i) => mask[i] === 1);
      expect([...listMarks(mask)]).toEqual(cells);
      const isAtEdge = (i: number) =>
        (i % width > 0 && mask[i - 1] === 0) ||
        (i % width < width - 1 && mask[i + 1] === 0) ||
        (i >= width && mask[i - width] === 0) ||
        (i < width * (height - 1) && mask[i + width] === 0);
      expect([...listMarks(markEdge(mask, picture))]).toEqual(cells.filter(isAtEdge));
    }),
    runs,
  );
});

it("marks what is above a limit that is a float, a little more and a little less", () => {
  const plane = Float32Array.from({ length: 99 }, (_, i) => i / 7);
  for (const limit of [plane[40]!, plane[40]! + 1e-12, plane[40]! - 1e-12, 40 / 7]) {
    expect(marksAbove(plane, limit)).toEqual(Uint8Array.from(plane, (value) => (value > limit ? 1 : 0)));
  }
});

it("maps bytes to the nearest float of their share of 255", () => {
  const bytes = Uint8Array.from({ length: 255 + 3 }, (_, i) => i);
  expect(toUnitRange(bytes)).toEqual(Float32Array.from(bytes, (byte) => byte / 255));
});

it("joins a fourth channel, and mirrors rows of any number of channels", () => {
  fc.assert(
    fc.property(pictures, ({ width, height, rgb, matte }) => {
      const joined = joinChannels(rgb, matte);
      expect(joined).toEqual(
        Uint8Array.from({ length: 4 * matte.length }, (_, at) =>
          at % 4 === 3 ? matte[at >> 2]! : rgb[3 * (at >> 2) + (at % 4)]!,
        ),
      );
      for (const [channels, data] of [
        [1, matte],
        [3, rgb],
        [4, joined],
      ] as const) {
        const mirrored = data.map((_, at) => {
          const pixel = Math.floor(at / channels);
          const other = pixel - (pixel % width) + width - 1 - (pixel % width);
          return data[other * channels + (at % channels)]!;
        });
        expect(flipHorizontally({ shape: [1, height, width, channels], data }).data).toEqual(mirrored);
      }
    }),
    runs,
  );
});

it("measures distances to the edge, to the bit", () => {
  fc.assert(
    fc.property(pictures, fc.integer({ min: 1, max: 9 }), (picture, limit) => {
      const { mask } = picture;
      expect(signedDistance(mask, picture, limit)).toEqual(plainDistance.signedDistance(mask, picture, limit));
    }),
    runs,
  );
});

it("labels components", () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      expect(labelComponents(picture.mask, picture)).toEqual(plainComponents.labelComponents(picture.mask, picture));
    }),
    runs,
  );
});

it("resamples a plane, rounded but for ties", () => {
  const size = fc.record({ width: side, height: side });
  fc.assert(
    fc.property(pictures, size, (picture, to) => {
      const expected = plainResample.resampledValues(picture.matte, picture, to);
      const errors = resamplePlane(picture.matte, picture, to).map((value, i) =>
        Math.abs(value - expected[i]!) <= roundedMax ? 0 : 1,
      );
      expect(errors).toEqual(new Uint8Array(expected.length));
    }),
    runs,
  );
});

it("converts to Lab, to the bit", () => {
  fc.assert(
    fc.property(pictures, ({ rgb }) => {
      expect(rgbToLab(rgb)).toEqual(plainLab.rgbToLab(rgb));
    }),
    runs,
  );
});

it("raises the prior by the evidence of colors, to the bit", () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const grid = gridOf(picture);
      const unsure = { ...grid, prior: grid.prior.map((p, i) => p * (0.4 + (i % 7) / 10)) };
      expect(addColorEvidence(unsure).prior).toEqual(plainColorEvidence.addColorEvidence(unsure).prior);
    }),
    runs,
  );
});

it("compares the network's levels as their floats", () => {
  const thresholds = fc.oneof(
    fc.double({ min: 0, max: 0.999, noNaN: true }),
    fc.integer({ min: 0, max: 254 }).map((level) => level / 255),
    fc.integer({ min: 0, max: 254 }).map((level) => Math.fround(level / 255)),
  );
  fc.assert(
    fc.property(pictures, thresholds, (picture, threshold) => {
      const grid = gridOf(picture);
      const { mask } = picture;
      expect(grid.priorLevels).toBeDefined();
      expect(priorFrom(grid, threshold)).toEqual(Uint8Array.from(grid.prior, (p) => Number(p >= threshold)));
      expect(priorAbove(grid, threshold)).toEqual(Uint8Array.from(grid.prior, (p) => Number(p > threshold)));
      expect(maskBelowPrior(mask, grid, threshold)).toEqual(mask.map((is, i) => (grid.prior[i]! < threshold ? is : 0)));
    }),
    runs,
  );
});

it("keeps what is dark, to the byte", () => {
  fc.assert(
    fc.property(pictures, fc.double({ min: 0, max: 100, noNaN: true }), (picture, lightnessMax) => {
      const { mask, lab } = { ...picture, ...gridColors(picture) };
      const kept = computeBytes(mask.length, (to) =>
        kernels.keepDark(addressOf(mask), addressOf(lab), mask.length, lightnessMax, to),
      );
      expect(kept).toEqual(mask.map((is, i) => (lab[3 * i]! > lightnessMax ? 0 : is)));
    }),
    runs,
  );
});

it("measures a matte's uncertainty", () => {
  fc.assert(
    fc.property(pictures, fc.integer({ min: 1, max: 3 }), ({ width, height, matte }, networkPixel) => {
      const prior = { width, height, alpha: matte, networkPixel };
      expect(matteUncertainty(prior)).toBeCloseTo(plainUncertainty.matteUncertainty(prior), 9);
    }),
    runs,
  );
});

it("fills the gaps of a matte, to the byte", () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      expect(fillGaps(picture.matte, picture)).toEqual(plainGaps.fillGaps(picture.matte, picture));
    }),
    runs,
  );
});

it("fits a backdrop to 1e-4, and compares the photo with it, to the bit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 64 }), fc.integer(), (side, seed) => {
      const picture = drawPicture({ width: side, height: side, seed, noise: 6 });
      const fitted = fitBackdrop(picture.rgb, side);
      const expected = plainBackdrop.fitBackdrop(picture.rgb, side);
      expect(fitted.side).toBe(side);
      expect(fitted.residual).toBeCloseTo(expected.residual, 4);
      expect(fitted.agreement).toBeCloseTo(expected.agreement, 4);
      expect(
        Math.max(...fitted.coefficients.map((value, i) => Math.abs(value - expected.coefficients[i]!))),
      ).toBeLessThan(1e-4);
      const others = fitted.channel.map((value, i) => Math.abs(value - expected.channel[i]!));
      expect(Math.max(...others)).toBeLessThanOrEqual(1);
      // Only what lies that near to the middle of two bytes is rounded to the other one: more of a larger picture.
      expect(others.reduce((sum, other) => sum + other, 0)).toBeLessThanOrEqual(Math.max(1, others.length / 1000));
      const grid = gridOf(picture);
      const { tintAt: _tint, isAllAround: _all, ...evidence } = measureBackdrop(grid, fitted);
      expect(evidence).toEqual(plainEvidence.measureBackdrop(grid, fitted));
    }),
    runs,
  );
});

it("segments by the colors on either side of the edge, but for a cell that is both by 1e-6", () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const grid = gridOf(picture);
      const expected = plainRays.segmentByColor(grid);
      const others = segmentByColor(grid).filter((value, i) => value !== expected[i]);
      expect(others.length).toBeLessThanOrEqual(1);
    }),
    runs,
  );
});

it("estimates alpha at edges, to the byte, of a photo larger than its grid", () => {
  fc.assert(
    fc.property(pictures, fc.integer({ min: 1, max: 3 }), (picture, scale) => {
      const size = { width: picture.width * scale, height: picture.height * scale };
      const { rgb } = drawPicture({ ...size, seed: scale, noise: 30 });
      const grid = gridOf(picture);
      const expected = plainEdges.estimateEdgeAlpha(rgb, size, picture.mask, grid);
      expect(estimateEdgeAlpha(rgb, size, picture.mask, grid)).toEqual(expected);
      // The same where the grid's planes stay in the kernels' memory.
      expect(inKernelMemory(() => estimateEdgeAlpha(rgb, size, picture.mask, gridOf(picture)))).toEqual(expected);
    }),
    runs,
  );
});

it("estimates the foreground, to the byte", async () => {
  await fc.assert(
    fc.asyncProperty(pictures, async (picture) => {
      const { rgb, matte, width, height } = picture;
      const photo = { format: "png", width, height, rgb } as const;
      expect(estimateForeground(photo, rgb, picture, matte)).toEqual(
        plainForeground.estimateForeground(photo, rgb, picture, matte),
      );
    }),
    runs,
  );
});

it("finds the marks on the ground beside a product, to the bit", () => {
  const letters = fc.array(fc.record({ x: fc.nat(150), y: fc.nat(110), by: fc.integer({ min: -60, max: 60 }) }));
  const sides = fc.record({ width: fc.integer({ min: 60, max: 900 }), height: fc.integer({ min: 60, max: 120 }) });
  let found = 0;
  fc.assert(
    fc.property(sides, fc.integer(), letters, ({ width, height }, seed, drawn) => {
      const { rgb, matte } = drawPicture({ width, height, seed, noise: 3 });
      for (const { x, y, by } of drawn) {
        for (let i = 0; i < 60; i++) {
          const at = (y + (i % 10)) * width + x + Math.floor(i / 10);
          if (at < matte.length) for (let c = 0; c < 3; c++) rgb[3 * at + c] = Math.max(0, rgb[3 * at + c]! + by);
        }
      }
      const photo = { format: "png", width, height, rgb } as const;
      const marks = findGroundMarks(photo, matte);
      expect(marks).toEqual(plainMarks.findGroundMarks(photo, matte));
      found += marks?.letters.length ?? 0;
    }),
    { numRuns: 60 },
  );
  expect(found).toBeGreaterThan(20);
});
