import { PackshotError } from "@packshot/domain/errors.ts";
import type { InspectImageFor } from "@packshot/platform/images/image-inspector.ts";
import { expect, it } from "vitest";
import { memoryOf } from "./job-runner.ts";

it("reserves memory by the mask's own header, and leaves what is wrong with it to its edit", async () => {
  const edit = { tool: "mask", parameters: { seed: 1 }, accountId: "a" } as const;
  const source = Buffer.from("photo");
  const mask = Buffer.from("mask");
  const bytesWith = async (side: number | undefined) => {
    const inspectImage: InspectImageFor = async (_account, bytes) => {
      const of = Buffer.from(bytes).toString() === "mask" ? side : 100;
      if (of === undefined) throw new PackshotError("image_unreadable", "damaged");
      return { format: "png", contentType: "image/png", width: of, height: of, pages: 1 };
    };
    return (await memoryOf({ inspectImage, maxPixels: 1e8 }, edit, { source, mask })).bytes;
  };
  const small = await bytesWith(100);
  expect((await bytesWith(5_000)) - small).toBeGreaterThan(25e6 * 16);
  expect((await bytesWith(undefined)) - small).toBeGreaterThan(25e6 * 3);
});
