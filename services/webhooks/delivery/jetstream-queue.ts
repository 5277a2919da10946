/** The delivery queue on JetStream. What finds no server is tried again until the message would come back anyway. */
import type { DeliveryMessage } from "@packshot/domain/delivery.ts";
import { isAttemptRecorded } from "@packshot/platform/deliveries/delivery-log.ts";
import {
  callPostponed,
  recordAttempt,
  scheduleDelivery,
  unscheduleDelivery,
} from "@packshot/platform/deliveries/delivery-queue.ts";
import { createGroupPublish } from "@packshot/platform/nats/group-publish.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { DeliveryQueue } from "./deliver.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";

const patienceMs = 20_000;
const retryMs = 250;
/**
 * Each schedule is a write to disk of its own, and what is published to the stream meanwhile stands behind it: a hundred
 * put off at once would hold up the fresh deliveries of everyone for as long as they take.
 */
const postponementsAtOnceMax = 4;
const never = new AbortController().signal;

export function createStoredQueue({ connection }: Log): DeliveryQueue {
  const publish = createGroupPublish(connection);
  const few = createLimiter(postponementsAtOnceMax);
  const schedule = (message: DeliveryMessage, atMs: number) =>
    patiently(() => scheduleDelivery(connection, message, atMs));
  return {
    // What was sent waits for nobody: a crash before its retry is stored sends it again.
    schedule: (message, atMs) =>
      message.postponed === true ? few(() => schedule(message, atMs), false) : schedule(message, atMs),
    call: (delivery, atMs) => few(() => patiently(() => callPostponed(connection, delivery, atMs)), true),
    unschedule: (message) => patiently(() => unscheduleDelivery(connection, message)),
    record: (attempt) => patiently(() => recordAttempt(publish, attempt)),
    isRecorded: (message, attempt) => patiently(() => isAttemptRecorded(connection, message, attempt)),
  };
}

/** All five may be done twice: the same subject takes the same value again. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() - startedMs > patienceMs) throw error;
      await pause(retryMs * (0.5 + Math.random()), never);
    }
  }
}
