import { describe, expect, it } from "vitest";
import { estimatePose, type ProductPose } from "../../shadow/pose.ts";
import { parseTheme } from "../words/theme.ts";
import { planScene, type ScenePlan } from "./scene-plan.ts";
import { isOnPole, standOnFloor } from "./stand-on-floor.ts";

const side = 300;

function posed(covers: (x: number, y: number) => boolean): ProductPose {
  const alpha = new Uint8Array(side * side);
  for (let i = 0; i < alpha.length; i++) {
    if (covers(((i % side) + 0.5) / side, (Math.floor(i / side) + 0.5) / side)) alpha[i] = 255;
  }
  return estimatePose(alpha, side, side, { pose: "standing", camera: "level" })!;
}

const between = (at: number, from: number, to: number) => at >= from && at <= to;
/** A round head over a pole and a foot. */
const onPole = (poleX: number, footHalf: number) => (x: number, y: number) =>
  Math.hypot(x - 0.5, y - 0.24) < 0.19 ||
  (between(y, 0.24, 0.9) && between(x, poleX - 0.012, poleX + 0.012)) ||
  (between(y, 0.86, 0.92) && between(x, poleX - footHalf, poleX + footHalf));
const fan = posed(onPole(0.43, 0.15));
const glass = posed(onPole(0.5, 0.15));
const lollipop = posed(onPole(0.43, 0.06));

function stood(text: string, pose: ProductPose | null) {
  const theme = parseTheme(text);
  const plan = planScene(theme, text, 7);
  return { plan, below: standOnFloor(plan, theme, pose, text) };
}

/** Two legs that the photo's upper border cuts. */
const legs = posed((x, y) => y < 0.92 && (between(x, 0.34, 0.47) || between(x, 0.53, 0.66)));

describe("somebody whom the photo's upper border cuts", () => {
  it.each([
    ["bedroom", "wood"],
    ["kitchen", "tile"],
    ["wooden table with breakfast", "wood"],
  ])("stands on the floor of a room: %s, %s", (text, surface) => {
    expect(stood(text, legs).below).toMatchObject({ surface, floor: surface });
  });

  it("has what the theme puts beside products on a table behind, and what is high on the floor", () => {
    const { below } = stood("living room with croissants and an orchid", legs);
    const placeOf = (name: string) => below.things.find((thing) => thing.name === name)?.place;
    expect([placeOf("croissant"), placeOf("orchid")]).toEqual(["upon", "beside"]);
    const { plan, below: outdoors } = stood("meadow with croissants", legs);
    expect(outdoors.things).toEqual(plan.things);
  });

  it("has no toys of the place's own at the feet outdoors, and on a terrace a table", () => {
    expect(stood("meadow", legs).below.things.filter(({ place }) => place === "beside")).toEqual([]);
    const { things } = stood("terrace with wine glasses", legs).below;
    expect(things.find(({ name }) => name === "wine-glass")?.place).toBe("upon");
  });
});

describe("what stands on a pole", () => {
  it("has a foot, and is not turned as a glass is", () => {
    expect([fan, glass, lollipop].map(isOnPole)).toEqual([true, false, false]);
    expect(isOnPole({ ...fan, stance: "floating" })).toBe(false);
  });

  it.each([
    ["bedroom", "wood"],
    ["kitchen", "tile"],
    ["living room", "wood"],
    ["bedroom, thick carpet", "fabric"],
    ["marble bathroom", "marble"],
  ])("stands on the floor of a room: %s, %s", (text, surface) => {
    const { below } = stood(text, fan);
    expect(below).toMatchObject({ isOnFloor: true, surface, floor: surface });
  });

  it("has no soap beside it, unless the theme names it: then it is as low as on a floor", () => {
    const soapIn = (things: ScenePlan["things"]) => things.find(({ name }) => name === "soap")?.tall;
    const ofPlace = stood("bathroom", fan);
    const named = stood("bathroom with soap", fan);
    expect(soapIn(ofPlace.plan.things)).toBe(0.34);
    expect(soapIn(ofPlace.below.things)).toBeUndefined();
    expect(soapIn(named.below.things)).toBe(0.17);
  });

  it.each(["kitchen counter", "wooden table in a bedroom", "podium", "bureau"])("stands on a table: %s", (text) => {
    const { plan, below } = stood(text, fan);
    expect(below).toBe(plan);
  });

  it.each(["bedroom", "kitchen"])("is no glass, and nothing in a set: %s", (text) => {
    for (const pose of [glass, lollipop, null]) {
      const { plan, below } = stood(text, pose);
      expect(below).toBe(plan);
    }
  });
});
