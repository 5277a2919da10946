/** When a person should look: real edits of drawn photos with the bundled weights. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { drawnMugs, halfDark, type Mug, mugsSize } from "../../../../testing/images/drawn-mugs.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { runEdit } from "./run-edit.ts";

const mug: Mug = { x: 430, y: 480, height: 340, color: "#b03428" };

async function reportOf(source: Buffer) {
  const { report } = await runEdit(editInput(source, bundledModels));
  return report;
}

it("lets a product on paper pass", async () => {
  const { quality, reasons, expectedOverlap } = await reportOf(await drawnMugs([mug]));
  expect({ quality, reasons }).toEqual({ quality: "ok", reasons: [] });
  expect(expectedOverlap).toBeGreaterThan(0.97);
});

it("asks for a review of a product whose half is lost in the dark, and says why", async () => {
  const { quality, reasons, expectedOverlap } = await reportOf(await halfDark(await drawnMugs([mug], "room")));
  expect(quality).toBe("review");
  expect(reasons).toContain("the network was not sure of parts of the product");
  expect(expectedOverlap).toBeLessThan(0.9);
});

it("goes by the limits of the model", async () => {
  const strict = {
    ...bundledModels,
    describe: async (name: string) => ({ ...(await bundledModels.describe(name)), reviewLimits: [0] }),
  };
  const { report } = await runEdit(editInput(await drawnMugs([mug]), strict));
  expect(report.quality).toBe("review");
});

it("goes by the gaps that the network sees and that are filled, where the model's weights count them", async () => {
  const source = await drawnMugs([mug], "room");
  const reasonsWith = async (filledGaps: number) => {
    const reviewWeights = { missing: 0, uncertainty: 0, filledGaps };
    const describe = async (name: string) => ({
      ...(await bundledModels.describe(name)),
      reviewLimits: [0],
      reviewWeights,
    });
    return (await runEdit(editInput(source, { ...bundledModels, describe }))).report.reasons;
  };
  expect(await reasonsWith(1)).toEqual(["the network saw gaps in the product, which are filled"]);
  expect(await reasonsWith(0)).toEqual([]);
});

const pixelsOf = async (picture: Buffer) => await sharp(picture).raw().toBuffer({ resolveWithObject: true });

it("brings photo and matte with a doubtful cut-out, and takes the mended matte", async () => {
  const source = await halfDark(await drawnMugs([mug], "room"));
  const { result, proof } = await runEdit(editInput(source, bundledModels));
  const photo = await pixelsOf(proof!.photo.bytes);
  expect([photo.info.width, photo.info.height, photo.info.channels]).toEqual([mugsSize.width, mugsSize.height, 3]);
  expect(await sharp(proof!.matte.bytes).metadata()).toMatchObject({ ...mugsSize, channels: 1, format: "png" });
  const matte = await pixelsOf(await sharp(proof!.matte.bytes).extractChannel(0).png().toBuffer());
  const cut = await pixelsOf(result.bytes);
  const gray = Buffer.from(matte.data.filter((_, i) => i % matte.info.channels === 0));
  const differing = gray.filter((value, i) => value !== cut.data[i * 4 + 3]).length;
  expect(differing).toBe(0);

  // A piece of the background, which the network has not kept.
  const at = 200 * mugsSize.width + 150;
  expect(gray[at]).toBe(0);
  const mended = Buffer.from(gray);
  for (let dy = -20; dy < 20; dy++) mended.fill(255, at + dy * mugsSize.width - 20, at + dy * mugsSize.width + 20);
  const mask = await sharp(mended, { raw: { ...mugsSize, channels: 1 } })
    .png()
    .toBuffer();
  const again = await runEdit({ ...editInput(source, bundledModels), mask });
  expect((await pixelsOf(again.result.bytes)).data[at * 4 + 3]).toBe(255);
});

it("makes no proof of a cut-out that nobody has to look at", async () => {
  expect((await runEdit(editInput(await drawnMugs([mug]), bundledModels))).proof).toBeUndefined();
});

it("reduces the proof of a large photo, of any format, to 2,000 pixels a side", async () => {
  const large = await sharp(await halfDark(await drawnMugs([mug], "room")))
    .resize(3_000)
    .tiff()
    .toBuffer();
  const { proof } = await runEdit(editInput(large, bundledModels));
  expect([proof!.photo.contentType, proof!.photo.width, proof!.matte.width]).toEqual(["image/jpeg", 2_000, 2_000]);
});
