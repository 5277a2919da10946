import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { estimatePose, type ProductPose } from "./pose.ts";
import { onGroundUnlessSure } from "./shadow-kinds.ts";

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
