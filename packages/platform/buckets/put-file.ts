/** Puts a file of ours into a customer's bucket: a few tries, each bounded, and a clear error when none succeeds. */
import type { Readable } from "node:stream";
import type { BucketLink } from "@packshot/domain/bucket-link.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { pause } from "../flow/pause.ts";
import { type BucketCallLimits, BucketUnreachable, callBucket } from "./call-bucket.ts";

const triesMax = 3;
const firstPauseMsDefault = 1_000;
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
  /** Before the second try; then twice as long. */
  readonly firstPauseMs?: number;
}

/** Throws `destination_failed`, what `open` throws, or the reason of `signal`. */
export async function putFile({ link, connection, open }: FileToPut, limits: PutLimits): Promise<void> {
  const { signal, firstPauseMs = firstPauseMsDefault } = limits;
  for (let tries = 1; ; tries++) {
    const problem = await putOnce(link, await open(), limits);
    if (problem === undefined) return;
    if (!problem.mayRetry || tries === triesMax) throw destinationFailed(connection, problem.text);
    await pause(firstPauseMs * 2 ** (tries - 1), signal);
    signal.throwIfAborted();
  }
}

interface PutProblem {
  readonly text: string;
  readonly mayRetry: boolean;
}

async function putOnce(link: BucketLink, body: Readable, limits: BucketCallLimits): Promise<PutProblem | undefined> {
  try {
    const { status, code } = await callBucket(link, limits, body);
    if (status >= 200 && status < 300) return undefined;
    const text = `answered ${status}${code === undefined ? "" : ` ${code}`}`;
    return { text, mayRetry: status >= 500 || retriedStatuses.includes(status) };
  } catch (error) {
    if (!(error instanceof BucketUnreachable)) throw error;
    return { text: error.message, mayRetry: !error.isForbidden };
  }
}

function destinationFailed(connection: string, problem: string): PackshotError {
  return new PackshotError("destination_failed", `The bucket of the connection "${connection}" ${problem}.`);
}
