import { expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { visibleBox } from "../pixels/alpha-scan.ts";
import { type FramedCutOut, placeInFrame } from "./place-in-frame.ts";

const bottle = drawnCutOut(200, 160, box(80, 40, 110, 130));
const frame = { width: 400, height: 300 };

/** The product's box as shares of the frame. */
function sharesOf(framed: FramedCutOut | undefined) {
  const { cut } = framed!;
  const found = visibleBox(cut.alpha, cut)!;
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    left: round(found.left / cut.width),
    right: round((found.left + found.width) / cut.width),
    top: round(found.top / cut.height),
    bottom: round((found.top + found.height) / cut.height),
  };
}

it("scales the product to its share of the frame, and places it by its share of the free space", async () => {
  const framed = await placeInFrame(bottle, { ...frame, scale: 0.6, position: { x: 0, y: 1 } });
  expect(framed!.layout.frame).toEqual(frame);
  expect(sharesOf(framed)).toEqual({ left: 0, right: 0.15, top: 0.4, bottom: 1 });
});

it("stands products of any shape and photo on one line, as tall as each other", async () => {
  const stand = { productHeight: 0.5, baseline: 0.8 };
  for (const product of [bottle, drawnCutOut(300, 300, box(10, 5, 110, 205))]) {
    expect(sharesOf(await placeInFrame(product, frame, stand))).toMatchObject({ top: 0.3, bottom: 0.8 });
  }
  const wide = sharesOf(await placeInFrame(drawnCutOut(300, 100, box(10, 20, 290, 60)), frame, stand));
  expect(wide).toMatchObject({ left: 0.14, right: 0.86, bottom: 0.8 });
  const flat = sharesOf(await placeInFrame(bottle, frame, { productHeight: 0.5 }));
  expect(flat, "without a foot, in the middle").toMatchObject({ top: 0.25, bottom: 0.75 });
});

it.each([
  ["left", box(0, 40, 60, 120), { left: 0 }],
  ["right", box(140, 40, 200, 120), { right: 1 }],
  ["top", box(70, 0, 130, 90), { top: 0 }],
  ["bottom", box(70, 60, 130, 160), { bottom: 1 }],
])("keeps a product that the photo's %s side cuts at that side of the frame", async (_side, inside, at) => {
  const cut = drawnCutOut(200, 160, inside);
  // The border of a photo is no edge of the product: there the matte is opaque.
  for (let i = 0; i < cut.alpha.length; i++) if (cut.alpha[i] !== 0) cut.alpha[i] = 255;
  for (const output of [{ scale: 0.4 }, { padding: 0.1 }, { crop: "product", padding: 0.2 }] as const) {
    expect(sharesOf(await placeInFrame(cut, { ...frame, ...output })), JSON.stringify(output)).toMatchObject(at);
  }
  const stand = { productHeight: 0.4, baseline: 0.8 };
  expect(sharesOf(await placeInFrame(cut, frame, stand))).toMatchObject(at);
});

it("takes a product that only touches the border for a whole one", async () => {
  const strap = (x: number, y: number) => box(70, 30, 130, 130)(x, y) || box(98, 0, 102, 30)(x, y);
  const cut = drawnCutOut(200, 160, strap);
  expect(sharesOf(await placeInFrame(cut, { ...frame, scale: 0.5 }))).toMatchObject({ top: 0.25, bottom: 0.75 });
});
