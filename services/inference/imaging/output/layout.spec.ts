import { sceneKeyOf } from "@packshot/domain/edits/rendition.ts";
import type { OutputParameters } from "@packshot/domain/edits/tools.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleBox } from "../pixels/alpha-scan.ts";
import type { Box } from "../pixels/geometry.ts";
import { isIdentity, type LayoutParameters, largestFrame, parseBackground, planLayout, widenShown } from "./layout.ts";

const source = { width: 400, height: 300 };
const product = { left: 100, top: 50, width: 100, height: 200 };

describe("planLayout", () => {
  it("changes nothing without parameters", () => {
    expect(isIdentity(planLayout(source, undefined, {}), source)).toBe(true);
  });

  it("reads no pixels", () => {
    const image = {
      ...source,
      get pixels(): never {
        throw new Error("all pixels were read");
      },
    };
    expect(isIdentity(planLayout(image, undefined, {}), image)).toBe(true);
  });

  it("crops to the product without scaling it", () => {
    const { crop, placement, frame } = planLayout(source, product, { crop: "product" });
    expect(crop).toEqual(product);
    expect(placement).toEqual({ left: 0, top: 0, width: 100, height: 200 });
    expect(frame).toEqual({ width: 100, height: 200 });
  });

  it("adds padding around the image's own pixels", () => {
    const { placement, frame } = planLayout(source, product, { crop: "product", padding: 0.25 });
    expect(frame).toEqual({ width: 200, height: 400 });
    expect(placement).toEqual({ left: 50, top: 100, width: 100, height: 200 });
  });

  it("lets padding enlarge an image to 8192 pixels a side, and no further", () => {
    const large = { width: 6000, height: 4500 };
    const { placement, frame, askedFrame } = planLayout(large, undefined, { padding: 0.45 });
    expect([frame, askedFrame]).toEqual([
      { width: 8192, height: 6144 },
      { width: 60_000, height: 45_000 },
    ]);
    expect(placement).toEqual({ left: 3686, top: 2765, width: 819, height: 614 });
    expect(planLayout({ width: 9000, height: 90 }, undefined, { padding: 0.25 }).frame.width).toBe(9000);
    expect(planLayout({ width: 9000, height: 90 }, undefined, {}).placement.width).toBe(9000);
  });

  it("asks for no larger frame than the pixels that a result may have", () => {
    const large = { width: 6000, height: 4500 };
    const asked = (maxMegapixels: number) => planLayout(large, undefined, { padding: 0.45, maxMegapixels }).askedFrame;
    expect(asked(20)).toBeUndefined();
    expect(asked(108)).toEqual({ width: 12_000, height: 9000 });
  });

  it.each<[string, LayoutParameters["margin"], readonly string[] | undefined, Box?]>([
    ["shares above the whole", { top: "150%", left: "100%" }, ["top"]],
    ["pixels beyond 500 and the product's side", { top: "500px", left: "501px", bottom: "9999px" }, ["left", "bottom"]],
    ["none of a product that is as large", { top: "600px" }, undefined, { left: 0, top: 0, width: 10, height: 600 }],
  ])("tells which margins it cuts: %s", (_what, margin, cut, box = product) => {
    const parameters = { crop: "product", margin } as const;
    expect(planLayout(source, box, parameters).cutMargins).toEqual(cut);
    expect(planLayout(source, box, { ...parameters, scale: 0.5 }).cutMargins).toEqual(cut);
    expect(planLayout(source, box, { margin }).cutMargins).toBeUndefined();
  });

  it("keeps the aspect ratio when one side is given", () => {
    expect(planLayout(source, undefined, { width: 200 }).frame).toEqual({ width: 200, height: 150 });
    expect(planLayout(source, undefined, { height: 600 }).frame).toEqual({ width: 800, height: 600 });
  });

  it.each([
    ["center", 300, 100],
    ["left", 100, 100],
    ["right", 500, 100],
  ] as const)("aligns %s inside the padding", (align, left, top) => {
    const parameters = { width: 1000, height: 1000, padding: 0.1, crop: "product", align } as const;
    expect(planLayout(source, product, parameters).placement).toEqual({ left, top, width: 400, height: 800 });
  });

  it("aligns to the bottom, where products stand", () => {
    const wide = { left: 0, top: 0, width: 200, height: 100 };
    const parameters = { width: 1000, height: 1000, padding: 0.1, crop: "product", align: "bottom" } as const;
    expect(planLayout(source, wide, parameters).placement).toEqual({ left: 100, top: 500, width: 800, height: 400 });
  });

  it("fails where there is no product to crop to", () => {
    expect(() => planLayout(source, undefined, { crop: "product" })).toThrowError(
      expect.objectContaining({ code: "no_product_found" }),
    );
  });

  it.each([
    ["a small product with margins", { width: 10, height: 10 }, { left: "500px", right: "500px" }, 827_392],
    ["a line", { width: 200, height: 1 }, {}, 1_638_400],
  ])("makes the side that follows no longer than 8192 pixels: %s", (_what, size, margin, asked) => {
    const parameters = { crop: "product", margin, height: 8192 } as const;
    const { frame, placement, askedFrame } = planLayout(source, { left: 5, top: 5, ...size }, parameters);
    expect(frame.width).toBe(8192);
    expect(placement.left + placement.width).toBeLessThanOrEqual(8192);
    expect(askedFrame).toEqual({ width: asked, height: 8192 });
  });

  it("keeps a following side that is no longer than the photo's", () => {
    const { frame, askedFrame } = planLayout({ width: 12_000, height: 3000 }, undefined, { height: 2500 });
    expect([frame, askedFrame]).toEqual([{ width: 10_000, height: 2500 }, undefined]);
  });

  const side = fc.integer({ min: 1, max: 3000 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const length = fc.oneof(
    fc.integer({ min: 0, max: 99_999 }).map((pixels) => `${pixels}px`),
    fc.integer({ min: 0, max: 200 }).map((percent) => `${percent}%`),
  );
  const anyParameters = fc.record(
    {
      width: side,
      height: fc.integer({ min: 1, max: 8192 }),
      padding: fc.double({ min: 0, max: 0.45, noNaN: true }),
      align: fc.constantFrom("center", "top", "bottom", "left", "right" as const),
      crop: fc.constantFrom("none", "product" as const),
      margin: fc.record({ left: length, top: length, right: length, bottom: length }, { requiredKeys: [] }),
      scale: fc.double({ min: 0.1, max: 1, noNaN: true }),
      position: fc.record({ x: share, y: share }, { requiredKeys: [] }),
      maxMegapixels: fc.double({ min: 0.01, max: 20, noNaN: true }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<LayoutParameters>;

  it("always stays inside the frame, and no frame is larger than one may be", () => {
    fc.assert(
      fc.property(side, side, share, share, anyParameters, (width, height, wide, tall, parameters) => {
        const size = { width: Math.ceil(width * wide) || 1, height: Math.ceil(height * tall) || 1 };
        const { placement, frame } = planLayout({ width, height }, { left: 0, top: 0, ...size }, parameters);
        expect(placement.width).toBeGreaterThan(0);
        expect(placement.height).toBeGreaterThan(0);
        expect(placement.left).toBeGreaterThanOrEqual(0);
        expect(placement.top).toBeGreaterThanOrEqual(0);
        expect(placement.left + placement.width).toBeLessThanOrEqual(frame.width);
        expect(placement.top + placement.height).toBeLessThanOrEqual(frame.height);
        const { maxMegapixels = Number.POSITIVE_INFINITY } = parameters;
        // A line of pixels cannot be made thinner.
        const isLine = Math.min(frame.width, frame.height) === 1;
        if (!isLine) expect(frame.width * frame.height).toBeLessThanOrEqual(maxMegapixels * 1e6);
        expect(Math.max(frame.width, frame.height)).toBeLessThanOrEqual(8193);
        const largest = largestFrame({ width, height }, parameters);
        // Sides are whole numbers.
        expect((frame.width - 1) * (frame.height - 1)).toBeLessThanOrEqual((largest.width + 1) * (largest.height + 1));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("files of one scene key", () => {
  const values = {
    padding: [undefined, 0, 0.1],
    align: [undefined, "center", "top"],
    crop: [undefined, "none", "product"],
    margin: [undefined, {}, { top: "0px" }, { top: "5px" }],
    scale: [undefined, 0.5],
    position: [undefined, {}, { x: 0.5 }, { y: 0 }],
  };
  const written = Object.entries(values).reduce<readonly OutputParameters[]>(
    (outputs, [field, of]) =>
      outputs.flatMap((output) => of.map((value) => (value === undefined ? output : { ...output, [field]: value }))),
    [{}],
  );
  const stand = { productHeight: 0.6, baseline: 0.86 };

  it.each([
    { size: {}, set: {} },
    { size: { width: 300, height: 300 }, set: {} },
    { size: { width: 300, height: 300 }, set: { scene: {}, stand } },
    { size: { width: 300, height: 300 }, set: { scene: {}, stand: { productHeight: 0.6 } } },
  ])("have one layout, however they are written: %j", ({ size, set: { scene, stand } }) => {
    const outputs = written.map((output) => ({ ...output, ...size }));
    const keyOf = (output: OutputParameters) =>
      sceneKeyOf({
        name: "a",
        tool: "ai-bg",
        hasOwnBackground: false,
        parameters: { output, ...(scene && { scene }) },
      });
    const groups = [...Map.groupBy(outputs, keyOf).values()];
    expect(groups.length).toBeLessThan(outputs.length / 4);
    for (const group of groups) {
      const layouts = group.map((output) => planLayout(source, product, { ...output, ...(stand && { stand }) }));
      for (const layout of layouts) expect(layout).toEqual(layouts[0]);
    }
  });
});

describe("widenShown", () => {
  const crop = { left: 40, top: 30, width: 20, height: 40 };
  const larger = { left: 20, top: 10, width: 70, height: 80 };
  const layout = { crop, placement: { left: 10, top: 50, width: 40, height: 80 }, frame: { width: 100, height: 140 } };

  it("shows more of the image at the same scale, as far as the frame and the image have it", () => {
    expect(widenShown(layout, larger)).toEqual({
      crop: { left: 35, top: 10, width: 50, height: 65 },
      placement: { left: 0, top: 10, width: 100, height: 130 },
      frame: layout.frame,
    });
  });

  it("changes nothing where the larger part is no larger", () => {
    expect(widenShown(layout, crop)).toEqual(layout);
  });
});

describe("visibleBox", () => {
  it("finds the smallest box around the visible pixels", () => {
    const alpha = new Uint8Array(10 * 8);
    alpha[2 * 10 + 3] = 255;
    alpha[6 * 10 + 7] = 40;
    alpha[0] = 5;
    expect(visibleBox(alpha, { width: 10, height: 8 })).toEqual({ left: 3, top: 2, width: 5, height: 5 });
    expect(visibleBox(new Uint8Array(80), { width: 10, height: 8 })).toBeUndefined();
  });
});

it("reads background colors", () => {
  expect(parseBackground("#ff8000")).toEqual({ r: 255, g: 128, b: 0, alpha: 1 });
  expect(parseBackground("transparent").alpha).toBe(0);
});
