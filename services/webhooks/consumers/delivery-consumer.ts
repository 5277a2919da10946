/** Takes due deliveries from the work queue and hands them over, many at once; acks what is settled. */
import { AckPolicy, type Consumer, type JsMsg, jetstream } from "@nats-io/jetstream";
import { type DeliveryMessage, deliverySubjects } from "@packshot/domain/delivery.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { deliveriesConsumerName } from "@packshot/platform/nats/streams.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

/** Longer than an attempt with all that is written after it; a killed process's deliveries come back after it. */
const ackWaitMs = 30_000;
const nanosPerMs = 1_000_000;
/** Unsettled in one process; each endpoint holds only its own few of them. */
const inHandMax = 2_048;
/** More than this waiting for a slot is left in the queue. */
const waitingForSlotMax = 64;
const ackPendingMax = 50_000;
const fetchMessagesMax = 64;
/** Tells the server that what is in hand is still being worked on. */
const workingEveryMs = 10_000;
const fetchWaitMs = 5_000;
const heartbeatMs = 1_000;
const retryMs = 250;

export interface DueDeliveriesOptions {
  readonly log: Log;
  readonly logger: Logger;
  /** Of those in hand. */
  readonly waitingForSlot: () => number;
  /** Resolves when the delivery's future is stored (sent, scheduled or given up); rejects to have it come again. */
  readonly deliver: (message: DeliveryMessage, cameBack: boolean) => Promise<void>;
}

export function createDueDeliveries({
  log,
  logger,
  deliver,
  waitingForSlot,
}: DueDeliveriesOptions): Component & { inHand(): number } {
  const stopping = new AbortController();
  /** By stream sequence: what comes back while it is still in hand is left to the one who has it. */
  const inHand = new Map<number, { readonly message: JsMsg; readonly work: Promise<void> }>();
  let taking: Promise<void> | undefined;
  let tellRoom = () => {};
  let working: NodeJS.Timeout | undefined;

  async function openConsumer(): Promise<Consumer> {
    const client = jetstream(log.connection, { timeout: fetchWaitMs });
    const manager = await client.jetstreamManager(false);
    const info = await manager.consumers.add(streams.deliveries, {
      durable_name: deliveriesConsumerName,
      filter_subject: deliverySubjects.dueAll,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWaitMs * nanosPerMs,
      max_deliver: -1,
      max_ack_pending: ackPendingMax,
    });
    return client.consumers.getConsumerFromInfo(info);
  }

  function take(message: JsMsg): void {
    const { streamSequence, redelivered } = message.info;
    if (inHand.has(streamSequence)) return;
    const work = settle(message, redelivered).finally(() => {
      inHand.delete(streamSequence);
      tellRoom();
    });
    inHand.set(streamSequence, { message, work });
  }

  async function settle(message: JsMsg, redelivered: boolean): Promise<void> {
    try {
      await deliver(message.json<DeliveryMessage>(), redelivered);
      failpoint("deliver:before-ack");
      message.ack();
    } catch (error) {
      logger.warn({ err: error, subject: message.subject }, "the delivery comes again");
    }
  }

  async function takeAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const consumer = await openConsumer();
        while (!stopping.signal.aborted) await takeSome(consumer);
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.debug({ err: error }, "taking deliveries starts again");
        await pause(retryMs, stopping.signal);
      }
    }
  }

  async function takeSome(consumer: Consumer): Promise<void> {
    while (inHand.size >= inHandMax || waitingForSlot() >= waitingForSlotMax) {
      await new Promise<void>((resolve) => {
        tellRoom = resolve;
      });
    }
    const messages = await consumer.fetch({
      max_messages: Math.min(fetchMessagesMax, inHandMax - inHand.size),
      expires: fetchWaitMs,
      idle_heartbeat: heartbeatMs,
    });
    const stop = () => void messages.close();
    stopping.signal.addEventListener("abort", stop, { once: true });
    try {
      for await (const message of messages) take(message);
    } finally {
      stopping.signal.removeEventListener("abort", stop);
      stop();
    }
  }

  return {
    name: "due deliveries",
    inHand: () => inHand.size,
    async start() {
      taking ??= takeAll();
      working ??= setInterval(() => {
        for (const { message } of inHand.values()) message.working();
      }, workingEveryMs);
    },
    async stop() {
      stopping.abort();
      await taking;
      await Promise.all([...inHand.values()].map(({ work }) => work));
      clearInterval(working);
      await log.connection.flush().catch(() => {});
    },
  };
}
