/** Products on a plain ground, drawn; what was segmented has a rough outline. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { straightenOutline } from "./straighten-outline.ts";

type Shape = (x: number, y: number) => boolean;

const side = 240;
const groundGray = 216;

const round =
  (radiusAt: (angle: number) => number): Shape =>
  (x, y) =>
    Math.hypot(x - 119.5, y - 119.5) < radiusAt(Math.atan2(y - 119.5, x - 119.5));

const disc = round(() => 80);
/** Some forty teeth, by turns a bite, nothing and a spike. */
const toothed = round((angle) => 80 + 4 * [-1, 0, 1][Math.floor((angle + Math.PI) * 6.4) % 3]!);

const box: Shape = (x, y) => x >= 40 && x < 200 && y >= 40 && y < 160;
/** Black below the box, and the ground's own gray 40 cells below. */
const shadeBelow = (x: number, y: number) =>
  y >= 160 && x >= 36 && x < 204 ? 40 + Math.min(1, (y - 160) / 40) * (groundGray - 40) : groundGray;
const tab: Shape = (x, y) => x >= 90 && x < 104 && y >= 160 && y < 168;

interface Drawn {
  readonly product: Shape;
  readonly gray: number;
  readonly segmented: Shape;
  /** What the network sees; by default the product. */
  readonly seen?: Shape;
  readonly ground?: (x: number, y: number) => number;
}

/** @returns which cells are product */
function straighten({ product, gray, segmented, seen = product, ground = () => groundGray }: Drawn): Shape {
  const count = side * side;
  const rgb = new Uint8Array(3 * count);
  const prior = new Float32Array(count);
  const region = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    rgb.fill(product(x, y) ? gray : ground(x, y), 3 * i, 3 * i + 3);
    prior[i] = seen(x, y) ? 1 : 0;
    region[i] = segmented(x, y) ? 1 : 0;
  }
  const lab = rgbToLab(rgb);
  const groundLightness = rgbToLab(new Uint8Array(3).fill(groundGray))[0]!;
  const lightness = Float32Array.from(prior, (_, i) => lab[3 * i]! - groundLightness);
  const evidence: BackdropEvidence = {
    distance: lightness.map(Math.abs),
    lightness,
    threshold: 2,
    noise: 0.5,
    isPlain: true,
    isAllAround: true,
    tintAt: () => 0,
  };
  const grid: WorkGrid = { width: side, height: side, rgb, lab, prior, networkPixel: 2 };
  const out = inKernelMemory(() => {
    const straight = region.slice();
    straightenOutline(straight, grid, evidence);
    return straight.slice();
  });
  return (x, y) => out[y * side + x] === 1;
}

/** How many cells are in one of both only. */
function countDifferent(a: Shape, b: Shape): number {
  let different = 0;
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) if (a(x, y) !== b(x, y)) different++;
  return different;
}

describe("straightenOutline", () => {
  it("takes bites and spikes from the outline of a product that has nearly the ground's color", () => {
    const after = straighten({ product: disc, gray: 226, segmented: toothed });
    expect(countDifferent(after, disc)).toBeLessThan(0.25 * countDifferent(toothed, disc));
  });

  it("leaves the teeth that a product has", () => {
    const after = straighten({ product: toothed, gray: 40, segmented: toothed });
    expect(countDifferent(after, toothed)).toBe(0);
  });

  it("leaves the teeth of a pale product that the network sees", () => {
    const after = straighten({ product: toothed, gray: 226, segmented: toothed });
    expect(countDifferent(after, toothed)).toBe(0);
  });

  it("leaves an even outline, wherever the network's is", () => {
    const smaller = round(() => 76);
    expect(countDifferent(straighten({ product: disc, gray: 226, segmented: disc, seen: smaller }), disc)).toBe(0);
  });

  it("clears a tab of the shade below a pale base", () => {
    const segmented: Shape = (x, y) => box(x, y) || tab(x, y);
    const after = straighten({ product: box, gray: 190, segmented, ground: shadeBelow });
    expect(countDifferent(after, box)).toBeLessThan(0.2 * countDifferent(segmented, box));
  });

  it("leaves a foot that the network sees in the shade", () => {
    const withFoot: Shape = (x, y) => box(x, y) || tab(x, y);
    const after = straighten({ product: box, gray: 190, segmented: withFoot, seen: withFoot, ground: shadeBelow });
    expect(countDifferent(after, withFoot)).toBe(0);
  });
});
