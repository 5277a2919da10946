/**
 * What is kept of several things where nobody has chosen: real edits of drawn photos, measured on their results.
 * @module-tag long
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { bodyOf, drawnMugs, type Mug, type MugGround } from "../../../../testing/images/drawn-mugs.ts";
import { shared } from "../../../../testing/mask/photos-with-truth.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { Candidate } from "../../imaging/matting/parts/choose-product.ts";
import { runEdit } from "./run-edit.ts";

const large: Mug = { x: 430, y: 480, height: 340, color: "#b03428" };
const small: Mug = { x: 760, y: 440, height: 190, color: "#2a4f8f" };
const left: Mug = { x: 250, y: 480, height: 300, color: "#b03428" };
const right: Mug = { x: 640, y: 480, height: 300, color: "#2a4f8f" };

async function edit(mugs: readonly Mug[], ground: MugGround, parameters: EditParameters = {}) {
  const { result, report } = await runEdit(editInput(await drawnMugs(mugs, ground), bundledModels, { parameters }));
  const { data, info } = await sharp(result.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  /** Whether the middle of a mug's body is in the result. */
  const isShown = ({ x, y, height }: Mug) => data[(Math.round(y - height / 2) * info.width + x) * 4 + 3] === 255;
  const candidates = report.candidates as readonly Candidate[] | undefined;
  return { candidates, isShown: mugs.map(isShown), parts: report.parts, reasons: report.reasons };
}

function expectBoxes(candidates: readonly Candidate[] | undefined, mugs: readonly Mug[]): void {
  expect(candidates).toHaveLength(mugs.length);
  for (const [index, mug] of mugs.entries()) {
    const drawn = bodyOf(mug);
    const { left: x, top: y, height } = candidates![index]!;
    for (const difference of [x - drawn.left, y - drawn.top, y + height - drawn.bottom]) {
      expect(Math.abs(difference), `candidate ${index}`).toBeLessThanOrEqual(5);
    }
  }
}

it("keeps the large one in the middle of a room, names the other, and asks whether it belongs to it", async () => {
  const { candidates, isShown, parts, reasons } = await edit([large, small], "room");
  expect({ isShown, parts }).toEqual({ isShown: [true, false], parts: 1 });
  expect(reasons).toEqual([expect.stringMatching(/^uncertain_choice: /)]);
  expectBoxes(candidates, [large, small]);
  expect(candidates!.map(({ chosen }) => chosen)).toEqual([true, false]);
  expect(candidates![0]!.score).toBe(1);
  expect(candidates![1]!.score).toBeLessThan(0.6);
});

it("keeps the one in focus where the other is as large", async () => {
  expect((await edit([left, { ...right, blur: 3 }], "room")).isShown).toEqual([true, false]);
});

it("keeps a pair that is as large, central and sharp, and names both", async () => {
  const { candidates, isShown, reasons } = await edit([left, right], "room");
  expect({ isShown, reasons }).toEqual({ isShown: [true, true], reasons: [] });
  expectBoxes(candidates, [left, right]);
  expect(candidates!.every(({ chosen }) => chosen)).toBe(true);
});

it("keeps all that stands on paper, and names them", async () => {
  const { candidates, isShown } = await edit([large, small], "paper");
  expect(isShown).toEqual([true, true]);
  expectBoxes(candidates, [large, small]);
});

it.each(["room", "paper"] as const)("has no candidates where one thing stands in or on: %s", async (ground) => {
  const { candidates, isShown } = await edit([large], ground);
  expect([candidates, isShown]).toEqual([undefined, [true]]);
});

it.each([
  ["a region", { region: { left: "1%" } }, [true, true]],
  ["a point", { point: { x: "760px", y: "350px" } }, [false, true]],
])("leaves the choice to whoever gave %s", async (_what, parameters, wanted) => {
  const { candidates, isShown } = await edit([large, small], "room", parameters);
  expect([candidates, isShown]).toEqual([undefined, wanted]);
});

const shopFolder = join(shared, "photos-shop");

it.skipIf(!existsSync(shopFolder)).each([1, 2])(
  "keeps a shaver and all of its attachments: photo %s (needs PACKSHOT_SHARED)",
  async (number) => {
    const kits = (await readdir(shopFolder)).filter((name) => name.startsWith("spree-multigroom-")).sort();
    const source = await readFile(join(shopFolder, kits[number - 1]!));
    const { report } = await runEdit(editInput(source, bundledModels));
    const candidates = report.candidates as readonly Candidate[];
    expect(candidates.map(({ chosen }) => chosen)).toEqual([true, true, true, true, true]);
  },
);
