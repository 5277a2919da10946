import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import type { Light } from "./light.ts";
import { estimatePose, type ProductPose } from "./pose.ts";
import { chooseKind, makeShadow, onGroundUnlessSure } from "./shadow-kinds.ts";

const shirt = drawnCutOut(240, 240, box(70, 40, 170, 180));
const standing = estimatePose(shirt.alpha, shirt.width, shirt.height, { pose: "standing" })!;
const hovering = (confidence: number): ProductPose => ({
  ...standing,
  stance: "floating",
  reason: "shadow-apart",
  atRest: { stance: "hanging", confidence },
});

describe("onGroundUnlessSure", () => {
  it("takes the plane behind what surely lies or hangs, also where it hovers above its shadow", () => {
    const hanging = { ...standing, stance: "hanging", view: "above" } as const;
    expect(onGroundUnlessSure({ ...hanging, confidence: 0.97 }).view).toBe("above");
    expect(onGroundUnlessSure(hovering(0.97))).toMatchObject({ view: "above", stance: "floating" });
  });

  it("takes a ground below what is less sure, and below what stands", () => {
    const lying = { ...standing, stance: "lying", view: "above" } as const;
    expect(onGroundUnlessSure({ ...lying, confidence: 0.9 }).view).toBe("level");
    expect(onGroundUnlessSure(hovering(0.9)).view).toBe("level");
    expect(onGroundUnlessSure(standing).view).toBe("level");
  });
});

describe("chooseKind", () => {
  const inRow = (pieces: number) => {
    const one = (x: number, y: number) => x % 40 >= 10 && x < 40 * pieces && y >= 60 && y < 130;
    const { alpha, width, height } = drawnCutOut(240, 240, one);
    return estimatePose(alpha, width, height, { pose: "standing" })!;
  };

  it.each([
    [6, 0.85, "contact"],
    [6, 0.96, "cast"],
    [2, 0.85, "cast"],
    [2, 0.6, "contact"],
  ] as const)("of %d pieces that stand with a confidence of %d is %s", (pieces, confidence, kind) => {
    expect(chooseKind({ ...inRow(pieces), confidence }, {}, false)).toBe(kind);
  });
});

describe("the contact of what lies or hangs", () => {
  const light: Light = { directionDeg: 80, elevationDeg: 50, softness: 0.3, opacity: 1, keyShare: 0.5 };
  /** A handle that goes out of a body, as of a dryer that lies. */
  const dryer = drawnCutOut(240, 240, (x, y) => box(40, 60, 200, 110)(x, y) || box(110, 110, 140, 200)(x, y));
  const stood = estimatePose(dryer.alpha, dryer.width, dryer.height, { pose: "standing" })!;
  const contactOf = (pose: Partial<ProductPose>) => {
    const { darkness, width, stepPx } = makeShadow("contact", onGroundUnlessSure({ ...stood, ...pose }), light, dryer);
    return (x: number, y: number) => darkness[Math.round(y / stepPx) * width + Math.round(x / stepPx)]!;
  };

  it("is below each lower edge, and neither above nor beside it, where that is likely only", () => {
    const at = contactOf({ stance: "lying", view: "above", confidence: 0.9 });
    expect(at(60, 113)).toBeGreaterThan(0.1);
    expect(at(125, 203)).toBeGreaterThan(0.1);
    for (const [x, y] of [
      [120, 57],
      [36, 70],
      [204, 70],
    ] as const)
      expect(at(x, y)).toBeLessThan(0.02);
  });

  it("is around it where that is sure, and on a floor where it is a guess", () => {
    expect(contactOf({ stance: "lying", view: "above", confidence: 0.97 })(36, 70)).toBeGreaterThan(0.02);
    const guess = contactOf({ stance: "lying", view: "above", confidence: 0.7 });
    expect(guess(60, 113)).toBe(0);
    expect(guess(125, 203)).toBeGreaterThan(0.1);
  });
});
