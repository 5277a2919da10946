/** A gray box on pale ground with its soft shadow below, drawn; what was segmented has teeth and rests of the shadow. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { trimUnderside } from "./trim-underside.ts";

type Shape = (x: number, y: number) => boolean;

const side = 200;
const base = 110;
const groundGray = 220;
const boxGray = 100;

const box: Shape = (x, y) => x >= 40 && x < 160 && y >= 30 && y < base;

/** The ground's gray, from black at the base to the ground's own 60 cells below. */
const shadeAt = (_x: number, y: number) =>
  y < base ? groundGray : 40 + Math.min(1, (y - base) / 60) * (groundGray - 40);

interface Drawn {
  /** What belongs to the product, besides the box; of the gray `things`. */
  readonly thing?: Shape;
  readonly thingGray?: number | ((y: number) => number);
  readonly box?: number;
  readonly shade?: (x: number, y: number) => number;
  /** What the network takes for product, and how surely. */
  readonly seen?: Shape;
  readonly prior?: number;
  /** In cells: the photo's blur. */
  readonly blur?: number;
}

/** How many cells differ from the truth, and by how much the lower ends of neighboring columns differ in all, in cells. */
interface Trimmed {
  readonly before: number;
  readonly after: number;
  readonly steps: { readonly before: number; readonly after: number };
}

function stepsOf(region: Uint8Array): number {
  const ends = Array.from({ length: 120 }, (_, k) => {
    let y = side - 1;
    while (region[y * side + 40 + k] === 0) y--;
    return y;
  });
  return ends.reduce((sum, end, k) => sum + Math.abs(end - (ends[k - 1] ?? end)), 0);
}

/** The mean of so many cells to either side, in rows and in columns. */
function blurred(rgb: Uint8Array, reach: number): Uint8Array {
  const meanAlong = (from: Uint8Array, step: number) =>
    from.map((_, i) => {
      let sum = 0;
      for (let n = -reach; n <= reach; n++) sum += from[i + n * step] ?? from[i]!;
      return sum / (2 * reach + 1);
    });
  return meanAlong(meanAlong(rgb, 3), 3 * side);
}

function trim(
  segmented: Shape,
  {
    thing = () => false,
    thingGray = 60,
    box: gray = boxGray,
    shade = shadeAt,
    seen = segmented,
    prior: sure = 1,
    blur = 0,
  }: Drawn = {},
): Trimmed {
  const truth = (x: number, y: number) => box(x, y) || thing(x, y);
  const at = (shape: Shape) => (_: unknown, i: number) => (shape(i % side, Math.floor(i / side)) ? 1 : 0);
  const none = new Uint8Array(side * side);
  const grayOf = typeof thingGray === "number" ? () => thingGray : thingGray;
  const rgb = new Uint8Array(3 * none.length);
  for (let i = 0; i < none.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    rgb.fill(thing(x, y) ? grayOf(y) : box(x, y) ? gray : shade(x, y), 3 * i, 3 * i + 3);
  }
  const region = none.map(at(segmented));
  const prior = Float32Array.from(none, (_, i) => sure * at(seen)(_, i));
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(blurred(rgb, blur)), prior, networkPixel: 2 };
  const groundLab = rgbToLab(new Uint8Array(3).fill(groundGray))[0]!;
  const lightness = Float32Array.from(none, (_, i) => grid.lab[3 * i]! - groundLab);
  const evidence = {
    lightness,
    distance: lightness.map(Math.abs),
    threshold: 2,
    noise: 0.5,
    isPlain: true,
    isAllAround: true,
    tintAt: () => 0,
  };
  const out = inKernelMemory(() => {
    const trimmed = region.slice();
    trimUnderside(trimmed, grid, evidence);
    return trimmed.slice();
  });
  const wrong = (cells: Uint8Array) => cells.filter((value, i) => value !== at(truth)(value, i)).length;
  return {
    before: wrong(region),
    after: wrong(out),
    steps: { before: stepsOf(region), after: stepsOf(out) },
  };
}

