import { describe, expect, it } from "vitest";
import { estimatePose, type ProductPose } from "../../shadow/pose.ts";
import { fitCamera } from "../canvas/camera.ts";
import { createFreeGround } from "../from-above/free-ground.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";
import { hiddenBelow, outlinedLength, standingLength } from "./outlined-length.ts";
import { aboveGround, namedLength } from "./product-length.ts";
import { planScene } from "./scene-plan.ts";
import { seenFromAbove } from "./seen-from-above.ts";

const side = 300;

/** A right half from the top down, x from the middle and y in shares of the picture, mirrored to the left. */
function outlined(half: readonly (readonly [number, number])[]): ProductPose {
  const alpha = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    const at = (y + 0.5) / side;
    for (let x = 0; x < side; x++) {
      const aside = Math.abs((x + 0.5) / side - 0.5);
      // A ray to the right crosses the outline an odd number of times from within.
      const crossed = half.filter(([x0, y0], i) => {
        const [x1, y1] = half[i + 1] ?? [0, 2];
        return y0 <= at !== y1 <= at && aside < x0 + ((at - y0) / (y1 - y0)) * (x1 - x0);
      });
      if (crossed.length % 2 === 1) alpha[y * side + x] = 255;
    }
  }
  return estimatePose(alpha, side, side)!;
}

const shirt = outlined([
  [0, 0.12],
  [0.1, 0.1],
  [0.2, 0.14],
  [0.38, 0.3],
  [0.32, 0.38],
  [0.22, 0.31],
  [0.22, 0.86],
  [0, 0.87],
]);
const bottle = outlined([
  [0, 0.1],
  [0.05, 0.1],
  [0.05, 0.28],
  [0.14, 0.4],
  [0.14, 0.9],
  [0, 0.9],
]);

describe("the length of a product that is seen from above", () => {
  it.each(["T-Shirt auf einer Wiese von oben", "hoodie flat lay on linen", "chemise en lin, vue de dessus"])(
    "is a garment's in %s",
    (text) => {
      expect(namedLength(text, parseTheme(text))).toBeCloseTo(68 / 25);
    },
  );

  it.each(["Tee und Kekse von oben", "beach with sunglasses from above", "shirtless lavender"])(
    "is the usual one in %s",
    (text) => {
      expect(namedLength(text, parseTheme(text))).toBe(1);
    },
  );

  it("is told by a shirt's sleeves, and not by a bottle", () => {
    expect(outlinedLength(shirt)).toBeCloseTo(68 / 25);
    expect(outlinedLength(bottle)).toBe(1);
  });

  it("is the same for all photos of a set", () => {
    const plan = planScene(parseTheme("meadow from above"), "meadow from above", 7);
    expect(seenFromAbove(plan, shirt).productLong).toBeCloseTo(68 / 25);
    expect(seenFromAbove(plan, null).productLong).toBe(1);
  });

  it("makes what lies beside it smaller, and keeps it off the product", () => {
    const camera = fitCamera({ ...shirt, view: "above" }, side, side, 1, 0.7);
    const above = aboveGround(camera, 2.72);
    expect(above.size).toBeCloseTo(camera.size / 2.72);
    expect(above.baseY - above.size / 2).toBeCloseTo(camera.baseY - camera.size / 2);
    const ground = createFreeGround(above, shirt, 2.72);
    const shareAt = (y: number) => ground.shown({ x: 0, y, reach: 0.05, turn: 0 }, false).share;
    expect([shareAt(0), shareAt(1.2), shareAt(-1.2)]).toEqual([0, 0, 0]);
    expect(shareAt(-1.55)).toBeGreaterThan(0.9);
  });
});

