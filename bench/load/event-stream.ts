/** The end of a job, read from the event stream of the API. k6 reads this module too, so it imports nothing else. */
import type { EndedJob } from "./ended-job.ts";

interface StreamedJob {
  readonly status: string;
  readonly resultUrl: string | null;
}

/** What a whole stream says of the job's end; null where the stream was cut off before. */
export function endedByStream(text: string, atMs: number): EndedJob | null {
  for (const event of text.split("\n\n").toReversed()) {
    const [, data] = /^event: job\ndata: (.*)$/m.exec(event) ?? [];
    if (data === undefined) continue;
    const { status, resultUrl } = JSON.parse(data) as StreamedJob;
    return ["completed", "failed", "cancelled"].includes(status) ? { status, atMs, resultUrl } : null;
  }
  return null;
}
