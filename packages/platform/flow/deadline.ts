import { timerMsMax } from "./pause.ts";

export interface Deadline {
  /** Aborts with a TimeoutError. */
  readonly signal: AbortSignal;
  /** Once what it limits is over: it aborts nothing any more. Idempotent. */
  end(): void;
}

/**
 * As `AbortSignal.timeout`, for what usually ends long before. That one is kept until its time has passed, with its timer and what was made of it:
 * a worker held those of five minutes of jobs.
 *
 * @param ms negative: at once; more than a timer takes: nothing is aborted before
 */
export function startDeadline(ms: number): Deadline {
  const passing = new AbortController();
  const pass = () => passing.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  const timer = setTimeout(pass, Math.ceil(Math.max(0, Math.min(ms, timerMsMax))));
  // It keeps no process alive.
  timer.unref();
  return { signal: passing.signal, end: () => clearTimeout(timer) };
}
