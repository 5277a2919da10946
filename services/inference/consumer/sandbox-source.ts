/** The source photo of a sandbox job (made with a test key), which is drawn here instead of being fetched. */
import type { Job } from "@packshot/domain/jobs/job.ts";
import { sandboxSourceOrigin } from "@packshot/domain/jobs/job.ts";
import sharp from "sharp";

const width = 640;
const height = 480;

/**
 * The photo behind `https://test.packshot.invalid/…`: a plain oval on a light sweep, where the sandbox matte has its
 * oval.
 */
export async function sandboxPhoto(): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = Math.hypot((x / width - 0.5) / 0.3, (y / height - 0.5) / 0.4) < 1;
      const light = inside ? 0.55 + (0.3 * (width - x)) / width : 0.97 - (0.08 * y) / height;
      const color = inside ? [60, 130, 190] : [255, 255, 255];
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = Math.round(color[c]! * light);
    }
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

export function isSandboxSource(job: Pick<Job, "live" | "source">): boolean {
  return !job.live && job.source.kind === "url" && job.source.imageUrl.startsWith(sandboxSourceOrigin);
}
