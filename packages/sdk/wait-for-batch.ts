/** Waits until a batch has ended or is paused, by asking for it: seldom when it has long to go. */
import { PackshotError } from "./packshot-error.ts";
import { pause } from "./pause.ts";
import type { Batch } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

export interface WaitForBatchOptions extends Waiting {
  /** The whole wait; without it, until the batch ends. */
  readonly waitTimeoutMs?: number;
  /** The batch, at first and whenever its status or counts have changed. */
  readonly onProgress?: (batch: Batch) => void;
}

const pollMsMin = 500;
const pollMsMax = 10_000;
/** A batch is asked for about so often until its end. */
const pollsWanted = 50;

export async function waitForBatch(transport: Transport, id: string, options: WaitForBatchOptions): Promise<Batch> {
  const { waitTimeoutMs, onProgress = () => {}, timeoutMs } = options;
  const deadline = waitTimeoutMs === undefined ? undefined : AbortSignal.timeout(waitTimeoutMs);
  const signals = [options.signal, deadline].filter((signal) => signal !== undefined);
  const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
  const path = `/v1/batches/${encodeURIComponent(id)}`;
  let told = "";
  try {
    for (;;) {
      const batch = await transport.json<Batch>({ method: "GET", path, signal, timeoutMs });
      const state = JSON.stringify([batch.status, batch.counts]);
      if (state !== told) onProgress(batch);
      told = state;
      if (!isGoingOn(batch)) return batch;
      await pause(pollDelayMs(batch), signal);
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!deadline?.aborted) throw error;
    throw new PackshotError("timed_out", `The batch has not ended within ${waitTimeoutMs} ms.`);
  }
}

/** A cancelled batch goes on until its last job has ended. */
function isGoingOn({ status, finishedAt }: Batch): boolean {
  return status === "validating" || status === "running" || (status === "cancelled" && finishedAt === null);
}

function pollDelayMs({ secondsLeft }: Batch): number {
  const wantedMs = ((secondsLeft ?? 0) * 1000) / pollsWanted;
  return Math.min(pollMsMax, Math.max(pollMsMin, wantedMs));
}
