/** Puts a file of ours into a customer's bucket: a few tries, each bounded, and a clear error when none succeeds. */
import { Readable } from "node:stream";
import type { BucketLink } from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { jitteredBackoffMs, pause } from "../flow/pause.ts";
import { type BucketCallLimits, BucketUnreachable, callBucket } from "./call-bucket.ts";

const triesMaxDefault = 3;
const firstPauseMsDefault = 1_000;
const pauseMsMax = 10_000;
const retriedStatuses = [408, 429];

export interface FileToPut {
  readonly link: BucketLink;
  /** The connection's name, for the error. */
  readonly connection: string;
  /** Opened again for each try. */
  readonly open: () => Promise<Readable>;
}

export interface PutLimits extends BucketCallLimits {
  readonly signal: AbortSignal;
  /** 3 when absent. */
  readonly triesMax?: number;
  /** Before the second try; then twice as long. */
  readonly firstPauseMs?: number;
}

/** Throws `destination_failed`, what `open` or its stream fails with, or the reason of `signal`. */
export async function putFile({ link, connection, open }: FileToPut, limits: PutLimits): Promise<void> {
  const { signal, triesMax = triesMaxDefault, firstPauseMs = firstPauseMsDefault } = limits;
  for (let tries = 1; ; tries++) {
    const problem = await putOnce(link, await open(), limits);
    if (problem === undefined) return;
    if (!problem.mayRetry || tries === triesMax) throw destinationFailed(connection, problem);
    await pause(jitteredBackoffMs(tries, { firstMs: firstPauseMs, maxMs: pauseMsMax }), signal);
    signal.throwIfAborted();
  }
}

interface PutProblem {
  readonly text: string;
  readonly mayRetry: boolean;
  readonly cause?: unknown;
}

async function putOnce(link: BucketLink, body: Readable, limits: BucketCallLimits): Promise<PutProblem | undefined> {
  const watched = watchReads(body);
  try {
    const { status, code } = await callBucket(link, limits, watched.stream);
    if (status >= 200 && status < 300) return undefined;
    const text = `answered ${status}${code === undefined ? "" : ` ${code}`}`;
    return { text, mayRetry: status >= 500 || retriedStatuses.includes(status) };
  } catch (error) {
    if (!(error instanceof BucketUnreachable)) throw error;
    // A storage that breaks off looks like a bucket that does: it is not the customer's fault.
    if (watched.fault !== undefined) throw watched.fault.error;
    return { text: error.message, mayRetry: !error.isForbidden, cause: error };
  } finally {
    body.on("error", () => {}).destroy();
  }
}

/** The stream's own errors, apart from those with which the connection ends it. */
function watchReads(body: Readable): { readonly stream: Readable; readonly fault: { error: unknown } | undefined } {
  let fault: { error: unknown } | undefined;
  async function* read(): AsyncGenerator<Buffer> {
    const chunks = body[Symbol.asyncIterator]();
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        fault = { error };
        throw error;
      });
      if (next.done === true) return;
      yield next.value as Buffer;
    }
  }
  const stream = Readable.from(read(), { objectMode: false });
  return {
    stream,
    get fault() {
      return fault;
    },
  };
}

/** The cause stays with the error, so that a process without sockets is told from a bucket that does not answer. */
function destinationFailed(connection: string, { text, cause }: PutProblem): PackshotError {
  return new PackshotError("destination_failed", `The bucket of the connection "${connection}" ${text}.`, { cause });
}
