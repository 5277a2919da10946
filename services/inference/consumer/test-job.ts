/** Jobs made with a test key: the same path as live ones, only inference is replaced and no picture is fetched that was not sent. */
import { setTimeout } from "node:timers/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Job } from "@packshot/domain/job.ts";
import { sandboxOutcomeOf, sandboxSourceOrigin } from "@packshot/domain/sandbox-jobs.ts";
import sharp from "sharp";
import type { JobRunner } from "./run-job.ts";

/** A test job that asks to stay `queued`: its claim is given back and its message acked. */
export class StayQueued extends Error {}

const width = 640;
const height = 480;

/** The picture behind `https://test.packshot.invalid/…`: a plain oval on a light sweep, where the test matte has its oval. */
export async function testPicture(): Promise<Buffer> {
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

export function isTestSource(job: Pick<Job, "live" | "source">): boolean {
  return !job.live && job.source.kind === "url" && job.source.imageUrl.startsWith(sandboxSourceOrigin);
}

/** Runs live jobs by `live`, and test jobs as their magic input asks, else by `replaced` (the test matte). */
export function withTestJobs({ live, replaced }: { live: JobRunner; replaced: JobRunner }): JobRunner {
  return {
    async run(job, signal, onStage, lend = (wait) => wait()) {
      if (job.live) return await live.run(job, signal, onStage, lend);
      const outcome = sandboxOutcomeOf(job);
      if (outcome.kind === "failed") throw new PackshotError(outcome.code, outcome.message);
      if (outcome.kind === "queued") throw new StayQueued();
      const waitMs =
        outcome.kind === "processing" ? Date.parse(job.deadlineAt) - Date.now() + 1_000 : outcome.processingMs;
      await lend(() => setTimeout(Math.max(0, waitMs), undefined, { signal }));
      return await replaced.run(job, signal, onStage, lend);
    },
  };
}
