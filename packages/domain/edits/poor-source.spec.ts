import { describe, expect, it } from "vitest";
import { checkSource, describePoorSource, poorSourceReasons, type SourceMeasures } from "./poor-source.ts";

const good: SourceMeasures = {
  sharpness: 0.6,
  exposure: { lightness: 0.5, highlight: 0.95, clippedWhite: 0, clippedBlack: 0.2 },
  blocking: 1.4,
  productPixels: 900,
  things: 2,
  otherThings: 0,
  border: 0,
  overlay: 0,
};
const namesOf = (measures: SourceMeasures, hasOwnAlpha = false) =>
  checkSource(measures, hasOwnAlpha).flatMap(({ name, passed }) => (passed ? [] : [name]));

describe("the checks of a photo", () => {
  it("all pass for a good one, also with a pair of things and black parts", () => {
    expect(namesOf(good)).toEqual([]);
    expect(checkSource(good, false).map(({ name }) => name)).toEqual([
      "sharpness",
      "highlight",
      "clippedWhite",
      "blocking",
      "productPixels",
      "otherThings",
      "border",
      "overlay",
    ]);
    expect(describePoorSource(checkSource(good, false))).toBeUndefined();
  });

  it.each([
    ["sharpness", { sharpness: 0.29 }],
    ["highlight", { exposure: { ...good.exposure, highlight: 0.64 } }],
    ["clippedWhite", { exposure: { ...good.exposure, clippedWhite: 0.06 } }],
    ["blocking", { blocking: 4.1 }],
    ["productPixels", { productPixels: 399 }],
    ["otherThings", { otherThings: 1 }],
    ["border", { border: 1 }],
    ["overlay", { overlay: 0.31 }],
  ])("say that %s is beyond its limit", (name, change) => {
    expect(namesOf({ ...good, ...change })).toEqual([name]);
  });

  it("say nothing where nothing can be said: without edges, and of the light of a cut-out", () => {
    const dark = { ...good, sharpness: null, exposure: { ...good.exposure, highlight: 0.2 } };
    expect(namesOf(dark)).toEqual(["highlight"]);
    expect(namesOf(dark, true)).toEqual([]);
    expect(checkSource(dark, true).map(({ name }) => name)).not.toContain("sharpness");
  });

  it("say in words what is poor and what to do", () => {
    const checks = checkSource({ ...good, sharpness: 0.18, border: 12 }, false);
    expect(poorSourceReasons(checks)).toEqual([
      "poor_source: the photo is blurred",
      "poor_source: the photo has a frame",
    ]);
    expect(describePoorSource(checks)).toBe(
      "The photo is blurred (sharpness is 0.18, at least 0.3 is asked for). Take it again in focus, or send a sharper original. The photo has a frame (border is 12, at most 0 is asked for). Send it without the frame.",
    );
  });
});
