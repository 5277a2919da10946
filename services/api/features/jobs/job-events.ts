/** `GET /v1/jobs/{id}/events`: server-sent events until the job has ended. */

import type { ServerResponse } from "node:http";
import { isEnded, type Job, type JobStatus } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Call } from "../../http/call.ts";
import type { JobResponses } from "./job-response.ts";
import type { JobView } from "./job-view.ts";

const tickMs = 1_000;
const ticksPerKeepAlive = 15;

export interface JobEventDeps {
  readonly log: Log;
  readonly view: JobView;
  readonly responses: JobResponses;
}

/** Resolves when the job has ended, or when the client or this process goes. */
export async function streamJobEvents(deps: JobEventDeps, { response, signal }: Call, job: Job): Promise<void> {
  const { log, view } = deps;
  const stream = openEventStream(response);
  const over = Promise.withResolvers<void>();
  // It may be rejected before it is awaited, and an unhandled rejection ends the process.
  over.promise.catch(() => {});
  if (signal.aborted) over.resolve();
  signal.addEventListener("abort", () => over.resolve(), { once: true });
  const writer = createJobEventWriter(deps, { job, stream, onEnd: over.resolve, onError: over.reject });

  const stopListening = view.onChange(job.id, writer.writeJob);
  const progress = log.connection.subscribe(subjects.progress(job.id), {
    callback: (error, message) => {
      if (error === null) writer.writeProgress(message.json());
    },
  });
  let ticks = 0;
  const tick = () => {
    writer.writePosition();
    ticks += 1;
    if (ticks % ticksPerKeepAlive === 0) stream.keepAlive();
  };
  const timer = setInterval(tick, tickMs);
  try {
    // The record is read after listening has begun, so that no change and no stage is missed by who has the first event.
    writer.writeJob((await log.read<Job>(subjects.job(job.accountId, job.id))).value);
    await writer.flush();
    tick();
    await over.promise;
    await writer.flush();
  } finally {
    clearInterval(timer);
    stopListening();
    progress.unsubscribe();
    stream.close();
  }
}

interface JobEventWriter {
  /** undefined: the job was deleted. */
  writeJob(job: Job | undefined): void;
  writeProgress(stage: unknown): void;
  /** The job's position among the queued ones, if it has changed. */
  writePosition(): void;
  /** Resolves when everything so far has been written. */
  flush(): Promise<void>;
}

interface JobEventWriterInput {
  readonly job: Job;
  readonly stream: EventStream;
  readonly onEnd: () => void;
  readonly onError: (error: unknown) => void;
}

/** Writes events one after another, each status once, and nothing after the end. */
function createJobEventWriter(
  { log, view, responses }: JobEventDeps,
  { job: { accountId, id }, stream, onEnd, onError }: JobEventWriterInput,
): JobEventWriter {
  let latest: Job | undefined;
  let writtenStatus: JobStatus | undefined;
  let writtenPosition: number | undefined;
  let isOver = false;
  let writing = Promise.resolve();

  function enqueue(write: () => Promise<void>): void {
    writing = writing.then(write).catch(onError);
  }

  async function writeNow(job: Job | undefined): Promise<void> {
    // A record read from the leader may be older than the change that was written before it.
    if (isOver || writtenStatus === job?.status) return;
    isOver = job === undefined || isEnded(job);
    writtenStatus = job?.status;
    if (job === undefined) stream.send("deleted", { id });
    else stream.send("job", await responses.job(job));
    if (isOver) onEnd();
  }

  return {
    writeJob(job) {
      latest = job;
      enqueue(() => writeNow(job));
    },
    writeProgress(stage) {
      enqueue(async () => {
        // A stage may arrive before the change to "processing", which clients are shown first.
        if (writtenStatus === "queued") await writeNow((await log.read<Job>(subjects.job(accountId, id))).value);
        if (writtenStatus === "processing") stream.send("progress", stage);
      });
    },
    writePosition() {
      if (latest?.status !== "queued") return;
      const position = view.queuedBefore(accountId, latest);
      if (position !== writtenPosition) stream.send("position", { position });
      writtenPosition = position;
    },
    flush: () => writing,
  };
}

/** Server-sent events to one client. */
export interface EventStream {
  /** Events are numbered from 1 in their `id`. */
  send(event: string, data: unknown): void;
  /** A comment line: it keeps proxies from closing a quiet stream. */
  keepAlive(): void;
  close(): void;
}

export const eventStreamType = "text/event-stream";

function openEventStream(response: ServerResponse): EventStream {
  let eventId = 0;
  response.writeHead(200, {
    "Content-Type": eventStreamType,
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  return {
    send(event, data) {
      eventId += 1;
      response.write(`id: ${eventId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    keepAlive: () => void response.write(": still here\n\n"),
    close: () => void response.end(),
  };
}
