import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { fitCamera } from "../canvas/camera.ts";
import { createNoise } from "../canvas/noise.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { standKinds } from "../words/lexicon.ts";
import { parseTheme } from "../words/theme.ts";
import { buildStand } from "./build-stand.ts";
import { hitPiece, noHit } from "./set-pieces.ts";
import type { Stand } from "./stand-parts.ts";

const radius = 0.6;

function standOf(kind: (typeof standKinds)[number], seed: number): Stand {
  return inKernelMemory(() => {
    const random = createRandom(seed);
    return buildStand(kind, {
      plan: planScene(parseTheme("wood"), "wood", seed),
      camera: fitCamera(null, 800, 800, 1, 0.29),
      radius,
      material: (_u, _v, _footprint, out) => out.fill(0.5),
      noise: createNoise(random),
      random,
    });
  });
}

it.each(standKinds)("%s: the product's foot is on it, and so is what is beside the foot", (kind) => {
  for (const seed of [1, 2, 3]) {
    const { pieces, floor } = standOf(kind, seed);
    expect(floor).toBeLessThan(0);
    expect(pieces.filter(({ bottom }) => bottom < floor - 1e-9)).toEqual([]);
    // Between two boards is a gap, so several points are tried.
    const heights = [-0.3, -0.15, 0, 0.15, 0.3].flatMap((u) =>
      [0.01, 0.06, 0.12].map((v) => {
        const hit = noHit();
        for (const piece of pieces) hitPiece(piece, [u * radius, v, 0.05], [0, 0, -1], hit);
        return hit.piece === null ? floor : 0.05 - hit.t;
      }),
    );
    expect(heights.filter((height) => Math.abs(height) < 0.003).length).toBeGreaterThanOrEqual(12);
  }
});

it("puts nothing in front of the product", () => {
  for (const kind of standKinds) {
    for (const piece of standOf(kind, 4).pieces.filter(({ top }) => top > 0.003)) {
      const hit = noHit();
      hitPiece(piece, [0, -3, 0.3], [0, 1, 0], hit);
      expect(hit.t, kind).toBeGreaterThan(3);
    }
  }
});

it("metal mirrors its lamps: parts of a podium are far brighter than most of it", () => {
  const camera = fitCamera(null, 240, 240, 1, 0.29);
  const plan = planScene(parseTheme("gold podium, black background"), "one text", 7);
  const { light, stand } = renderScene(plan, camera, null);
  const shown = Array.from(light.filter((_, i) => i % 3 === 0)).filter((_, i) => stand!.covers[i] === 1);
  const sorted = shown.toSorted((a, b) => a - b);
  expect(sorted[Math.floor(0.97 * sorted.length)]).toBeGreaterThan(3 * sorted[sorted.length >> 1]!);
});
