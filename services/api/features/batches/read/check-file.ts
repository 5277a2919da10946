/**
 * Reads the rows of a file in storage on a thread, piece by piece: each piece is answered before the next but one is read,
 * so memory does not grow with the file, and the event loop only hands bytes on. A small file, which is read in milliseconds, waits
 * for no thread: one takes .7 s of processor time to start, which was all that a dry run of one row took.
 */
import { Worker } from "node:worker_threads";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { RowSegment } from "../rows/row-segments.ts";
import type { RowRules } from "./check-row.ts";
import { createRowsReader, type PieceRead, type RowReading, type RowsSummary, readPiece } from "./read-rows.ts";
import type { ReadingThreadData, ReadQuestion } from "./reading-thread.ts";

export interface CheckFileDeps {
  readonly storage: Pick<Storage, "open">;
  /** For tests: how long a piece of the file may take to arrive, and the thread to read it. */
  readonly stallTimeoutMs?: number;
  /** For tests: replaces the module that a thread runs. */
  readonly threadModule?: URL;
}

export interface CheckFileInput extends Pick<RowReading, "format" | "rules" | "sample"> {
  readonly key: string;
  /** Threads are shared by accounts. */
  readonly accountId: string;
  readonly signal: AbortSignal;
  /** Absent: the rows are checked and counted only. Several are written at once, in any order. */
  readonly writeSegment?: (segment: RowSegment) => Promise<void>;
  /** The rules by which the file is read once more; undefined: what was read counts. The request keeps its turn meanwhile, but no thread. */
  readonly rulesAfter?: (first: RowsSummary) => Promise<RowRules | undefined>;
}

/**
 * Throws `not_found` when there is no such file; where no rows are kept, `rate_limit_exceeded` when too many of the account's
 * files wait to be read, and `unavailable` when too many of all do, or when no thread starts. Throws `internal_error` when
 * the thread dies, or hangs, over the file. Called again with the same file it writes the same segments.
 */
export type CheckFile = (input: CheckFileInput) => Promise<RowsSummary>;

/** Each takes a core and up to 150 MB. One account has one of them, so that its files hold up nobody else's. */
const threadsMax = 2;
/** Requests that wait for a thread, have it, or look up what their first reading named. Batches are not counted: the feeder works on few at once. */
const requestsMax = 64;
const requestsPerAccountMax = 4;
const retryAfterSeconds = 5;
/**
 * Such a file takes the event loop 3 ms, or 25 where all its rows are short and wrong, and up to 90 as the first of a process. The
 * first theme that a process reads takes .3 to .6 s besides, in a batch's row as in an edit.
 */
const smallFileBytes = 2 * 1024;
const stallTimeoutMsDefault = 60_000;
const threadHeapMbMax = 64;
const threadYoungHeapMbMax = 8;
const writesMax = 4;

