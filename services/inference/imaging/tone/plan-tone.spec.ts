import { expect, it } from "vitest";
import { fromHex } from "../scene/canvas/color.ts";
import { planNeutralTone } from "./plan-tone.ts";

const backdrop = (hex: string) => ({
  color: fromHex(hex),
  lightness: Float64Array.of(80, 0, 0, 0, 0, 0),
  productShare: 0.5,
  square: { rgb: new Uint8Array(0), size: { width: 0, height: 0 }, cells: new Int32Array(0) },
});

it.each(["#e6aa3c", "#b47803", "#b47800", "#ffcc00"])(
  "takes no light out of paper of %s, which has next to no blue",
  (hex) => {
    expect(planNeutralTone(backdrop(hex))).toBe("backdrop_colored");
  },
);

it("takes out the light of a lamp, which has some", () => {
  const plan = planNeutralTone(backdrop("#e6b478"));
  expect(plan).toMatchObject({ temperature: expect.closeTo(3_400, -3) });
});