describe("trimUnderside", () => {
  it("clears a rest of the shadow below a lighter base where the network sees none", () => {
    const rest: Shape = (x, y) => x >= 70 && x < 130 && y >= base && y < base + 18;
    const { before, after } = trim((x, y) => box(x, y) || rest(x, y), { seen: box });
    expect(before).toBe(60 * 18);
    expect(after).toBeLessThan(60 * 2);
  });

  it("smooths teeth in the shadow of a base as dark as that", () => {
    const tooth: Shape = (x, y) => x % 20 < 8 && x >= 50 && x < 150 && y >= base && y < base + 4;
    const shade = (_x: number, y: number) => 40 + Math.max(0, Math.min(1, (y - base - 12) / 60)) * 180;
    const { steps } = trim((x, y) => box(x, y) || tooth(x, y), { box: 40, shade });
    expect(steps.before).toBe(2 * 5 * 4);
    expect(steps.after).toBeLessThan(steps.before / 2);
  });

  it("leaves feet, thin legs and a cord that end at the ground with an edge", () => {
    for (const [from, width, height] of [
      [60, 30, 14],
      [60, 6, 40],
      [60, 4, 20],
      [100, 3, 30],
    ] as const) {
      const foot: Shape = (x, y) => x >= from && x < from + width && y >= base && y < base + height;
      const pale = (x: number, y: number) => Math.max(150, shadeAt(x, y));
      const truth: Shape = (x, y) => box(x, y) || foot(x, y);
      expect(trim(truth, { thing: foot, shade: pale, seen: box }), `${width} × ${height}`).toMatchObject({
        before: 0,
        after: 0,
      });
    }
  });

  it("leaves a dark plinth that the network sees", () => {
    const plinth: Shape = (x, y) => x >= 40 && x < 160 && y >= base && y < base + 10;
    const soft = (x: number, y: number) => shadeAt(x, y - 10);
    const truth: Shape = (x, y) => box(x, y) || plinth(x, y);
    expect(trim(truth, { thing: plinth, thingGray: 42, shade: soft }).after).toBeLessThan(60);
  });

  it("leaves the rounded underside of a pale body, which the ground lights from below", () => {
    const rim: Shape = (x, y) => x >= 40 && x < 160 && y >= base && y < base + 14;
    const truth: Shape = (x, y) => box(x, y) || rim(x, y);
    const shade = (_x: number, y: number) => 60 + Math.max(0, Math.min(1, (y - base) / 60)) * 160;
    const drawn = { thing: rim, thingGray: (y: number) => shade(0, y), shade, seen: box };
    expect(trim(truth, { ...drawn, box: boxGray }).after).toBeGreaterThan(120 * 10);
    expect(trim(truth, { ...drawn, box: 205 })).toMatchObject({ before: 0, after: 0 });
  });

  it("leaves a base on bare ground", () => {
    expect(trim(box, { shade: () => groundGray })).toMatchObject({ before: 0, after: 0 });
  });

  it("clears a rag of shaded ground that the network sees, below a base as dark as the shade or lighter", () => {
    const rag: Shape = (x, y) => x >= 60 && x < 140 && y >= base && y < base + 30;
    const noisy = (x: number, y: number) => shadeAt(x, y) + ((7 * x + 13 * y) % 5) - 2;
    for (const gray of [40, boxGray]) {
      const { before, after } = trim((x, y) => box(x, y) || rag(x, y), { box: gray, shade: noisy, prior: 0.85 });
      expect(before).toBe(80 * 30);
      expect(after, `gray ${gray}`).toBeLessThan(before / 5);
    }
  });

  it("leaves castors on thin forks, sharp or blurred, seen or not", () => {
    const wheelAt = (cx: number): Shape => {
      const cy = base + 24;
      return (x, y) => Math.hypot(x - cx, y - cy) < 11 || (Math.abs(x - cx) < 2 && y >= base && y < cy);
    };
    const wheels = [60, 100, 140].map(wheelAt);
    const castors: Shape = (x, y) => wheels.some((wheel) => wheel(x, y));
    const truth: Shape = (x, y) => box(x, y) || castors(x, y);
    const below = (x: number, y: number) => Math.max(90, shadeAt(x, y));
    for (const blur of [0, 1]) {
      for (const seen of [truth, box]) {
        const { after } = trim(truth, { thing: castors, thingGray: 30, shade: below, blur, seen });
        expect(after, `blur ${blur}`).toBeLessThan(12);
      }
    }
  });

  it("leaves a dark rubber foot whose end is blurred and that the network does not see", () => {
    const foot: Shape = (x, y) => x >= 70 && x < 110 && y >= base && y < base + 14;
    const truth: Shape = (x, y) => box(x, y) || foot(x, y);
    const shade = (x: number, y: number) => Math.max(70, shadeAt(x, y - 10));
    // A black joint is above it.
    const thingGray = (y: number) => (y < base + 3 ? 0 : 14);
    const { after } = trim(truth, { thing: foot, thingGray, shade, seen: box, blur: 2 });
    expect(after).toBeLessThan(40);
  });

  it("leaves a cord that lies on the ground in the shade, and a lace that hangs down", () => {
    const cord: Shape = (x, y) => {
      const middle = base + 22 + 6 * Math.sin(x / 9);
      return (x >= 20 && x < 150 && Math.abs(y - middle) < 2.5) || (x >= 147 && x < 150 && y >= base && y < middle);
    };
    const truth: Shape = (x, y) => box(x, y) || cord(x, y);
    for (const thingGray of [15, 160]) {
      const { after } = trim(truth, {
        thing: cord,
        thingGray,
        shade: (x, y) => Math.max(70, shadeAt(x, y)),
        seen: box,
      });
      expect(after, `gray ${thingGray}`).toBe(0);
    }
  });

  it("clears crumbs of the shade that the network does not see, and leaves small things there", () => {
    const small: Shape = (x, y) => x >= 80 && x < 88 && y >= base + 24 && y < base + 32;
    expect(trim((x, y) => box(x, y) || small(x, y), { seen: box }).after).toBeLessThan(20);
    expect(trim((x, y) => box(x, y) || small(x, y), { seen: box, thing: small, thingGray: 20 }).after).toBeLessThan(20);
  });
});
