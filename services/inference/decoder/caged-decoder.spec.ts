/**
 * Decoding in a cage: the same pixels as anywhere, and a process that is replaced when a photo has made it fail.
 * @module-tag packshot-cage
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { narrowCage, noCage, realCage, takenDecoder } from "../../../testing/decoder/test-cages.ts";
import { makeHeicPhotos } from "../../../testing/images/heic-photos.ts";
import * as odd from "../../../testing/images/odd-images.ts";
import { tiffBytes } from "../../../testing/images/tiff-bytes.ts";
import { deserializeError, serializeError } from "../edits/serialized-error.ts";
import { type CagedDecoder, type CagedDecoderDeps, createCagedDecoder } from "./caged-decoder.ts";
import { type StartDecoderChild, spawnDecoder } from "./decoder-child.ts";
import { decoderOf } from "./image-decoder.ts";

const limits = { maxPixels: 1_000_000 };
const here = decoderOf({});
let decoder: CagedDecoder;
let lost: string[];

function start(change: Partial<CagedDecoderDeps> = {}): void {
  lost = [];
  decoder = createCagedDecoder({
    startChild: spawnDecoder(realCage()),
    decodeTimeoutMs: 60_000,
    startTimeoutMs: 60_000,
    onLost: (cause) => lost.push(cause),
    ...change,
  });
}

const floats = {
  width: 2,
  height: 1,
  samplesPerPixel: 3,
  photometric: 2,
  bitsPerSample: 32,
  sampleFormat: 3,
  data: new Uint8Array(new Float32Array([0, 0.5, 1, 1, 0.5, 0]).buffer),
};

/** libheif is WebAssembly, which the process compiles at the first such photo: it must have found it, and may make code. */
describe("HEIC", { tags: ["python"] }, () => {
  let photos: Buffer[];
  beforeAll(async () => {
    const png = await odd.png();
    const large = await odd.product().resize(960, 720).png().toBuffer();
    photos = makeHeicPhotos([{ png }, { png, orientation: 6 }, { png: large, tileSize: 512 }, { png, isTenBit: true }]);
    start();
  }, 360_000);
  afterAll(() => decoder.stop());

  it("is decoded in the cage, to the same pixels, and leaves the process as it was", async () => {
    const { pid } = decoder;
    const before = pid();
    for (const photo of photos) {
      const decoded = await decoder.decodePhoto(photo, limits);
      expect(decoded.format).toBe("heic");
      expect(decoded).toEqual(await here.decodePhoto(photo, limits));
    }
    expect({ lost, pid: pid() }).toEqual({ lost: [], pid: before });
  });
});

describe("the same as in the thread", () => {
  beforeAll(() => start());
  afterAll(() => decoder.stop());

  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ["JPEG", odd.jpeg],
    ["rotated JPEG", odd.rotatedJpeg],
    ["CMYK", odd.cmykJpeg],
    ["PNG of 16 bits", odd.png16],
    ["transparency", odd.withAlpha],
    ["GIF", odd.animatedGif],
    ["WebP", odd.animatedWebp],
    ["AVIF", () => odd.product().avif().toBuffer()],
    ["profile", () => odd.product().withIccProfile("p3").png().toBuffer()],
    ["floating-point TIFF", () => tiffBytes(floats)],
    ["TIFF", () => odd.product().tiff().toBuffer()],
  ])("%s", async (_, make) => {
    const file = await make();
    expect(await decoder.decodePhoto(file, limits)).toEqual(await here.decodePhoto(file, limits));
    const cover = { width: 30, height: 20, fit: "cover" } as const;
    expect(await decoder.openPicture("background", file, cover, limits)).toEqual(
      await here.openPicture("background", file, cover, limits),
    );
    expect(Buffer.from((await decoder.openLogo(file, 40)).pixels)).toEqual((await here.openLogo(file, 40)).pixels);
  });

  it("metadata", async () => {
    const file = await odd
      .product()
      .withExif({ IFD0: { Copyright: "Packshot" } })
      .jpeg()
      .toBuffer();
    const blocks = await decoder.readMetadataBlocks(file);
    expect(blocks.exif).toBeInstanceOf(Buffer);
    expect(blocks).toEqual(await here.readMetadataBlocks(file));
  });

  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ["a truncated photo", odd.truncatedJpeg],
    ["no image", odd.notAnImage],
    ["too many pixels", odd.pngBomb],
  ])("%s is refused", async (_, make) => {
    const file = await make();
    const refusal = (await here.decodePhoto(file, limits).catch((error: unknown) => error)) as PackshotError;
    const { code, message } = refusal;
    await expect(decoder.decodePhoto(file, limits)).rejects.toMatchObject({ code, message });
    expect(refusal).toBeInstanceOf(PackshotError);
  });
});

const ask = (what: string) => decoder.decodePhoto(Buffer.from(what), limits);
const photo = '"about":{"format":"png","width":2,"height":1,"hasAmbiguousAlpha":false}';

