/** What the decoder would do is measured in a process of its own, whose peak is not that of the tests beside it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { avifOfSharedExif, gifOfFrames, pngBombOfTexts, tiffOf } from "../../../../testing/images/bombs.ts";

const growthKilobytesMax = 50 * 1024;
const refusal = (message: RegExp) => expect.stringMatching(new RegExp(`^image_too_large ${message.source}`));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-bombs-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly source: string;
  readonly background: string;
  readonly growthKilobytes: number;
}

function open(file: Buffer): Outcome {
  const path = join(folder, "photo");
  writeFileSync(path, file);
  const modules = ["decode.ts", "background-picture.ts"].map((name) =>
    JSON.stringify(new URL(name, import.meta.url).href),
  );
  const program = `
    import { readFileSync } from "node:fs";
    import { decodePhoto } from ${modules[0]};
    import { openBackgroundPicture } from ${modules[1]};
    const bytes = readFileSync(${JSON.stringify(path)});
    const limits = { maxPixels: 1e8 };
    const said = (work) => work.then(() => "opened", ({ code, message }) => code + " " + message);
    const beforeKilobytes = process.resourceUsage().maxRSS;
    const source = await said(decodePhoto(bytes, limits));
    const background = await said(openBackgroundPicture(bytes, { width: 64, height: 64 }, limits));
    const growthKilobytes = process.resourceUsage().maxRSS - beforeKilobytes;
    console.log(JSON.stringify({ source, background, growthKilobytes }));
  `;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return JSON.parse(said) as Outcome;
}

it.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
  [
    "a PNG of 64 × 64 whose text inflates to 2.5 GB",
    /The PNG has more than 1 MB of compressed text/,
    () => pngBombOfTexts(50),
  ],
  ["an AVIF of 64 × 64 that names 5 MB 200 times", /The AVIF has items/, () => avifOfSharedExif(200, 5_000_000)],
  ["a TIFF of 20,000 pages", /The TIFF has more than 1,000 pages/, () => tiffOf({ pages: 20_000 })],
  ["a GIF of 200,000 frames", /The GIF has more than 10,000 frames/, () => gifOfFrames(200_000)],
])("%s is refused before it takes memory, as a photo and as a background", async (_name, message, make) => {
  const { source, background, growthKilobytes } = open(await make());
  expect(source).toEqual(refusal(message));
  expect(background).toMatch(
    new RegExp(`^background_unusable The background picture cannot be used: ${message.source}`),
  );
  expect(growthKilobytes).toBeLessThan(growthKilobytesMax);
});

it("a small PNG with ordinary text opens", async () => {
  expect(open(await pngBombOfTexts(0))).toMatchObject({ source: "opened", background: "opened" });
});
