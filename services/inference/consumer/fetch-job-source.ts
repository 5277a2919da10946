/** Fetches the photo that a job's `imageUrl` names: from the public internet, or from a customer's bucket by a link. */

import { isBucketUrl } from "@packshot/domain/connections/bucket-key.ts";
import type { PicturePart } from "@packshot/domain/edits/pictures.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { sandboxSourceOrigin } from "@packshot/domain/jobs/sandbox-outcome.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { type FetchedSource, fetchSource } from "@packshot/platform/outbound/fetch-source.ts";
import { targetAttributes, traced } from "@packshot/platform/telemetry/tracing.ts";
import sharp from "sharp";
import type { AskForLink } from "./bucket-links.ts";

export interface JobSourceDeps {
  readonly allowSources: AllowList;
  readonly sourceTimeoutMs: number;
  readonly allowConnections: AllowList;
  readonly askForLink: AskForLink;
}

export interface JobSourceRequest {
  readonly job: Pick<Job, "accountId" | "id">;
  readonly imageUrl: string;
  /** Which of the job's pictures it is: a link to a bucket is asked for by it. */
  readonly part: "source" | PicturePart;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

const linkWaitMs = 10_000;

/** `take` gets the stream. Throws what `fetchSource` and `AskForLink` throw. */
export async function fetchJobSource(
  { allowSources, sourceTimeoutMs: timeoutMs, allowConnections, askForLink }: JobSourceDeps,
  { job, imageUrl, part, bytesMax, signal }: JobSourceRequest,
  take: (stream: FetchedSource["stream"]) => Promise<unknown>,
): Promise<void> {
  const isInBucket = isBucketUrl(imageUrl);
  const request = { kind: part, accountId: job.accountId, jobId: job.id } as const;
  const url = isInBucket ? (await askForLink(request, { waitMs: linkWaitMs, signal })).url : imageUrl;
  const allow = isInBucket ? allowConnections : allowSources;
  // The customer's server is not told of the trace.
  await traced("GET", { kind: "client" }, async (span) => {
    span?.setAttributes({ "http.request.method": "GET", ...targetAttributes(url) });
    const { stream } = await fetchSource(url, { allow, bytesMax, timeoutMs, signal });
    await take(stream);
  });
}

/** The source photo of a sandbox job (made with a test key), which is drawn here instead of being fetched. */

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
