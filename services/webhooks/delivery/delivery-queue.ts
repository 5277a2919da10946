/** What bringing a delivery to its next state needs: where that is stored, and who counts it. */
import type {
  AttemptOutcome,
  DeliveryAttempt,
  DeliveryKey,
  DeliveryMessage,
} from "@packshot/domain/webhooks/delivery.ts";

/** Where a delivery's next state is stored; each call resolves when it is. */
export interface DeliveryQueue {
  schedule(message: DeliveryMessage, atMs: number): Promise<void>;
  /** Brings a postponed delivery forward; false when it is not postponed any more. */
  promote(delivery: DeliveryKey, atMs: number): Promise<boolean>;
  unschedule(message: DeliveryMessage): Promise<void>;
  record(attempt: DeliveryAttempt): Promise<void>;
  /** Whether the attempt of this number is in the log. */
  isRecorded(message: DeliveryMessage, attempt: number): Promise<boolean>;
}

export interface DeliveryObserver {
  attempted(outcome: AttemptOutcome, durationMs: number): void;
  postponed(reason: PostponeReason): void;
}

/** `limit`: one that the client has set. */
export type PostponeReason = "concurrency" | "circuit" | "limit";
