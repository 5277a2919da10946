/** The kernels of shadows and scenes give what the same loops in plain TypeScript give. */

import { createRandom } from "@packshot/domain/random.ts";
import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import * as plainBlur from "../../../../testing/imaging-oracles/blur.ts";
import * as plainCompose from "../../../../testing/imaging-oracles/compose-scene.ts";
import * as plainNoise from "../../../../testing/imaging-oracles/noise.ts";
import * as plainOcclusion from "../../../../testing/imaging-oracles/occlusion.ts";
import * as plainToneMap from "../../../../testing/imaging-oracles/tone-map.ts";
import { blurPlane } from "../pixels/blur.ts";
import type { Box } from "../pixels/geometry.ts";
import { fitCamera } from "../scene/canvas/camera.ts";
import { createNoise } from "../scene/canvas/noise.ts";
import { composeScene } from "../scene/compose-scene.ts";
import { planScene } from "../scene/plan/scene-plan.ts";
import { toneMap } from "../scene/tone-map.ts";
import { parseTheme } from "../scene/words/theme.ts";
import { emptyLayer } from "../shadow/cast-shadow.ts";
import { darknessOf, footSky, writeDarkness } from "../shadow/ground-darkness.ts";
import { drawLight, lampRays, skyRays } from "../shadow/light.ts";
import { computeOcclusion, extrudeSilhouette, halveOutline } from "../shadow/occlusion.ts";
import { estimatePose } from "../shadow/pose.ts";
import {
  addressOf,
  computeFloats,
  inKernelMemory,
  kernelBytes,
  kernelFloats,
  kernelIntegers,
} from "./kernel-memory.ts";
import { kernels } from "./kernels.ts";

const seeds = [1, 2, 3, 4, 5, 6];

function isInBox({ left, top, width, height }: Box, x: number, y: number): boolean {
  return x >= left && x < left + width && y >= top && y < top + height;
}

function greatestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i]! - b[i]!));
  return most;
}

function longestRun(matte: Uint8Array): number[] {
  let longest = [0, 0];
  for (let x = 0; x < matte.length; x++) {
    const start = x;
    while (x < matte.length && matte[x] === 255) x++;
    if (x - start > longest[1]! - longest[0]!) longest = [start, x];
  }
  return longest;
}

