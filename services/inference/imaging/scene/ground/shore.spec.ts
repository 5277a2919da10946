import { createRandom } from "@packshot/domain/random.ts";
import { describe, expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { createNoise } from "../canvas/noise.ts";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "../words/theme.ts";
import { createShore, type Shore } from "./shore.ts";

const camera = fitCamera(null, 400, 300, 1, 0.29);
const far = camera.distance / camera.size;

function shoreOf(theme: string, seed = 7, seenBy = camera): Shore | null {
  const random = createRandom(seed);
  return createShore(planScene(parseTheme(theme), theme, seed), seenBy, createNoise(random), random, 1);
}

const state = new Float32Array(3);
function at(shore: Shore, u: number, v: number): { readonly wet: number; readonly foam: number; readonly sea: number } {
  shore.at(u, v, 0.01, state);
  return { wet: state[0]!, foam: state[1]!, sea: state[2]! };
}

/** Where the sea begins at a place beside the product, in sizes of the product. */
function lineAt(shore: Shore, u: number): number {
  for (let v = 0; v < 30; v += 0.02) if (at(shore, u, v).sea > 0.3) return v;
  return Infinity;
}

describe("a shore", () => {
  const places = Array.from({ length: 41 }, (_, i) => (i - 20) * 0.15);

  it("is an irregular line: neither level in the image nor straight", () => {
    const shore = shoreOf("beach")!;
    const lines = places.map((u) => lineAt(shore, u));
    expect(Math.max(...lines) - Math.min(...lines)).toBeGreaterThan(0.8);
    const first = lines[0]!;
    const last = lines.at(-1)!;
    const offLine = lines.map((v, i) => Math.abs(v - (first + ((last - first) * i) / (lines.length - 1))));
    expect(Math.max(...offLine)).toBeGreaterThan(0.15);
  });

  it("lies between dry ground and the sea, with wet ground and foam along it", () => {
    const shore = shoreOf("beach at sunset")!;
    for (const u of places) {
      const line = lineAt(shore, u);
      expect(at(shore, u, line - 5), "dry").toEqual({ wet: 0, foam: 0, sea: 0 });
      expect(at(shore, u, line - 0.3).wet, "wet").toBeGreaterThan(0.5);
      expect(at(shore, u, line + 4).sea, "sea").toBeGreaterThan(0.95);
      const foam = Array.from({ length: 30 }, (_, i) => at(shore, u, line - 0.3 + i * 0.05).foam);
      expect(Math.max(...foam), "foam").toBeGreaterThan(0.5);
    }
  });

  it("says how near to the viewer it comes", () => {
    const shore = shoreOf("beach")!;
    for (const u of places) {
      const v = (shore.seaFrom - 1) * far - 0.01;
      expect(at(shore, u, v).sea).toBe(0);
      expect(at(shore, u, (shore.wetFrom - 1) * far - 0.01).wet).toBe(0);
    }
  });

  it("ends without an edge before a product that fills the image", () => {
    const close = { ...camera, distance: 1.1 * camera.size };
    for (let seed = 1; seed <= 20; seed++) {
      const shore = shoreOf("beach", seed, close)!;
      const from = (shore.wetFrom - 1) * 1.1;
      for (const u of places) {
        expect(at(shore, u, from + 0.01).wet, `wet at ${u} of seed ${seed}`).toBeLessThan(0.05);
      }
    }
  });

  it.each(["pier, wood", "beach, oak table", "sea, water", "desert", "santorini"])("is none before %s", (theme) => {
    expect(shoreOf(theme)).toBeNull();
  });
});
