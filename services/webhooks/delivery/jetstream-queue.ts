/** The delivery queue on JetStream. A failed call is retried until the message would come again anyway. */
import type { DeliveryMessage } from "@packshot/domain/webhooks/delivery.ts";
import { createBatchPublisher } from "@packshot/log/commit/batch-publisher.ts";
import { isAttemptRecorded, recordAttempt } from "@packshot/log/deliveries/attempt-log.ts";
import { promotePostponed, scheduleDelivery, unscheduleDelivery } from "@packshot/log/deliveries/delivery-queue.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { DeliveryQueue } from "./delivery-queue.ts";

const retryTimeoutMs = 20_000;
const retryMs = 250;
/**
 * Each schedule is a disk write of its own, and what is published to the stream meanwhile waits behind it. A hundred
 * postponed deliveries at once would hold up everyone's fresh ones.
 */
const postponementsAtOnceMax = 4;
const never = new AbortController().signal;

export function createJetStreamQueue({ connection }: Log): DeliveryQueue {
  const publish = createBatchPublisher(connection);
  const limit = createLimiter(postponementsAtOnceMax);
  const schedule = (message: DeliveryMessage, atMs: number) => retry(() => scheduleDelivery(connection, message, atMs));
  return {
    // A retry is stored without waiting for the limiter: until then a crash would send the delivery again.
    schedule: (message, atMs) =>
      message.postponed === true ? limit(() => schedule(message, atMs)) : schedule(message, atMs),
    promote: (delivery, atMs) => limit(() => retry(() => promotePostponed(connection, delivery, atMs)), true),
    unschedule: (message) => retry(() => unscheduleDelivery(connection, message)),
    record: (attempt) => retry(() => recordAttempt(publish, attempt)),
    isRecorded: (message, attempt) => retry(() => isAttemptRecorded(connection, message, attempt)),
  };
}

/** Each of the five calls may be made twice: the same subject gets the same value again. */
async function retry<T>(act: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() - startedMs > retryTimeoutMs) throw error;
      await pause(retryMs * (0.5 + Math.random()), never);
    }
  }
}
