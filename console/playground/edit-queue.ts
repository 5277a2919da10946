/**
 * Sends the board's edits, a few at a time, and follows each by its event stream. What the server refuses for now (its
 * rate, its queue, credits) and what an outage breaks off goes back to its place and waits.
 */
import { PackshotError } from "@packshot/sdk";
import type { Api } from "../api/api.ts";
import { isServerUnavailable } from "../api/describe-error.ts";
import type { ServerStatus } from "../api/server-status.ts";
import { describeStage } from "../session/describe-stage.ts";
import type { Board } from "./board.ts";
import { type Edit, hasEnded } from "./edit.ts";

/** Why nothing is sent at present. */
export type Pause =
  | { readonly kind: "refused"; readonly error: PackshotError; readonly untilMs: number }
  /** Until somebody says that it should go on. */
  | { readonly kind: "credits"; readonly error: PackshotError }
  | { readonly kind: "unreachable" };

export interface EditQueue {
  subscribe(onChange: () => void): () => void;
  pause(): Pause | undefined;
  /** Looks for edits that wait. */
  start(): void;
  /** How many edits the account may have at once. */
  setSlots(slots: number): void;
  /** Goes on after a pause. */
  resume(): void;
  /** Its job, if there is one, is cancelled. */
  cancel(editId: string): void;
  retry(editId: string): void;
}

export interface EditQueueDeps {
  readonly api: Api;
  readonly board: Board;
  readonly serverStatus: Pick<ServerStatus, "isUnavailable" | "reportUnavailable" | "subscribe">;
  /** Aborted when the session ends, which ends all edits. */
  readonly signal: AbortSignal;
  /** A job has ended. */
  readonly onEnd: () => void;
}

/** A browser opens six connections to a server over HTTP/1.1; each edit holds one, and pictures need some too. */
const slotsMax = 4;
/** Where the server does not say how long. */
const refusedForMs = 5_000;
const notNow: ReadonlySet<number> = new Set([429, 503]);

export function createEditQueue({ api, board, serverStatus, signal, onEnd }: EditQueueDeps): EditQueue {
  const listeners = new Set<() => void>();
  const running = new Map<string, AbortController>();
  let slots = 1;
  let pause: Pause | undefined;

  function setPause(next: Pause | undefined): void {
    pause = next;
    for (const listener of listeners) listener();
    if (next === undefined) start();
  }

  function start(): void {
    if (pause !== undefined || signal.aborted) return;
    for (const edit of board.edits()) {
      if (running.size >= slots) return;
      if (edit.state.status === "waiting" && !running.has(edit.id)) void run(edit);
    }
  }

  async function run({ id }: Edit): Promise<void> {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      await perform(id, AbortSignal.any([stop.signal, signal]));
    } catch (error) {
      if (!stop.signal.aborted && !signal.aborted) onError(id, error);
    } finally {
      running.delete(id);
      start();
    }
  }

  /** An edit that has a job already is only followed. */
  async function perform(id: string, signal: AbortSignal): Promise<void> {
    const edit = board.edit(id)!;
    const { tool, parameters, preset } = edit.request;
    let { jobId } = edit;
    if (jobId === undefined) {
      board.set(id, { status: "sending" });
      const file = fileOf(edit);
      const options = { parameters, idempotencyKey: edit.idempotencyKey, signal, ...(preset && { preset }) };
      jobId = (await api.packshot.submit(tool, file, options)).id;
      board.set(id, { status: "queued", jobId }, jobId);
    }
    const job = await api.packshot.jobs.wait(jobId, {
      signal,
      onProgress(progress) {
        if (progress.kind === "position") board.set(id, { status: "queued", jobId, position: progress.position });
        if (progress.kind === "stage") board.set(id, { status: "processing", jobId, stage: describeStage(progress) });
        if (progress.kind === "job" && progress.job.status === "processing") {
          board.set(id, { status: "processing", jobId });
        }
      },
    });
    onEnd();
    if (job.status === "completed") return board.set(id, { status: "completed", job });
    const { code, message } = job.error ?? { code: "job_cancelled", message: "The job was cancelled." };
    board.set(id, { status: "failed", error: new PackshotError(code, message, { jobId }) });
  }

  function fileOf({ photoId }: Edit): File {
    return board.photos().find((photo) => photo.id === photoId)!.file;
  }

  function onError(id: string, error: unknown): void {
    if (isServerUnavailable(error)) {
      board.set(id, { status: "waiting" });
      if (pause === undefined) waitForServer();
      return;
    }
    if (error instanceof PackshotError && error.code === "insufficient_credits") {
      board.set(id, { status: "waiting" });
      setPause({ kind: "credits", error });
    } else if (error instanceof PackshotError && notNow.has(error.status ?? 0)) {
      board.set(id, { status: "waiting" });
      waitAsToldBy(error);
    } else {
      board.set(id, { status: "failed", error });
    }
  }

  function waitAsToldBy(error: PackshotError): void {
    const waitMs = error.retryAfterMs ?? refusedForMs;
    const refused: Pause = { kind: "refused", error, untilMs: Date.now() + waitMs };
    setPause(refused);
    setTimeout(() => pause === refused && setPause(undefined), waitMs);
  }

  function waitForServer(): void {
    setPause({ kind: "unreachable" });
    serverStatus.reportUnavailable();
    const unsubscribe = serverStatus.subscribe(() => {
      if (serverStatus.isUnavailable()) return;
      unsubscribe();
      setPause(undefined);
    });
  }

  return {
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    pause: () => pause,
    start,
    setSlots(wanted) {
      slots = Math.max(1, Math.min(slotsMax, wanted));
      start();
    },
    resume: () => setPause(undefined),
    cancel(editId) {
      const edit = board.edit(editId);
      running.get(editId)?.abort();
      if (edit === undefined || hasEnded(edit)) return;
      board.set(editId, { status: "failed", error: new PackshotError("job_cancelled", "You cancelled it.") });
      // A job that has ended meanwhile, or has been deleted, needs nothing more.
      if (edit.jobId !== undefined) void api.packshot.jobs.cancel(edit.jobId).catch(() => {});
    },
    retry(editId) {
      const edit = board.edit(editId);
      if (edit?.state.status !== "failed") return;
      board.addEdit(edit.photoId, edit.request);
      start();
    },
  };
}
