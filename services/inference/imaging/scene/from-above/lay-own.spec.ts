import { createRandom } from "@packshot/domain/random.ts";
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import type { ProductPose } from "../../shadow/pose.ts";
import type { Camera } from "../canvas/camera.ts";
import { createNoise } from "../canvas/noise.ts";
import { createMaterial } from "../materials/create-material.ts";
import { drawThings } from "../motifs/draw-thing.ts";
import type { Motif } from "../motifs/motifs.ts";
import { thingsIn } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { namedThings } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";
import { ownGroups, ownNames } from "./lay-own.ts";

const out = new Float32Array(4);
const steps = Array.from({ length: 41 }, (_, i) => (i - 20) / 20);

/** Mean color of the motif's points at which `where` is true, and how many of its square it covers. */
function look(motif: Motif, lamp: number, where: (x: number, y: number) => boolean) {
  const sum = [0, 0, 0];
  let count = 0;
  for (const y of steps) {
    for (const x of steps) {
      if (!where(x, y)) continue;
      motif({ x, y, soft: 0.03, lampX: 0.6 * lamp, lampY: 0.8 * lamp }, out);
      if (out[3]! < 0.5) continue;
      count++;
      for (let c = 0; c < 3; c++) sum[c]! += out[c]!;
    }
  }
  return { color: sum.map((value) => value / Math.max(1, count)), share: count / steps.length ** 2 };
}

describe("named things as they lie", () => {
  // Jars are hollow: their far side is the bright one.
  it.each(ownNames.filter((name) => name !== "jam" && name !== "honey"))(
    "are lit from the lamp's side, and each is another: %s",
    (name) => {
      for (const group of ownGroups(name, null)!) {
        const random = createRandom(5);
        const [one, other] = [0, 1].map((i) => group.motif(random, i)) as [Motif, Motif];
        const everywhere = look(one, 1, () => true);
        expect(everywhere.share).toBeGreaterThan(0.05);
        expect(Math.max(...everywhere.color)).toBeLessThan(1.2);
        // A stick lies along x: its upper side is told from its lower one.
        const above = (lamp: number) =>
          look(one, lamp, (x, y) => y > 0.05 || x > 0.3).color[1]! -
          look(one, lamp, (x, y) => y < -0.05 || x < -0.3).color[1]!;
        expect(above(1)).toBeGreaterThan(above(-1));
        expect(look(other, 1, () => true).color).not.toEqual(everywhere.color);
      }
    },
  );

  it("are things of the lexicon", () => {
    const known = new Set([...namedThings.values()].map(({ name }) => name));
    expect(ownNames.filter((name) => !known.has(name))).toEqual([]);
  });

  it("give a theme's color to a flower, and not to the leaves beside it", () => {
    const [head, leaves] = ownGroups("rose", "#f0f0f0")!.map(
      (group) => look(group.motif(createRandom(2), 0), 1, () => true).color,
    );
    expect(Math.max(...head!) / Math.min(...head!)).toBeLessThan(1.2);
    expect(leaves![1]!).toBeGreaterThan(1.3 * leaves![0]!);
  });

  it("reach in at two opposite corners beside a wide product that lies in the middle", async () => {
    const camera: Camera = {
      view: "above",
      width: 240,
      height: 240,
      baseX: 120,
      baseY: 150,
      horizonY: -1000,
      size: 130,
      distance: 300,
    };
    const inside = new Uint8Array(240 * 240);
    for (let y = 90; y < 150; y++) inside.fill(1, y * 240 + 55, y * 240 + 185);
    const pose = { silhouette: { left: 55, right: 185, top: 90, bottom: 150, width: 240, inside } } as ProductPose;
    const plan = planScene(parseTheme("eucalyptus on white"), "one text", 7);
    const things = await drawThings(thingsIn(plan, "above"));
    const [shown, bare] = [things, []].map((given) => renderScene(plan, camera, pose, null, given).light.slice());
    const quarters = [0, 0, 0, 0];
    for (let i = 0; i < 240 * 240; i++) {
      if (Math.abs(shown![3 * i]! - bare![3 * i]!) < 0.04) continue;
      quarters[Number(i % 240 > 120) + 2 * Number(i > 120 * 240)]! += 1;
    }
    const [most, second] = quarters.toSorted((a, b) => b - a);
    expect(second!).toBeGreaterThan(0.5 * most!);
  });
});

describe("cloth that is laid down for a picture from above", () => {
  it.each([
    ["fabric", "folds"],
    ["velvet", undefined],
  ] as const)("lies in folds: %s", (kind, pattern) => {
    const brightness = inKernelMemory(() => {
      const random = createRandom(3);
      const material = createMaterial(kind, {
        color: [0.4, 0.4, 0.4],
        noise: createNoise(random),
        random,
        towardLamp: [0.8, 0.6],
        isFromAbove: true,
        ...(pattern !== undefined && { pattern }),
      });
      // Means over a hand's breadth, so that no thread and no pile counts.
      return Array.from({ length: 144 }, (_, i) => {
        let sum = 0;
        for (let j = 0; j < 100; j++) {
          material(
            -1 + (i % 12) / 6 + (j % 10) / 60,
            -1 + Math.floor(i / 12) / 6 + Math.floor(j / 10) / 60,
            0.004,
            out,
          );
          sum += out[1]! / 100;
        }
        return sum;
      });
    });
    const mean = brightness.reduce((sum, value) => sum + value, 0) / brightness.length;
    const spread = Math.sqrt(brightness.reduce((sum, value) => sum + (value - mean) ** 2, 0) / brightness.length);
    expect(spread / mean).toBeGreaterThan(0.1);
  });
});
