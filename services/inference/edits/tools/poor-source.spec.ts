/**
 * What becomes of an edit whose photo is poor, with our own model.
 * @module-tag long
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { shared } from "../../../../testing/mask/photos-with-truth.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { runEdit } from "./run-edit.ts";

interface Report {
  readonly quality: string;
  readonly reasons: readonly string[];
  readonly source: {
    readonly sharpness: number;
    readonly checks: readonly { readonly name: string; readonly passed: boolean }[];
  };
}

async function reportOf(source: Buffer, parameters: EditParameters = {}, tool = "mask" as const) {
  const { report, proof } = await runEdit({ ...editInput(source, bundledModels, { parameters }), tool });
  return { ...(report as unknown as Report), proof };
}

const failedIn = ({ source }: Pick<Report, "source">) =>
  source.checks.flatMap(({ name, passed }) => (passed ? [] : [name]));

/** A box with stripes on light paper. */
function drawnBox(): Sharp {
  const stripes = Array.from(
    { length: 12 },
    (_, n) => `<rect x="330" y="${240 + n * 42}" width="340" height="16" fill="#e8d8b0"/>`,
  );
  const svg =
    `<svg width="1000" height="1000"><rect width="100%" height="100%" fill="#efece6"/>` +
    `<rect x="300" y="200" width="400" height="600" fill="#8a3324"/>${stripes.join("")}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

const sharpBox = await drawnBox().png().toBuffer();
const blurredBox = await drawnBox().blur(4).png().toBuffer();

describe("a poor photo", () => {
  it("is edited by default, and the report says in what it is poor; a good one is poor in nothing", async () => {
    expect(failedIn(await reportOf(sharpBox))).toEqual([]);
    const blurred = await reportOf(blurredBox);
    expect(failedIn(blurred)).toEqual(["sharpness"]);
    expect(blurred.reasons.join()).not.toContain("poor_source");
  });

  it("is judged as a whole, also where the edit is of a region", async () => {
    const framed = await drawnBox().extend({ top: 20, bottom: 20, left: 20, right: 20 }).png().toBuffer();
    const region = { left: "15%", top: "15%", right: "85%", bottom: "85%" };
    expect(failedIn(await reportOf(framed, { region }))).toEqual(["border"]);
  });

  it("gets a review where that is asked for, with reasons and proofs", async () => {
    const review = { onPoorSource: "review" } as const;
    expect((await reportOf(sharpBox, review)).reasons.join()).not.toContain("poor_source");
    const { quality, reasons, proof } = await reportOf(blurredBox, review);
    expect(quality).toBe("review");
    expect(reasons).toContain("poor_source: the photo is blurred");
    expect(proof).toBeDefined();
  });

  it("is refused where that is asked for, by every tool, with what to do", async () => {
    const refuse = { onPoorSource: "refuse" } as const;
    expect(failedIn(await reportOf(sharpBox, refuse))).toEqual([]);
    for (const tool of ["mask", "ai-shadows", "ai-bg"] as const) {
      const edit = runEdit({ ...editInput(blurredBox, bundledModels, { parameters: refuse }), tool });
      await expect(edit).rejects.toMatchObject({
        code: "poor_source",
        message: expect.stringMatching(
          /^The photo is blurred \(sharpness is 0\.\d+, at least 0\.3 is asked for\)\. Take/,
        ),
      });
    }
  });

  it("is judged alike by a matte that is predicted, that is kept, and that came with it", async () => {
    const predicted = await runEdit(editInput(blurredBox, bundledModels, { keepsMatte: true }));
    const keptMatte = { bytes: predicted.madeMatte!, jobId: "an earlier one" };
    const kept = await runEdit(editInput(blurredBox, bundledModels, { keptMatte }));
    expect(kept.report.matteOf).toBe("an earlier one");
    expect(kept.report.source).toEqual(predicted.report.source);
    const refused = runEdit(
      editInput(blurredBox, bundledModels, { keptMatte, parameters: { onPoorSource: "refuse" } }),
    );
    await expect(refused).rejects.toMatchObject({ code: "poor_source" });
    const matte = Buffer.alloc(1_000 * 1_000);
    for (let y = 200; y < 800; y++) matte.fill(255, 1_000 * y + 300, 1_000 * y + 700);
    const ownMatte = await sharp(blurredBox)
      .joinChannel(matte, { raw: { width: 1_000, height: 1_000, channels: 1 } })
      .png()
      .toBuffer();
    expect(failedIn(await reportOf(ownMatte))).toEqual(["sharpness"]);
  });
});

const photo = join(shared, "photos-shop", "spree-electric-kettle-1-7l.webp");

describe.skipIf(!existsSync(photo))("a shop's photo", () => {
  const degraded = async (degrade: (photo: Sharp) => Sharp) =>
    failedIn(await reportOf(await degrade(sharp(await readFile(photo))).toBuffer()));

  it.each([
    ["untouched", [], (source: Sharp) => source.png()],
    ["blurred", ["sharpness"], (source: Sharp) => source.blur(3).png()],
    ["of a JPEG of quality 8", ["blocking"], (source: Sharp) => source.jpeg({ quality: 8 })],
    ["underexposed", ["highlight"], (source: Sharp) => source.linear(0.4, 0).png()],
    ["overexposed", ["clippedWhite"], (source: Sharp) => source.linear(2.6, 0).png()],
    ["small", ["productPixels"], (source: Sharp) => source.resize(300).png()],
    ["in a frame", ["border"], (source: Sharp) => source.extend({ top: 20, bottom: 20, left: 20, right: 20 }).png()],
  ])("%s is poor in %j", async (_how, names, degrade) => {
    expect(await degraded(degrade)).toEqual(names);
  });
});
