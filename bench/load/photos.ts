/** The photos that are sent: drawn from the sample photo, so that every machine sends the same. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const sample = fileURLToPath(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
const size = { width: 1152, height: 864 };
/** Different bytes, the same size: latencies of one run can be compared. */
const variants = [
  { name: "mug", mirrored: false, brightness: 1 },
  { name: "mirrored", mirrored: true, brightness: 1 },
  { name: "darker", mirrored: false, brightness: 0.85 },
] as const;

/** Three JPEGs of a megapixel. Returns their paths. */
export async function writePhotos(folder: string): Promise<string[]> {
  const photo = await readFile(sample);
  return await Promise.all(
    variants.map(async ({ name, mirrored, brightness }) => {
      const path = join(folder, `${name}.jpg`);
      await sharp(photo).resize(size).flop(mirrored).modulate({ brightness }).jpeg({ quality: 90 }).toFile(path);
      return path;
    }),
  );
}
