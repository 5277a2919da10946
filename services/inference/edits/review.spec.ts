/** When a person should look: real edits of drawn photos with the bundled weights. */
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect, it } from "vitest";
import { drawnMugs, type Mug, mugsSize } from "../../../testing/images/drawn-mugs.ts";
import { editInput } from "../../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../../testing/models/in-process-models.ts";
import { runEdit } from "./run-edit.ts";

const model = fileURLToPath(new URL("../../../models/packshot-mask/1/model.onnx", import.meta.url));
const models = createInProcessModels({ "packshot-mask": model });
const mug: Mug = { x: 430, y: 480, height: 340, color: "#b03428" };

async function reportOf(source: Buffer) {
  const { report } = await runEdit(editInput(source, models));
  return report;
}

/** The right half of the photo lies in the dark, and so does that of the mug. */
async function halfDark(source: Buffer): Promise<Buffer> {
  const { width, height } = mugsSize;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="dark">
      <stop offset=".44" stop-color="#000" stop-opacity="0"/><stop offset=".5" stop-color="#000" stop-opacity=".985"/>
    </linearGradient>
    <rect width="100%" height="100%" fill="url(#dark)"/>
  </svg>`;
  return await sharp(source)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer();
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
    ...models,
    describe: async (name: string) => ({ ...(await models.describe(name)), reviewLimits: [0] }),
  };
  const { report } = await runEdit(editInput(await drawnMugs([mug]), strict));
  expect(report.quality).toBe("review");
});
