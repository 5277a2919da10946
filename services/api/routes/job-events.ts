/** `GET /v1/jobs/{id}/events`: server-sent events until the job has ended. */
import { isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Call } from "../http/call.ts";
import type { JobView } from "../followers/job-view.ts";
import type { JobAnswers } from "./job-answer.ts";

const beatMs = 1_000;
/** Comments keep proxies from closing a quiet stream. */
const beatsPerComment = 15;

export interface JobEventParts {
  readonly log: Log;
  readonly view: JobView;
  readonly answers: JobAnswers;
}

export async function streamJob({ log, view, answers }: JobEventParts, call: Call, first: Job): Promise<void> {
  const { response, signal } = call;
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  let eventId = 0;
  const write = (event: string, data: unknown) => {
    eventId += 1;
    response.write(`id: ${eventId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const over = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => over.resolve(), { once: true });

  let shown: string | undefined;
  let latest: Job | undefined = first;
  let writing = Promise.resolve();
  const show = (job: Job | undefined) => {
    latest = job;
    writing = writing.then(async () => {
      if (job === undefined) {
        write("deleted", { id: first.id });
        return over.resolve();
      }
      if (shown === job.status) return;
      shown = job.status;
      write("job", await answers.job(job));
      if (isEnded(job)) over.resolve();
    });
  };

  const stopListening = view.onChange(first.id, show);
  const progress = log.connection.subscribe(subjects.progress(first.id), {
    callback: (error, message) => {
      if (error === null && latest !== undefined && !isEnded(latest)) write("progress", message.json());
    },
  });
  let position: number | undefined;
  let beats = 0;
  const beat = () => {
    if (latest?.status === "queued") {
      const now = view.queuedBefore(latest.accountId, latest);
      if (now !== position) write("position", { position: now });
      position = now;
    }
    beats += 1;
    if (beats % beatsPerComment === 0) response.write(": still here\n\n");
  };
  const timer = setInterval(beat, beatMs);
  try {
    // Listening before reading: no change falls between.
    const { value } = await log.read<Job>(subjects.job(first.accountId, first.id));
    show(value);
    await writing;
    beat();
    await over.promise;
    await writing;
  } finally {
    clearInterval(timer);
    stopListening();
    progress.unsubscribe();
    response.end();
  }
}