export function createCheckFile(deps: CheckFileDeps): CheckFile {
  const { storage, stallTimeoutMs = stallTimeoutMsDefault } = deps;
  const threadModule = deps.threadModule ?? new URL("./reading-thread.ts", import.meta.url);
  const share = createSharedLimiter(threadsMax);
  /** By account id; an account without requests has no entry. */
  const requests = new Map<string, number>();

  async function read({ key, format, rules, sample, signal, writeSegment }: CheckFileInput): Promise<RowsSummary> {
    signal.throwIfAborted();
    const file = await storage.open(key);
    if (file === undefined) throw new PackshotError("not_found", "The batch's file is gone.");
    const writes = createWrites(writeSegment);
    const reading = { format, rules, sample, keepsRows: writeSegment !== undefined };
    const isSmall = file.bytes <= smallFileBytes;
    const thread = isSmall ? createReaderHere(reading) : startThread(threadModule, reading, stallTimeoutMs);
    // The file, too: one that stalls would hold the account's thread for a client that has gone.
    const abort = () => {
      file.stream.destroy(signal.reason as Error);
      void thread.stop(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    const pieces = file.stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    const nextPiece = () => withTimeout(pieces.next(), stallTimeoutMs, "the batch's file did not arrive");
    try {
      for (let next = nextPiece(); ; ) {
        const { done, value } = await next;
        if (done !== true) next = keepRejection(nextPiece());
        const { segments, summary } = await thread.ask({ bytes: done === true ? null : ownBytes(value) });
        for (const segment of segments) await writes.add(segment);
        if (summary === null) continue;
        await writes.end();
        return summary;
      }
    } finally {
      signal.removeEventListener("abort", abort);
      file.stream.destroy();
      await thread.stop(new Error("the file has been read"));
    }
  }

  /** Returns its release. */
  function admit(accountId: string): () => void {
    const own = requests.get(accountId) ?? 0;
    if (own >= requestsPerAccountMax) {
      const message = `${own} files of your account are being read: try again in ${retryAfterSeconds} s.`;
      throw new PackshotError("rate_limit_exceeded", message, { retryAfterSeconds });
    }
    if ([...requests.values()].reduce((sum, count) => sum + count, 0) >= requestsMax) {
      throw new PackshotError("unavailable", "Too many files of rows wait to be read: try again later.");
    }
    requests.set(accountId, own + 1);
    return () => {
      const left = requests.get(accountId)! - 1;
      if (left === 0) requests.delete(accountId);
      else requests.set(accountId, left);
    };
  }

  return async (input) => {
    const { accountId, writeSegment, rulesAfter } = input;
    const release = writeSegment === undefined ? admit(accountId) : () => {};
    try {
      const first = await share(accountId, () => read(input));
      const rules = await rulesAfter?.(first);
      return rules === undefined ? first : await share(accountId, () => read({ ...input, rules }));
    } finally {
      release();
    }
  };
}

interface PieceReader {
  ask(question: ReadQuestion): Promise<PieceRead>;
  stop(reason: Error): Promise<void>;
}

function createReaderHere(reading: RowReading): PieceReader {
  const reader = createRowsReader(reading);
  return {
    ask: ({ bytes }) => readPiece(reader, bytes).catch((error: Error) => Promise.reject(readingEnded(error))),
    async stop() {},
  };
}

function startThread(module: URL, reading: RowReading, answerTimeoutMs: number): PieceReader {
  const started = new Uint8Array(new SharedArrayBuffer(1));
  let lost: Error | undefined;
  let asked: PromiseWithResolvers<PieceRead> | undefined;

  function lose(error: Error): void {
    lost ??= error;
    asked?.reject(lost);
  }
  const ended = (cause: Error) => (Atomics.load(started, 0) === 1 ? readingEnded(cause) : notStarted(cause));
  const thread = openThread(module, { reading, started }, (error) => lose(ended(error)));
  thread?.on("message", (answer: PieceRead) => asked?.resolve(answer));

  return {
    async ask(question: ReadQuestion): Promise<PieceRead> {
      if (lost !== undefined) throw lost;
      asked = Promise.withResolvers();
      thread?.postMessage(question, question.bytes === null ? [] : [question.bytes.buffer as ArrayBuffer]);
      return await withTimeout(asked.promise, answerTimeoutMs, "the thread that reads rows did not answer", ended);
    },
    async stop(reason: Error): Promise<void> {
      lose(reason);
      await thread?.terminate();
    },
  };
}

/** undefined: the machine has no room for a thread, of which `onEnd` is told, as of each end. */
function openThread(module: URL, data: ReadingThreadData, onEnd: (error: Error) => void): Worker | undefined {
  try {
    const thread = new Worker(module, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: threadHeapMbMax, maxYoungGenerationSizeMb: threadYoungHeapMbMax },
    });
    thread.on("error", onEnd);
    return thread.on("exit", () => onEnd(new Error("the thread that reads rows has ended")));
  } catch (error) {
    onEnd(error as Error);
    return undefined;
  }
}

/** It may be the file: told apart from a storage that fails. */
function readingEnded(cause: Error): PackshotError {
  const message = "The file's rows take too much memory or time to read: check the file, or send it in parts.";
  return new PackshotError("internal_error", message, { cause });
}

/** The thread has seen nothing of the file, so it is not to blame. */
function notStarted(cause: Error): PackshotError {
  return new PackshotError("unavailable", "The file's rows cannot be read right now: try again.", { cause });
}

/** A few at once: each waits for the disk or the bucket. */
function createWrites(writeSegment: CheckFileInput["writeSegment"]) {
  const running = new Set<Promise<void>>();
  const failing = new AbortController();
  return {
    async add(segment: RowSegment): Promise<void> {
      const writing: Promise<void> = writeSegment!(segment)
        .catch((error: unknown) => failing.abort(error))
        .finally(() => running.delete(writing));
      running.add(writing);
      if (running.size >= writesMax) await Promise.race(running);
      failing.signal.throwIfAborted();
    },
    async end(): Promise<void> {
      await Promise.all(running);
      failing.signal.throwIfAborted();
    },
  };
}

/** A piece that has its memory for itself goes to the thread with it, and leaves nothing to collect here. */
function ownBytes(piece: Uint8Array): Uint8Array {
  return piece.byteLength === piece.buffer.byteLength ? piece : new Uint8Array(piece);
}

/** It is awaited later: until then a rejection must not end the process. */
function keepRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function withTimeout<T>(
  promise: Promise<T>,
  timeoutMs: number,
  problem: string,
  toError = (error: Error) => error,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(toError(new Error(`${problem} for ${timeoutMs} ms`))), timeoutMs);
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
