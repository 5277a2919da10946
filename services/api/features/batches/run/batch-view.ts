/** Which batches there are, as every API process sees them: what feeder and expiry look for, projected from the records. */
import { type Batch, type BatchStatus, isBatchEnded } from "@packshot/domain/batches/batch.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { createStateProjection } from "@packshot/log/follow/projection.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

export interface BatchRecordRef {
  readonly accountId: string;
  readonly batchId: string;
}

export interface SeenBatch extends BatchRecordRef {
  readonly status: BatchStatus;
  /** The feeder has something to do for it, or had when this was written. */
  readonly isFed: boolean;
  readonly createdAtMs: number;
  /** undefined: it has not ended. */
  readonly expiresAtMs: number | undefined;
}

export interface BatchView extends Component {
  /** Batches in the state stream with this index. */
  list(streamIndex: number): Iterable<SeenBatch>;
  find(streamIndex: number, batchId: string): SeenBatch | undefined;
  /** `listener` is told of each change. The result ends that. */
  onChange(listener: (batch: SeenBatch, streamIndex: number) => void): () => void;
}

export function createBatchView({ log, logger }: { readonly log: Log; readonly logger: Logger }): BatchView {
  const batches = log.stateStreams.map(() => new Map<string, SeenBatch>());
  const listeners = new Set<(batch: SeenBatch, streamIndex: number) => void>();
  const projection = createStateProjection({
    name: "batch view",
    log,
    logger,
    filters: [subjects.batch("*", "*")],
    from: "first",
    apply(message) {
      const { index } = log.streamOf(message.subject);
      if (message.data.length === 0) {
        batches[index]!.delete(subjectTokens(message.subject).ids[0]!);
        return;
      }
      const seen = seenBatch(message.json<Batch>());
      batches[index]!.set(seen.batchId, seen);
      for (const listener of listeners) listener(seen, index);
    },
  });
  return {
    name: projection.name,
    start: () => projection.start(),
    stop: () => projection.stop(),
    list: (streamIndex) => batches[streamIndex]!.values(),
    find: (streamIndex, batchId) => batches[streamIndex]!.get(batchId),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function seenBatch(batch: Batch): SeenBatch {
  return {
    accountId: batch.accountId,
    batchId: batch.id,
    status: batch.status,
    isFed: isFed(batch),
    createdAtMs: Date.parse(batch.createdAt),
    expiresAtMs: batch.expiresAt === null ? undefined : Date.parse(batch.expiresAt),
  };
}

function isFed(batch: Batch): boolean {
  if (batch.status === "validating") return true;
  if (batch.status === "running") return batch.counts.pending > 0;
  return batch.status === "cancelled" && !isBatchEnded(batch);
}
