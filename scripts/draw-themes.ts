/**
 * Draws the pictures of the named themes, small WebP files that the API serves: `node scripts/draw-themes.ts`. The service's
 * own renderer paints them, without a product. Look at them afterwards.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { namedThemes, themePictureSeed } from "../packages/domain/edits/themes.ts";
import { editWithScene } from "../services/inference/edits/tools/ai-bg.ts";

const folder = fileURLToPath(new URL("../services/api/features/themes/pictures", import.meta.url));
const width = 240;
const height = 180;
/** Drawn larger and scaled down, so that edges are smooth. */
const drawnScale = 2;
const bytesMax = 6 * 1024;

async function drawTheme(theme: string): Promise<Buffer> {
  const pixels = width * height * drawnScale ** 2;
  const empty = {
    width: width * drawnScale,
    height: height * drawnScale,
    rgb: new Uint8Array(pixels * 3),
    alpha: new Uint8Array(pixels),
  };
  const parameters = { seed: themePictureSeed, model: "none", theme };
  const { signal } = new AbortController();
  const { edited: drawn } = await editWithScene(empty, {
    parameters,
    signal,
    maxPixels: 100_000_000,
    onStage: () => {},
  });
  const raw = { width: drawn.width, height: drawn.height, channels: 3 } as const;
  const small = await sharp(drawn.pixels, { raw }).resize(width, height).png().toBuffer();
  for (let quality = 82; quality > 20; quality -= 6) {
    const bytes = await sharp(small).webp({ quality, effort: 6 }).toBuffer();
    if (bytes.length <= bytesMax) return bytes;
  }
  throw new Error(`${theme}: no quality makes a picture of at most ${bytesMax} bytes`);
}

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(join(folder, name));
for (const { id, theme } of namedThemes) {
  const bytes = await drawTheme(theme);
  writeFileSync(join(folder, `${id}.webp`), bytes);
  process.stdout.write(`${id}: ${bytes.length} bytes\n`);
}
