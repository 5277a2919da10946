/** HEIC, from its header to a result over the public API, and what is said where its decoder is not installed. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import sharp from "sharp";
import { beforeAll, describe, expect, it, test } from "vitest";
import { estimateEditMemory } from "../../services/inference/edits/tools/edit-memory.ts";
import { decodePhoto } from "../../services/inference/imaging/codec/decode.ts";
import { makeHeicPhotos } from "../../testing/images/heic-photos.ts";
import { productPixels } from "../../testing/images/odd-images.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { formWith } from "../../testing/stack/live-stack.ts";

const limits = { maxPixels: 100_000_000 };
const width = 320;
const height = 240;

describe("a HEIC", { tags: ["python"] }, () => {
  let plain: Buffer | undefined;
  let rotated: Buffer | undefined;
  let tiled: Buffer | undefined;
  let transparent: Buffer | undefined;
  let tenBit: Buffer | undefined;
  let tagged: Buffer | undefined;
  let icc: Buffer;

  beforeAll(async () => {
    const pixels = () => sharp(productPixels(), { raw: { width, height, channels: 3 } });
    const png = await pixels().png().toBuffer();
    const large = await pixels().resize(1200, 900).png().toBuffer();
    const alpha = Buffer.alloc(width * height, 255).fill(0, 0, width * 10);
    const withAlpha = await pixels()
      .joinChannel(alpha, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    icc = (await sharp(await pixels().withIccProfile("p3").png().toBuffer()).metadata()).icc!;
    [plain, rotated, tiled, transparent, tenBit, tagged] = makeHeicPhotos([
      { png },
      { png, orientation: 6 },
      { png: large, tileSize: 512 },
      { png: withAlpha },
      { png, isTenBit: true },
      { png, icc },
    ]);
  }, 360_000);

  const at = (rgb: Uint8Array, x: number, y: number, rowPixels = width) => [
    ...rgb.subarray((y * rowPixels + x) * 3, (y * rowPixels + x) * 3 + 3),
  ];
  const expectNear = (found: readonly number[], wanted: readonly number[], by = 4) => {
    for (const [i, value] of found.entries()) expect(Math.abs(value - wanted[i]!)).toBeLessThanOrEqual(by);
  };
  const original = productPixels();

  it("is judged by its header, upright, before anything is decoded", async () => {
    const header = { format: "heic", contentType: "image/heic", width, height, pages: 1 };
    expect(await inspectImage(plain!, limits)).toEqual(header);
    expect(await inspectImage(rotated!, limits)).toMatchObject({ width: height, height: width });
    await expect(inspectImage(plain!, { maxPixels: width * height - 1 })).rejects.toMatchObject({
      code: "image_too_large",
    });
    await expect(inspectImage(withSize(plain!, 20_000, 10_000), limits)).rejects.toMatchObject({
      code: "image_too_large",
      message: "The image has 20000 × 10000 pixels (200 MP); the limit is 100 MP.",
    });
  });

  it("is decoded to the photo's own pixels", async () => {
    const photo = await decodePhoto(plain!, limits);
    expect(photo).toMatchObject({ format: "heic", width, height });
    expect(photo.alpha).toBeUndefined();
    expect(photo.icc).toBeUndefined();
    for (const [x, y] of [
      [120, 125],
      [300, 20],
      [66, 60],
      [5, 235],
    ] as const) {
      expectNear(at(photo.rgb, x, y), at(original, x, y));
    }
  });

  it("is turned as its container says, once", async () => {
    const photo = await decodePhoto(rotated!, limits);
    expect(photo).toMatchObject({ width: height, height: width });
    expectNear(at(photo.rgb, height - 1 - 125, 120, height), at(original, 120, 125));
  });

  it("of many tiles, as phones write them, is one photo", async () => {
    const photo = await decodePhoto(tiled!, limits);
    expect(photo).toMatchObject({ width: 1200, height: 900 });
    // Left and right of the border between the first two tiles, and below it.
    for (const [x, y] of [
      [510, 470],
      [513, 470],
      [513, 515],
    ] as const)
      expectNear(at(photo.rgb, x, y, 1200), at(original, Math.floor(x / 3.75), Math.floor(y / 3.75)), 12);
  });

  it("keeps its own alpha, its profile, and eight of its ten bits", async () => {
    const { alpha } = await decodePhoto(transparent!, limits);
    expect([alpha?.[5 * width + 5], alpha?.[100 * width + 5]]).toEqual([0, 255]);
    expect((await decodePhoto(tagged!, limits)).icc).toEqual(icc);
    const ramp = await decodePhoto(tenBit!, limits);
    expectNear([...at(ramp.rgb, 0, 9), ...at(ramp.rgb, width - 1, 9)], [0, 0, 0, 255, 255, 255], 3);
    expectNear(at(ramp.rgb, width / 2, 9), [128, 128, 128], 3);
  });

  it("that is cut short, or lies about its size, fails as unreadable, and the next one is decoded", async () => {
    const short = plain!.subarray(0, Math.floor(plain!.length * 0.6));
    for (const bad of [short, withSize(plain!, 64, 64), withSize(plain!, 4_000, 3_000)]) {
      await expect(decodePhoto(bad, limits)).rejects.toMatchObject({ code: "image_unreadable" });
    }
    expect(await decodePhoto(plain!, limits)).toMatchObject({ width, height });
  });

  it("reserves more memory than a JPEG of its size", () => {
    const memory = (format: "heic" | "jpeg") =>
      estimateEditMemory({
        tool: "mask",
        parameters: {},
        sourceBytes: 1_000_000,
        header: { format, width: 4_000, height: 3_000 },
      });
    // In the worker, and in the process that decodes it.
    expect(memory("heic") - memory("jpeg")).toBeGreaterThanOrEqual(8 * 12_000_000);
  });

  describe("sent to the public API", () => {
    const stack = jointStack();

    it("becomes a cut-out, and damaged or too large it is refused before a job is made", async () => {
      const { body } = await stack.edit("mask", formWith(tiled!, {}, "image/heic"));
      expect(body).toMatchObject({ status: "completed", error: null });
      const result = await sharp(Buffer.from(await (await stack.call("GET", body.resultUrl)).arrayBuffer())).metadata();
      expect(result).toMatchObject({ format: "png", width: 1200, height: 900, hasAlpha: true });
      const refused = await stack.edit("mask", formWith(withSize(plain!, 20_000, 10_000), {}, "image/heic"));
      expect([refused.status, refused.body.code]).toEqual([413, "image_too_large"]);
      const tool = (await (await stack.call("GET", "/v1/tools/mask")).json()) as { inputTypes: string[] };
      expect(tool.inputTypes).toContain("image/heic");
    });
  });
});

/** The same file with another size in its `ispe` boxes: what the header claims. */
function withSize(heic: Buffer, claimedWidth: number, claimedHeight: number): Buffer {
  const changed = Buffer.from(heic);
  for (let box = changed.indexOf("ispe"); box >= 0; box = changed.indexOf("ispe", box + 4)) {
    changed.writeUInt32BE(claimedWidth, box + 8);
    changed.writeUInt32BE(claimedHeight, box + 12);
  }
  return changed;
}

test("where the decoder is not installed, HEIC is refused with 415 and told what to do instead", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const copy = mkdtempSync(join(tmpdir(), "packshot-no-heic-"));
  try {
    // The program without libheif-js: its packages are those of this tree, but for that one.
    cpSync(join(root, "packages"), join(copy, "packages"), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    mkdirSync(join(copy, "node_modules/@packshot"), { recursive: true });
    symlinkSync(join(copy, "packages/domain"), join(copy, "node_modules/@packshot/domain"));
    symlinkSync(join(root, "node_modules/sharp"), join(copy, "node_modules/sharp"));
    const heic = Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(64)]);
    writeFileSync(join(copy, "photo.heic"), heic);
    const program = `
      import { inspectImage } from "./packages/platform/images/inspect-image.ts";
      inspectImage("photo.heic", { maxPixels: 1e8 }).catch(({ code, message }) => console.log(code, message));
    `;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: copy,
      encoding: "utf8",
    });
    expect(said.trim()).toBe("unsupported_media_type HEIC is not supported: export the photo as JPEG or PNG.");
  } finally {
    rmSync(copy, { recursive: true });
  }
});
