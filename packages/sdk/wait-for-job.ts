/** Waits until a job has ended: by its event stream, and by long polls where a proxy lets no stream through. */
import { createParser } from "eventsource-parser";
import { PackshotError } from "./packshot-error.ts";
import type { Job } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

export interface WaitOptions extends Waiting {
  /** The whole wait; without it, until the job ends, which the service's own deadlines see to. */
  readonly waitTimeoutMs?: number;
  /** The job, at first and whenever its status changes, and the stages of its processing. */
  readonly onProgress?: (progress: JobProgress) => void;
}

export type JobProgress =
  | { readonly kind: "job"; readonly job: Job }
  /** How many of the account's queued jobs were created before this one. */
  | { readonly kind: "position"; readonly position: number }
  /** Where a stage has several steps, as an image model's painting, so many of them are done: `step` from 1 to `steps`. */
  | { readonly kind: "stage"; readonly stage: string; readonly step?: number; readonly steps?: number };

/** The service writes a line every 15 seconds at least: a stream that is silent for longer is dead. */
const silenceMsMax = 45_000;
const pollSeconds = 25;

/** Resolves with the ended job, whether it completed, failed or was cancelled. */
export async function waitForJob(transport: Transport, id: string, options: WaitOptions): Promise<Job> {
  const { waitTimeoutMs, onProgress = () => {} } = options;
  const deadline = waitTimeoutMs === undefined ? undefined : AbortSignal.timeout(waitTimeoutMs);
  const signals = [options.signal, deadline].filter((signal) => signal !== undefined);
  const waiting = { ...options, signal: signals.length === 0 ? undefined : AbortSignal.any(signals) };
  try {
    return (await followStream(transport, id, waiting, onProgress)) ?? (await poll(transport, id, waiting, onProgress));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!deadline?.aborted) throw error;
    throw new PackshotError("timed_out", `The job has not ended within ${waitTimeoutMs} ms.`, { jobId: id });
  }
}

function isEnded({ status }: Job): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

type OnProgress = (progress: JobProgress) => void;

/** undefined: the stream ended before the job, or there was none. */
async function followStream(
  transport: Transport,
  id: string,
  { signal, timeoutMs }: Waiting,
  onProgress: OnProgress,
): Promise<Job | undefined> {
  const headers = { Accept: "text/event-stream" };
  const path = `/v1/jobs/${encodeURIComponent(id)}/events`;
  let body: ReadableStream<Uint8Array> | null;
  try {
    ({ body } = await transport.stream({ method: "GET", path, headers, signal, timeoutMs }));
  } catch (error) {
    // Whatever refuses streams may let a poll through; what the API itself refuses, it refuses there too.
    if (error instanceof PackshotError && error.code === "not_found") throw error;
    signal?.throwIfAborted();
    return undefined;
  }
  if (body === null) return undefined;
  const reader = body.getReader();
  try {
    return await readEvents(reader, id, onProgress);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof PackshotError) throw error;
    return undefined;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  id: string,
  onProgress: OnProgress,
): Promise<Job | undefined> {
  let ended: Job | undefined;
  let isDeleted = false;
  const parser = createParser({
    onEvent({ event, data }) {
      const value = JSON.parse(data);
      if (event === "job") {
        onProgress({ kind: "job", job: value });
        if (isEnded(value)) ended = value;
      }
      if (event === "position") onProgress({ kind: "position", position: value.position });
      if (event === "progress") {
        const { stage, step, steps } = value;
        onProgress({ kind: "stage", stage, ...(step === undefined ? {} : { step, steps }) });
      }
      if (event === "deleted") isDeleted = true;
    },
  });
  const decoder = new TextDecoder();
  while (ended === undefined) {
    const { done, value } = await readBeforeSilence(reader);
    if (done) return undefined;
    parser.feed(decoder.decode(value, { stream: true }));
    if (isDeleted)
      throw new PackshotError("job_deleted", "The job was deleted while it was waited for.", { jobId: id });
  }
  return ended;
}

async function readBeforeSilence(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const silence = setTimeout(() => void reader.cancel().catch(() => {}), silenceMsMax);
  try {
    // A cancelled reader is done.
    return await reader.read();
  } finally {
    clearTimeout(silence);
  }
}

async function poll(transport: Transport, id: string, waiting: Waiting, onProgress: OnProgress): Promise<Job> {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const headers = { Prefer: `wait=${pollSeconds}` };
  for (let status: string | undefined; ; ) {
    const job = await transport.json<Job>({ method: "GET", path, headers, ...waiting });
    if (job.status !== status) onProgress({ kind: "job", job });
    status = job.status;
    if (isEnded(job)) return job;
  }
}