describe("kernels of scenes", () => {
  it.each(seeds)("sum the octaves of noise, however fine the pixels: seed %i", (seed) => {
    const random = createRandom(seed);
    inKernelMemory(() => {
      const noise = createNoise(random);
      for (let octaves = 1; octaves <= 8; octaves++) {
        for (const footprint of [0, 0.01, 0.1, 0.3, 0.7]) {
          const x = random.between(-400, 400);
          const y = random.between(-400, 400);
          const plain = plainNoise.fractal((u, v) => noise.at(u, v), x, y, octaves, footprint);
          expect(noise.fractal(x, y, octaves, footprint)).toBeCloseTo(plain, 3);
        }
      }
    });
  });

  it.each(seeds)("tone map within a third of a step: seed %i", (seed) => {
    const random = createRandom(seed);
    const theme = random.pick(["vintage, warm", "black marble, dramatic", "neon tokyo", "pastel studio"]);
    const plan = planScene(parseTheme(theme), theme, seed);
    const camera = fitCamera(null, random.integer(1, 90), random.integer(1, 70), 1, 0.29);
    const light = Float32Array.from({ length: camera.width * camera.height * 3 }, () => 6 * random.next() ** 3 - 0.1);
    const plain = light.slice();
    plainToneMap.toneMap(plain, plan, camera);
    toneMap(light, plan, camera);
    expect(greatestDifference(light, plain)).toBeLessThan(0.33);
  });

  it.each(seeds)("compose within one step, with and without shadow and reflection: seed %i", (seed) => {
    const random = createRandom(seed);
    const width = random.integer(20, 130);
    const height = random.integer(20, 90);
    const cut = drawnCutOut(width, height, box(6, 5, width - 8, height - 7));
    const sceneWidth = random.integer(2, width);
    const sceneHeight = random.integer(2, height);
    const shadow = emptyLayer({ width, height }, random.between(1, 5));
    for (let i = 0; i < shadow.darkness.length; i++) shadow.darkness[i] = Math.max(0, random.between(-0.5, 1));
    const inset = random.integer(0, 3);
    const boxed = {
      left: inset,
      top: inset,
      width: Math.max(1, shadow.width - 2 * inset),
      height: Math.max(1, shadow.height - 2 * inset),
    };
    const isMirrored = (at: number) => isInBox(boxed, at % shadow.width, Math.floor(at / shadow.width));
    const plane = (most: number) => shadow.darkness.map((_, at) => (isMirrored(at) ? most * random.next() : 0));
    const reflection = { alpha: plane(0.3), color: [plane(80), plane(80), plane(80)], box: boxed } as const;
    const layers = {
      scene: Float32Array.from({ length: sceneWidth * sceneHeight * 3 }, () => 255 * random.next()),
      sceneWidth,
      sceneHeight,
      shadow: seed % 3 === 0 ? null : shadow,
      reflection: seed % 2 === 0 ? reflection : null,
      shadowFloor: [0.1, 0.08, 0.05] as const,
      shadowColor: seed === 4 ? ([40, 10, 90] as const) : null,
      grain: 1.7,
      seed,
    };
    const made = composeScene(cut, layers);
    expect(greatestDifference(made, plainCompose.composeScene(cut, layers))).toBeLessThanOrEqual(1);
  });

  it.each(seeds)("blur to the bit, in one block or in several: seed %i", (seed) => {
    const random = createRandom(seed);
    const width = seed === 6 ? 2500 : random.integer(1, 60);
    const height = seed === 6 ? 1700 : random.integer(1, 60);
    const plane = Float32Array.from({ length: width * height }, () => random.next());
    const plain = plane.slice();
    const sigma = random.between(0.4, 9);
    blurPlane(plane, width, height, sigma);
    plainBlur.blurPlane(plain, width, height, sigma);
    expect(Buffer.from(plane.buffer).equals(Buffer.from(plain.buffer))).toBe(true);
  });

  it.each(seeds)("find the ends of a matte's rows, and its longest opaque run: seed %i", (seed) => {
    const random = createRandom(seed);
    for (let i = 0; i < 60; i++) {
      const width = random.integer(1, 90);
      const opaque = random.next();
      const matte = Uint8Array.from({ length: width }, () => (random.chance(opaque) ? 255 : random.integer(0, 255)));
      inKernelMemory(() => {
        const row = kernelBytes(width);
        const run = kernelIntegers(2);
        row.set(matte);
        const first = matte.findIndex((alpha) => alpha >= 128);
        expect(kernels.firstOpaque(row.byteOffset, width)).toBe(first < 0 ? width : first);
        expect(kernels.endOfOpaque(row.byteOffset, width)).toBe(matte.findLastIndex((alpha) => alpha >= 128) + 1);
        kernels.longestOpaque(row.byteOffset, width, run.byteOffset);
        expect([...run]).toEqual(longestRun(matte));
      });
    }
  });

  it.each(seeds)("take the pixels of cells from a matte's row: seed %i", (seed) => {
    const random = createRandom(seed);
    const matte = Uint8Array.from({ length: random.integer(1, 90) }, () => random.integer(0, 255));
    const taken = Int32Array.from({ length: random.integer(1, 90) }, () => random.integer(0, matte.length - 1));
    inKernelMemory(() => {
      const row = kernelBytes(matte.length);
      row.set(matte);
      const pixelOf = kernelIntegers(taken.length);
      pixelOf.set(taken);
      const marks = kernelBytes(taken.length + 1).fill(7);
      kernels.sampleOpaque(row.byteOffset, pixelOf.byteOffset, taken.length, marks.byteOffset);
      expect([...marks]).toEqual([...Array.from(taken, (pixel) => (matte[pixel]! >= 128 ? 1 : 0)), 7]);
    });
  });

  it.each(seeds)("count where copies of a mask lie, also beyond the plane: seed %i", (seed) => {
    const random = createRandom(seed);
    const width = random.integer(1, 50);
    const height = random.integer(1, 20);
    const across = random.integer(1, 70);
    const down = random.integer(1, 30);
    const outline = Uint8Array.from({ length: width * height }, () => (random.chance(0.6) ? 1 : 0));
    const expected = new Uint8Array(across * down);
    inKernelMemory(() => {
      const mask = kernelBytes(outline.length);
      mask.set(outline);
      const hits = kernelBytes(expected.length).fill(0);
      const marks = kernelBytes(across);
      const places = kernelIntegers(6);
      for (let ray = 0; ray < 9; ray++) {
        for (let i = 0; i < 6; i += 2) {
          places[i] = random.integer(-width - 3, across + 3);
          places[i + 1] = random.integer(-height - 3, down + 3);
        }
        const sizes = [mask.byteOffset, width, height, places.byteOffset, 3] as const;
        kernels.countShifted(...sizes, marks.byteOffset, hits.byteOffset, across, down);
        for (let at = 0; at < expected.length; at++) {
          const covers = [0, 2, 4].some((i) => {
            const x = (at % across) - places[i]!;
            const y = Math.floor(at / across) - places[i + 1]!;
            return x >= 0 && x < width && y >= 0 && y < height && outline[y * width + x] === 1;
          });
          if (covers) expected[at]! += 1;
        }
      }
      expect(hits).toEqual(expected);
    });
  });

  it.each(seeds)("count what rays cover, to the bit: seed %i", (seed) => {
    const random = createRandom(seed);
    const legs = (x: number, y: number) =>
      box(40, 30, 90, 80)(x, y) || box(44, 80, 47, 110)(x, y) || box(80, 80, 86, 108)(x, y);
    const cut = drawnCutOut(140, 130, legs);
    const pose = estimatePose(cut.alpha, cut.width, cut.height, { pose: "standing" })!;
    const whole = { silhouette: pose.silhouette, ground: pose.ground, cells: 1 };
    const slabs = extrudeSilhouette(seed % 2 === 0 ? whole : halveOutline(whole), pose.pitch);
    const rays = seed % 3 === 0 ? skyRays(24) : lampRays(drawLight(seed), 24);
    const bounds = {
      left: random.between(-20, 30),
      right: 170,
      near: random.between(-90, -10),
      far: random.between(20, 260),
    };
    const made = computeOcclusion(slabs, rays, bounds);
    const plain = plainOcclusion.computeOcclusion(slabs, rays, bounds);
    expect(plain.occlusion.some((share) => share > 0.5)).toBe(true);
    expect(made).toEqual(plain);
  });

  it.each(seeds)(
    "darken the ground by what lamp and sky lose and at the product's foot, to the bit: seed %i",
    (seed) => {
      const random = createRandom(seed);
      const light = { ...drawLight(seed), opacity: random.between(0.3, 1) };
      const shares = () => Float32Array.from({ length: 90 + seed }, () => Math.max(0, random.between(-0.3, 1)));
      const lamp = shares();
      const sky = shares();
      const foot = seed === 1 ? 0 : random.between(0.02, 0.4);
      const made = computeFloats(lamp.length, (to) =>
        writeDarkness(addressOf(lamp), addressOf(sky), lamp.length, light, foot, to),
      );
      const expected = Float32Array.from(lamp, (share, i) => {
        const beside = Math.min(1, Math.max(0, (sky[i]! - footSky[0]) / (footSky[1] - footSky[0])));
        return 1 - (1 - darknessOf(share, sky[i]!, light)) * (1 - foot * (beside * Math.sqrt(beside)));
      });
      expect(made).toEqual(expected);
      expect(made.some((dark) => dark > 0.1)).toBe(true);
    },
  );

  it.each(seeds)("sample a row between two of a map of the ground, to the bit: seed %i", (seed) => {
    const random = createRandom(seed);
    const width = 20 + seed;
    const count = 2 * width + seed;
    const row = () => Float32Array.from({ length: width }, () => random.next());
    const upper = row();
    const lower = row();
    const below = random.next();
    const places = Float64Array.from({ length: count + 1 }, () => random.between(0, width - 1));
    const shares = Float32Array.from(places, (place) => place - Math.floor(place));
    const bytes = Int32Array.from(places, (place) => 4 * Math.floor(place));
    const made = computeFloats(count, (to) => {
      const [from, next, leftOf, shareOf] = [upper, lower, bytes, shares].map(addressOf);
      kernels.sampleGroundRow(
        from!,
        next!,
        below,
        width,
        kernelFloats(width + 1).byteOffset,
        leftOf!,
        shareOf!,
        count,
        to,
      );
    });
    const line = Float32Array.from(upper, (value, x) => value + (lower[x]! - value) * below);
    const expected = Float32Array.from({ length: count }, (_, i) => {
      const left = Math.floor(places[i]!);
      const next = line[Math.min(width - 1, left + 1)]!;
      return line[left]! + (next - line[left]!) * shares[i]!;
    });
    expect(made).toEqual(expected);
  });
});