describe("a process that is lost", () => {
  afterEach(() => decoder.stop());

  it.each([
    ["crash", "crash", "image_unreadable", ["crash", "crash"]],
    ["memory", "take memory", "image_too_large", ["memory", "memory"]],
    ["no answer", "say: hello", "image_unreadable", ["protocol"]],
    [
      "a code that decoders do not give",
      'say: {"kind":"refused","code":"unauthorized","message":""}',
      "image_unreadable",
      ["protocol"],
    ],
    ["planes of another size", `say: {"kind":"decoded",${photo},"parts":[7,-1,-1]}`, "image_unreadable", ["protocol"]],
    [
      "more pixels than allowed",
      'say: {"kind":"decoded","about":{"format":"png","width":9999,"height":9999,"hasAmbiguousAlpha":false},"parts":[299940003,-1,-1]}',
      "image_unreadable",
      ["protocol"],
    ],
    ["a profile that is none", `say: {"kind":"decoded",${photo},"parts":[6,-1,4]}`, "image_unreadable", ["protocol"]],
    ["lengths below none", `say: {"kind":"decoded",${photo},"parts":[6,-2,-1]}`, "image_unreadable", ["protocol"]],
  ])("by %s is the photo's failure, and the next photo has another", async (_, what, code, causes) => {
    start({ startChild: spawnDecoder(narrowCage(takenDecoder)) });
    await expect(ask(what)).rejects.toMatchObject({ code });
    expect(lost).toEqual(causes);
    await expect(ask("signal")).rejects.toMatchObject({ message: "EPERM" });
  });

  it("by an answer that is too long is not waited for", async () => {
    start({ startChild: spawnDecoder(realCage(takenDecoder)) });
    await expect(ask(`say: ${"x".repeat(10_000)}`)).rejects.toMatchObject({ code: "image_unreadable" });
    expect(lost).toEqual(["protocol"]);
  });

  it("is told of the picture that it decoded", async () => {
    start({ startChild: spawnDecoder(realCage(takenDecoder)) });
    const size = { width: 1, height: 1, fit: "fill" } as const;
    const opened = decoder.openPicture("tone", Buffer.from("crash"), size, limits);
    await expect(opened).rejects.toMatchObject({ code: "tone_unusable" });
    await expect(decoder.openLogo(Buffer.from("crash"), 1)).rejects.toMatchObject({ code: "logo_unusable" });
    expect(await decoder.readMetadataBlocks(Buffer.from("crash"))).toEqual({});
  });

  it.each([
    ["killed by somebody else", "killed", "be killed", {}, /SIGKILL/],
    ["too slow", "timeout", "hang", { decodeTimeoutMs: 1_000 }, /1000 ms/],
  ])(
    "that was %s is no judgement of the photo, which is tried again by its job",
    async (_, cause, what, change, how) => {
      start({ startChild: spawnDecoder(noCage(takenDecoder)), ...change });
      const failure = await ask(what).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "DecoderLost", message: expect.stringMatching(how) });
      expect(toInfrastructureFault(deserializeError(serializeError(failure)))).toEqual({
        part: "decoder",
        isCertain: false,
      });
      expect(lost).toEqual([cause]);
      await expect(decoder.readMetadataBlocks(Buffer.from(what))).rejects.toThrow(how);
    },
  );

  it("because it was stopped has no successor, and its photo is not judged", async () => {
    const isAsked = Promise.withResolvers<void>();
    const spawned = spawnDecoder(realCage(takenDecoder));
    const startChild: StartDecoderChild = (events) => {
      const child = spawned(events);
      const write = (text: string) => {
        child.write(text);
        if (text.startsWith("{")) isAsked.resolve();
      };
      return { ...child, write };
    };
    start({ startChild });
    const asked = ask("hang").catch((error: unknown) => error);
    await isAsked.promise;
    const first = decoder.pid();
    await decoder.stop();
    expect(toInfrastructureFault(await asked)).toEqual({ part: "decoder", isCertain: false });
    expect(decoder.pid()).toBe(first);
  });

  it("and cannot be started is the machine's fault, and no photo's", async () => {
    start({ startChild: spawnDecoder({ ...realCage(), arguments: ["run", "--nonsense", "1"] }) });
    const failure = await ask("anything").catch((error: unknown) => error);
    expect(toInfrastructureFault(failure)).toEqual({ part: "decoder", isCertain: true });
    expect(lost).toEqual(["start", "start", "start"]);
  });

  it("and does not start in time is not waited for longer", async () => {
    start({ startChild: spawnDecoder({ launcher: "/bin/cat", arguments: [], environment: {} }), startTimeoutMs: 100 });
    const failure = await ask("anything").catch((error: unknown) => error);
    expect(toInfrastructureFault(failure)).toEqual({ part: "decoder", isCertain: false });
    expect(lost).toEqual(["timeout"]);
  });
});

describe("a process is replaced", () => {
  afterEach(() => decoder.stop());

  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ["a damaged photo", odd.truncatedJpeg],
    ["what is no image", odd.notAnImage],
    ["a photo that is too large", odd.pngBomb],
  ])("after %s", async (_, make) => {
    start();
    const file = await odd.jpeg();
    await decoder.decodePhoto(file, limits);
    const first = decoder.pid();
    await decoder.decodePhoto(file, limits);
    expect(decoder.pid()).toBe(first);
    await expect(decoder.decodePhoto(await make(), limits)).rejects.toThrow();
    expect(decoder.pid()).not.toBe(first);
    expect(lost).toEqual([]);
  });

  it("after so many photos", async () => {
    start({ photosMax: 2 });
    const file = await odd.jpeg();
    const first = decoder.pid();
    await Promise.all([decoder.decodePhoto(file, limits), decoder.decodePhoto(file, limits)]);
    expect(decoder.pid()).not.toBe(first);
    expect(lost).toEqual([]);
  });
});
