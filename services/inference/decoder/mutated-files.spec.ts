/**
 * Files of every format with bytes changed, cut and repeated by a seed, decoded in the cage: each is a photo of the size that was
 * judged or a refusal, and none ends or holds its process. `make fuzz` tries more of them, by other seeds.
 * @module-tag packshot-cage
 * @module-tag long
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { createRandom, hashText } from "@packshot/domain/random.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { realCage } from "../../../testing/decoder/test-cages.ts";
import { mutate } from "../../../testing/fuzz/mutate.ts";
import { makeHeicPhotos } from "../../../testing/images/heic-photos.ts";
import * as odd from "../../../testing/images/odd-images.ts";
import type { Size } from "../imaging/pixels/geometry.ts";
import { type CagedDecoder, createCagedDecoder } from "./caged-decoder.ts";
import { spawnDecoder } from "./decoder-child.ts";

const seed = Number(process.env.FUZZ_SEED ?? 1);
const files = Number(process.env.FUZZ_FILES ?? 4);
const maxPixels = 1_000_000;
const timeoutMs = 30_000 + 10_000 * files;
/** Its packages may have to be installed. */
const pythonTimeoutMs = 300_000;
let decoder: CagedDecoder;
const lost: string[] = [];

beforeAll(() => {
  decoder = createCagedDecoder({
    startChild: spawnDecoder(realCage(undefined, maxPixels)),
    decodeTimeoutMs: 20_000,
    startTimeoutMs: 60_000,
    onLost: (cause, how) => lost.push(`${cause}: ${how}`),
  });
});
afterAll(() => decoder.stop());

const sides = ({ width, height }: Size) => [width, height].sort((a, b) => a - b);

const allowed = ["decoded", "unsupported_media_type", "image_too_large", "image_unreadable", "background_unusable"];

const codeOf = (error: unknown) => {
  if (error instanceof PackshotError) return error.code;
  throw error;
};

async function photoOf(file: Buffer, where: string): Promise<string> {
  const photo = await decoder.decodePhoto(file, { maxPixels }).catch(codeOf);
  if (typeof photo === "string") return photo;
  // Damage may turn it.
  expect(sides(photo), where).toEqual(sides(await inspectImage(file, { maxPixels })));
  return "decoded";
}

const picture = { width: 64, height: 48, fit: "cover" } as const;

async function pictureOf(file: Buffer): Promise<string> {
  const opened = await decoder.openPicture("background", file, picture, { maxPixels }).catch(codeOf);
  return typeof opened === "string" ? opened : "decoded";
}

/** Each fourth is asked for as a picture beside the photo, and each for its metadata. */
async function decodeMutated(format: string, whole: Buffer): Promise<void> {
  const outcomes = new Set<string>();
  for (let n = 0; n < files; n++) {
    const where = `FUZZ_SEED=${seed}, file ${n} of ${format}`;
    const file = mutate(whole, createRandom(hashText(`${seed} ${format} ${n}`)));
    await decoder.readMetadataBlocks(file);
    outcomes.add(n % 4 === 3 ? await pictureOf(file) : await photoOf(file, where));
    expect(lost, where).toEqual([]);
  }
  expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
}

it.each<[string, () => Promise<Buffer>]>([
  ["JPEG", odd.jpeg],
  ["progressive JPEG", () => odd.product().jpeg({ progressive: true }).toBuffer()],
  ["CMYK", odd.cmykJpeg],
  ["PNG", odd.png],
  ["PNG of 16 bits", odd.png16],
  ["WebP", () => odd.product().webp().toBuffer()],
  ["lossless WebP", () => odd.product().webp({ lossless: true }).toBuffer()],
  ["AVIF", () => odd.product().avif({ effort: 0 }).toBuffer()],
  ["GIF", odd.animatedGif],
  ["TIFF", () => odd.product().tiff({ compression: "lzw" }).toBuffer()],
  ["profile", () => odd.product().withIccProfile("p3").jpeg().toBuffer()],
])("%s", async (format, make) => await decodeMutated(format, await make()), timeoutMs);

it("HEIC", { tags: ["python"], timeout: timeoutMs + pythonTimeoutMs }, async () => {
  const [whole, tiled] = makeHeicPhotos([{ png: await odd.png() }, { png: await odd.png(), tileSize: 128 }]);
  await decodeMutated("HEIC", whole!);
  await decodeMutated("HEIC in tiles", tiled!);
});
