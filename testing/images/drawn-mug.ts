import sharp from "sharp";

/** A photo of a plain product on a light ground, as a JPEG. Another color makes other bytes. */
export async function drawnMug(color: string, width = 240, height = 180): Promise<Buffer> {
  const side = Math.round(Math.min(width, height) / 2);
  const mug = Buffer.from(
    `<svg width="${side}" height="${side}"><rect width="100%" height="100%" rx="${side / 6}" fill="${color}"/></svg>`,
  );
  const ground = { create: { width, height, channels: 3 as const, background: "#f4f2ee" } };
  return await sharp(ground)
    .composite([{ input: mug }])
    .jpeg({ quality: 92 })
    .toBuffer();
}
