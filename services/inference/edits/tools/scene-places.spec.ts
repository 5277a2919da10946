/** Places that are known by what stands in them. */

import { expect, it } from "vitest";
import { editedWithScene } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";

const input = (theme: string, avoid?: string) => ({
  parameters: { seed: 1, model: "mask", theme, avoid },
  maxPixels: 100_000_000,
  signal: new AbortController().signal,
  onStage: () => {},
});

it.each(["christmas market", "christmas"])("paints the lights of a %s, unless they are avoided", async (theme) => {
  const small = drawnCutOut(120, 90, box(50, 60, 70, 84));
  const brightness = async (avoid?: string) => {
    const { pixels } = await editedWithScene(small, input(theme, avoid));
    const upper = pixels.subarray(0, 120 * 45 * 3);
    return upper.filter((value) => value > 200).length;
  };
  expect(await brightness()).toBeGreaterThan(3 * (await brightness("lights")) + 100);
});

it.each([
  ["flowers", "plants"],
  ["greenhouse", "plants"],
])("paints no %s where %s are avoided", async (theme, avoid) => {
  const small = drawnCutOut(120, 90, box(50, 60, 70, 84));
  const greens = async (avoided?: string) => {
    const { pixels } = await editedWithScene(small, input(theme, avoided));
    let count = 0;
    for (let i = 0; i < 120 * 50; i++)
      if (pixels[3 * i + 1]! > pixels[3 * i]! + 4 && pixels[3 * i + 1]! > pixels[3 * i + 2]! + 4) count++;
    return count;
  };
  expect(await greens()).toBeGreaterThan(400);
  expect(await greens(avoid)).toBe(0);
});

it("lays down what a flat lay names, unless the parameters say how it stands", async () => {
  const crate = drawnCutOut(200, 160, box(75, 50, 125, 130));
  const flat = input("flat lay on white linen");
  const { report } = await editedWithScene(crate, flat);
  expect(report).toMatchObject({ scene: { view: "above" }, shadow: { stance: "lying" } });
  const asked = { ...flat, parameters: { ...flat.parameters, pose: "standing" as const } };
  expect((await editedWithScene(crate, asked)).report).toMatchObject({ scene: { view: "level" } });
});
