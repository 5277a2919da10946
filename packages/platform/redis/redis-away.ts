/** What a call rejects with while Redis cannot be used. It is apart from the client, so that a process without Redis loads none. */
import type { FallbackReason } from "./redis-metrics.ts";

export class RedisAway extends Error {
  override readonly name = "RedisAway";
  readonly reason: FallbackReason;
  /** The command may have run, or may still: there is no answer. */
  readonly mayHaveRun: boolean;

  constructor(reason: FallbackReason, mayHaveRun: boolean, cause?: unknown) {
    super("Redis did not answer", { cause });
    this.reason = reason;
    this.mayHaveRun = mayHaveRun;
  }
}
