/** `GET /v1/jobs/{id}/events`: server-sent events until the job has ended. */
import { isEnded, type Job, type JobStatus } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Call } from "../http/call.ts";
import type { JobView } from "../followers/job-view.ts";
import type { JobResponses } from "./job-response.ts";

const beatMs = 1_000;
/** Comments keep proxies from closing a quiet stream. */
const beatsPerComment = 15;

export interface JobEventDeps {
  readonly log: Log;
  readonly view: JobView;
  readonly answers: JobResponses;
}

export async function streamJobEvents({ log, view, answers }: JobEventDeps, call: Call, first: Job): Promise<void> {
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
  // It may fail before it is awaited; a rejection that nobody has heard of would end the process.
  over.promise.catch(() => {});
  if (signal.aborted) over.resolve();
  signal.addEventListener("abort", () => over.resolve(), { once: true });

  const subject = subjects.job(first.accountId, first.id);
  let shown: JobStatus | undefined;
  let isOver = false;
  let latest: Job | undefined = first;
  let writing = Promise.resolve();
  const showNow = async (job: Job | undefined) => {
    // What was read may be older than what was shown: nothing follows the end.
    if (isOver || shown === job?.status) return;
    isOver = job === undefined || isEnded(job);
    shown = job?.status;
    if (job === undefined) write("deleted", { id: first.id });
    else write("job", await answers.job(job));
    if (isOver) over.resolve();
  };
  const inTurn = (act: () => Promise<void>) => {
    writing = writing.then(act).catch(over.reject);
  };
  const show = (job: Job | undefined) => {
    latest = job;
    inTurn(() => showNow(job));
  };
  const showStage = async (stage: unknown) => {
    // A stage overtakes the news that a worker has the job: that comes first for those who listen here.
    if (shown === "queued") await showNow((await log.read<Job>(subject)).value);
    if (shown === "processing") write("progress", stage);
  };

  show(first);
  const stopListening = view.onChange(first.id, show);
  const progress = log.connection.subscribe(subjects.progress(first.id), {
    callback: (error, message) => {
      if (error === null) inTurn(() => showStage(message.json()));
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
    const { value } = await log.read<Job>(subject);
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
