/** How a product stands, lies or hangs in a scene, and from where the scene is seen. */

import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import { describe, expect, it } from "vitest";
import { editedWithScene } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { standOf } from "./ai-bg.ts";
import { poseInPhoto } from "./ai-shadows.ts";

const input = (theme: string, parameters: EditParameters = {}) => ({
  parameters: { seed: 1, model: "mask", theme, ...parameters },
  maxPixels: 100_000_000,
  signal: new AbortController().signal,
  onStage: () => {},
});

it.each(["meadow", "beach at sunset", "kitchen counter"])("never stands up what lies: %s", async (theme) => {
  const band = (x: number, y: number) => Math.abs(x - y) < 14 && x + y > 90 && x + y < 270;
  const { report } = await editedWithScene(drawnCutOut(180, 180, band), input(theme));
  expect(report).toMatchObject({ scene: { view: "above" }, shadow: { stance: "lying" } });
});

it("stands a low disc that was seen from above on a floor up to the foot of the wall, and says what is above that", async () => {
  const rim = (x: number, y: number) => ((x - 90) / 70) ** 2 + ((y - 80) / 38) ** 2 < 1;
  const disc = drawnCutOut(
    180,
    180,
    (x, y) => rim(x, y) || rim(x, y - 16) || (Math.abs(x - 90) < 70 && y > 80 && y < 96),
  );
  const sceneOf = async (asked: EditParameters) => {
    const { report } = await editedWithScene(disc, input("wooden barbershop", { pose: "standing", ...asked }));
    return report as { scene: { props: string[]; notShown: string[] }; shadow: { cameraPitch: number } };
  };
  const found = await sceneOf({});
  expect(found.shadow.cameraPitch).toBeGreaterThan(28);
  // The chair is behind the disc.
  expect(found.scene).not.toHaveProperty("props");
  expect(found.scene.notShown).toEqual(["barbershop"]);
  const asked = await sceneOf({ camera: "level" });
  expect(asked.scene.props).toContain("barber-pole");
});

it("sets down what floats above its shadow: shoes seen from above on a ground seen from above", async () => {
  const oval = (cx: number) => (x: number, y: number) => ((x - cx) / 19) ** 2 + ((y - 72) / 42) ** 2 < 1;
  const shoes = drawnCutOut(180, 180, (x, y) => oval(68)(x, y) || oval(112)(x, y));
  const pool = shoes.alpha.map((_, i) => (Math.hypot((i % 180) - 90, 6 * (Math.floor(i / 180) - 160)) < 50 ? 60 : 0));
  const photographed = poseInPhoto(shoes, {}, { outcome: "separated", alpha: pool });
  expect(photographed).toMatchObject({ stance: "floating", view: "level" });
  for (const theme of ["beach bar", "bedroom"]) {
    const { report } = await editedWithScene(shoes, input(theme), { pose: photographed });
    expect(report).toMatchObject({ scene: { view: "above" }, shadow: { stance: "lying", kind: "cast" } });
  }
  expect(standOf(photographed, { seed: 1, model: "mask", scene: {} })).not.toHaveProperty("baseline");
});

describe("a garment that hangs", () => {
  const body = box(62, 62, 122, 152);
  const sleeves = (x: number, y: number) => y >= 62 && Math.abs(x - 92) < 30 + 0.6 * (y - 58) && y < 88;
  const neck = box(80, 56, 104, 64);
  const shirt = drawnCutOut(184, 184, (x, y) => body(x, y) || sleeves(x, y) || neck(x, y));
  const hung = { pose: "hanging" } as const;

  it.each(["boutique", "bedroom", "old town street", "brick wall"])(
    "hangs from a rail at eye level: %s",
    async (theme) => {
      const { report } = await editedWithScene(shirt, input(theme, hung));
      expect(report).toMatchObject({ scene: { view: "level" }, shadow: { stance: "hanging", kind: "none" } });
    },
  );

  it("is seen from above where the camera is asked for, and where no rail is", async () => {
    for (const asked of [input("boutique", { ...hung, camera: "above" }), input("beach", hung)]) {
      const { report } = await editedWithScene(shirt, asked);
      expect(report).toMatchObject({ scene: { view: "above" } });
    }
  });
});

it("strews nothing of a place whose objects are not wanted", async () => {
  const band = drawnCutOut(180, 180, (x, y) => Math.abs(x - y) < 14 && x + y > 90 && x + y < 270);
  const propsOf = async (avoid: string) => {
    const { report } = await editedWithScene(band, input("gym", { avoid, pose: "lying" }));
    return (report.scene as { props?: string[] }).props;
  };
  expect(await propsOf("")).toEqual(["dumbbell"]);
  expect(await propsOf("objects")).toBeUndefined();
});

it.each(["splash", "moon", "arch"])("says that a camera that looks down does not see it: %s", async (prop) => {
  const band = drawnCutOut(180, 180, (x, y) => Math.abs(x - y) < 14 && x + y > 90 && x + y < 270);
  const { report } = await editedWithScene(band, input(`white studio, ${prop}`, { pose: "lying" }));
  expect(report).toMatchObject({ scene: { view: "above", notShown: expect.arrayContaining([prop]) } });
});