describe("the length of a product that stands", () => {
  const posed = (isInside: (x: number, y: number) => boolean) => {
    const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
      isInside((i % side) / side, Math.floor(i / side) / side) ? 255 : 0,
    );
    return estimatePose(alpha, side, side, { pose: "standing" })!;
  };
  const between = (value: number, from: number, to: number) => value >= from && value < to;
  const legs = (x: number, y: number, from: number, wide: number) =>
    between(y, from, 0.9) && (between(x, 0.3, 0.3 + wide) || between(x, 0.7 - wide, 0.7));

  it("is that of furniture on thin legs", () => {
    const stool = posed((x, y) => (between(y, 0.3, 0.4) && between(x, 0.3, 0.7)) || legs(x, y, 0.4, 0.04));
    expect(standingLength(stool)).toBeCloseTo(85 / 25);
  });

  it("is the usual one of what has low feet or thick legs, and of what does not stand", () => {
    const toaster = posed((x, y) => (between(y, 0.5, 0.86) && between(x, 0.3, 0.7)) || legs(x, y, 0.86, 0.04));
    const trousers = posed((x, y) => (between(y, 0.2, 0.4) && between(x, 0.3, 0.7)) || legs(x, y, 0.4, 0.14));
    expect([toaster, trousers, bottle].map(standingLength)).toEqual([1, 1, 1]);
    const laid = posed((x, y) => (between(y, 0.3, 0.4) && between(x, 0.3, 0.7)) || legs(x, y, 0.4, 0.04));
    expect(standingLength({ ...laid, stance: "lying" })).toBe(1);
  });

  it("is that of people whom the photo's border cuts, and not of a thing whose cord it cuts", () => {
    const figure = posed((x, y) => y < 0.9 && between(x, 0.35, 0.65));
    const shoes = posed((x, y) => (y < 0.9 && between(x, 0.4, 0.6)) || (between(y, 0.7, 0.9) && between(x, 0.2, 0.8)));
    const torso = posed((x, y) => y > 0.2 && between(x, 0.2, 0.8));
    const kettle = posed(
      (x, y) => (between(y, 0.3, 0.9) && between(x, 0.3, 0.7)) || (y < 0.3 && between(x, 0.5, 0.52)),
    );
    const cm = [figure, shoes, torso, kettle].map((pose) => Math.round(25 * standingLength(pose)));
    expect(cm).toEqual([105, 42, 70, 25]);
    expect([figure, shoes, torso, kettle].map(hiddenBelow)).toEqual([0, 0, 0.6, 0]);
  });

  it("is the usual one of a product that a border touches everywhere, or cuts at a foot", () => {
    const alpha = Uint8Array.from({ length: 200 * side }, (_, i) => {
      const y = Math.floor(i / 200) / side;
      return y > 0.3 || Math.abs((i % 200) - 100) < 40 ? 255 : 0;
    });
    const trimmed = estimatePose(alpha, 200, side)!;
    const foot = posed(
      (x, y) => (between(y, 0.3, 0.95) && between(x, 0.2, 0.8)) || (y >= 0.95 && between(x, 0.45, 0.54)),
    );
    expect(foot.ground.cutShare).toBeCloseTo(0.15);
    expect([trimmed, foot].map(standingLength)).toEqual([1, 1]);
    expect([trimmed, foot].map(hiddenBelow)).toEqual([0, 0]);
  });

  it("lays smaller tiles below a stool than below a bottle that is as large in the picture", () => {
    const text = "checkered floor";
    const plan = planScene(parseTheme(text), text, 7);
    const stool = posed((x, y) => (between(y, 0.3, 0.4) && between(x, 0.3, 0.7)) || legs(x, y, 0.4, 0.04));
    const camera = fitCamera(stool, side, side, 1, 0.3);
    const changesBelow = (pose: ProductPose) => {
      const { light } = renderScene(plan, camera, pose);
      const row = Math.floor(camera.baseY + 8) * side;
      const values = Array.from({ length: side }, (_, x) => light[(row + x) * 3]!);
      const middle = (Math.max(...values) + Math.min(...values)) / 2;
      return values.filter((value, x) => x > 0 && value > middle !== values[x - 1]! > middle).length;
    };
    expect(changesBelow(stool)).toBeGreaterThan(2 * changesBelow(bottle));
  });
});
