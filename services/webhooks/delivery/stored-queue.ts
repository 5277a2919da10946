/** The delivery queue on JetStream. What finds no server is tried again until the message would come back anyway. */
import { isAttemptRecorded } from "@packshot/platform/nats/delivery-log.ts";
import { recordAttempt, scheduleDelivery, unscheduleDelivery } from "@packshot/platform/nats/delivery-queue.ts";
import { createGroupPublish } from "@packshot/platform/nats/group-publish.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { pause } from "@packshot/platform/nats/pause.ts";
import type { DeliveryQueue } from "./deliver.ts";

const patienceMs = 20_000;
const retryMs = 250;
const never = new AbortController().signal;

export function createStoredQueue({ connection }: Log): DeliveryQueue {
  const publish = createGroupPublish(connection);
  return {
    schedule: (message, atMs) => patiently(() => scheduleDelivery(connection, message, atMs)),
    unschedule: (message) => patiently(() => unscheduleDelivery(connection, message)),
    record: (attempt) => patiently(() => recordAttempt(publish, attempt)),
    isRecorded: (message, attempt) => patiently(() => isAttemptRecorded(connection, message, attempt)),
  };
}

/** All four may be done twice: the same subject takes the same value again. */
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