it("lays down what the request says was photographed from above, unless it is said to stand", async () => {
  const mug = drawnCutOut(180, 180, box(60, 60, 120, 150));
  const viewOf = async (asked: EditParameters) => {
    const { report } = await editedWithScene(mug, input("oak table", asked));
    return [(report.scene as { view: string }).view, (report.shadow as { stance: string }).stance];
  };
  expect(await viewOf({})).toEqual(["level", "standing"]);
  expect(await viewOf({ camera: "above" })).toEqual(["above", "lying"]);
  expect(await viewOf({ camera: "above", pose: "standing" })).toEqual(["level", "standing"]);
});

it.each([
  ["autumn leaves", [], []],
  ["autumn leaves on oak with candles", ["candles"], []],
  ["on a sofa", [], []],
  ["kitchen with lemons", ["lemons"], []],
  ["christmas", [], []],
  ["beach with palms and a boat", ["palms"], ["boat"]],
])("a flat lay of %s has %s, and says what it does not have: %s", async (theme, props, notShown) => {
  const band = drawnCutOut(240, 240, (x, y) => Math.abs(x - y) < 14 && x + y > 160 && x + y < 320);
  const { report } = await editedWithScene(band, input(theme, { pose: "lying" }));
  const { scene } = report as { scene: { props?: string[]; notShown: string[] } };
  expect(scene.props ?? []).toEqual(expect.arrayContaining(props));
  expect(scene.notShown.toSorted()).toEqual(notShown);
});

it("never puts what stands on a ground seen from above, unless the parameters say so", async () => {
  const sofa = (x: number, y: number) =>
    box(30, 60, 150, 110)(x, y) || box(40, 110, 46, 118)(x, y) || box(134, 110, 140, 118)(x, y);
  const cut = drawnCutOut(180, 180, sofa);
  const { report } = await editedWithScene(cut, input("meadow"));
  expect(report).toMatchObject({ scene: { view: "level" }, shadow: { stance: "standing" } });
  const parameters = { ...input("meadow").parameters, pose: "lying" as const };
  const laid = await editedWithScene(cut, { ...input("meadow"), parameters });
  expect(laid.report).toMatchObject({ scene: { view: "above" }, shadow: { stance: "lying" } });
});

it("splashes beside a wide product of a set, too", async () => {
  const bench = drawnCutOut(200, 160, box(40, 90, 160, 130));
  const edit = async (theme: string) => await editedWithScene(bench, input(theme, { seed: 7, scene: {} }));
  const [splashed, dry] = await Promise.all(["milk splash, blue background", "blue background"].map(edit));
  const redBeside = ({ pixels }: { readonly pixels: Uint8Array }, left: number) => {
    let sum = 0;
    for (let y = 95; y < 130; y++) for (let x = left; x < left + 18; x++) sum += pixels[3 * (200 * y + x)]!;
    return sum / (35 * 18);
  };
  for (const left of [20, 162]) {
    expect(redBeside(splashed!, left), `from ${left}`).toBeGreaterThan(redBeside(dry!, left) + 12);
  }
});

describe("glasses that were photographed from the front", () => {
  const lens = (cx: number) => (x: number, y: number) => ((x - cx) / 27) ** 2 + ((y - 100) / 24) ** 2 < 1;
  const glasses = drawnCutOut(200, 160, (x, y) => lens(66)(x, y) || lens(134)(x, y) || box(88, 86, 112, 92)(x, y));

  it.each(["beach, golden sand", "snow", "meadow"])("lie on a soft ground, seen from above: %s", async (theme) => {
    const { report } = await editedWithScene(glasses, input(theme));
    expect(report).toMatchObject({ scene: { view: "above" }, shadow: { stance: "lying" } });
  });

  it("stand on a firm one, on a stand, in a set, and where the request says so", async () => {
    const firm = [input("oak table"), input("podium on a beach"), input("beach", { scene: {} })];
    for (const asked of [...firm, input("beach", { pose: "standing" }), input("beach", { camera: "level" })]) {
      const { report } = await editedWithScene(glasses, asked);
      expect(report).toMatchObject({ scene: { view: "level" }, shadow: { stance: "standing" } });
    }
  });

  const twoOf = (left: readonly [number, number, number, number], bridge: readonly [number, number, number, number]) =>
    drawnCutOut(200, 160, (x, y) => box(...left)(x, y) || box(...left)(199 - x, y) || box(...bridge)(x, y));
  const ends = (x: number, y: number) => lens(66)(x, y) || lens(134)(x, y);

  it.each([
    [
      "a dumbbell, whose bar is in its middle",
      drawnCutOut(200, 160, (x, y) => ends(x, y) || box(88, 97, 112, 103)(x, y)),
    ],
    ["a bench, which has no rims", twoOf([44, 90, 54, 124], [38, 76, 162, 90])],
    ["a desk, whose cabinets are not round", twoOf([38, 76, 80, 124], [38, 76, 162, 90])],
  ])("are not %s: it stands on sand", async (_, product) => {
    const { report } = await editedWithScene(product, input("beach, golden sand"));
    expect(report).toMatchObject({ scene: { view: "level" } });
  });
});
