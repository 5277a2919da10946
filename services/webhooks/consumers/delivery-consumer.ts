/** Takes due deliveries from the work queue, has many of them delivered at once, and acks those that are finished. */
import { type Consumer, type JsMsg, jetstream } from "@nats-io/jetstream";
import { streams } from "@packshot/domain/subjects.ts";
import type { DeliveryMessage } from "@packshot/domain/webhooks/delivery.ts";
import type { Log } from "@packshot/log/log.ts";
import { deliveriesConsumerName } from "@packshot/log/nats/streams.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { jobIdAttribute, type TraceSpan, traced } from "@packshot/platform/telemetry/tracing.ts";
import type { Deliver } from "../delivery/deliver.ts";
import { DeliveryGivenBack } from "../delivery/send-slots.ts";

/** Taken and not finished in one process; each endpoint holds only a few of them. */
const inFlightMax = 2_048;
/** While more than this wait for a send slot, the rest is left in the queue. */
const queuedForSlotMax = 64;
const fetchMessagesMax = 64;
/** Tells the server that deliveries in flight are still being worked on. */
const workingEveryMs = 10_000;
const fetchWaitMs = 5_000;
const heartbeatMs = 1_000;
const retryMs = 250;

export interface DeliveryConsumerDeps {
  readonly log: Log;
  readonly logger: Logger;
  /** How many of the deliveries in flight wait for a send slot. */
  readonly queuedForSlot: () => number;
  /** Called at the stop: from then on `deliver` rejects with `DeliveryGivenBack` for what it has not begun to send. */
  readonly giveBackWaiting: () => void;
  /** How long deliveries may take to end after the stop; then their messages go to another process. */
  readonly finishTimeoutMs: number;
  /** Resolves when the delivery's next state is stored; rejects to have the message come again. */
  readonly deliver: Deliver;
}

export interface DeliveryConsumer extends Component {
  inFlight(): number;
}

export function createDeliveryConsumer({
  log,
  logger,
  deliver,
  queuedForSlot,
  giveBackWaiting,
  finishTimeoutMs,
}: DeliveryConsumerDeps): DeliveryConsumer {
  const stopping = new AbortController();
  const givingBack = new AbortController();
  /** By stream sequence: a message that comes again while it is in flight is ignored. */
  const inFlight = new Map<number, { readonly message: JsMsg; readonly work: Promise<void> }>();
  let consuming: Promise<void> | undefined;
  let onFinished = () => {};
  let working: NodeJS.Timeout | undefined;

  async function openConsumer(): Promise<Consumer> {
    const client = jetstream(log.connection, { timeout: fetchWaitMs });
    return await client.consumers.get(streams.deliveries, deliveriesConsumerName);
  }

  function begin(message: JsMsg): void {
    const { streamSequence } = message.info;
    if (inFlight.has(streamSequence)) return;
    const work = deliverAndAck(message).finally(() => {
      inFlight.delete(streamSequence);
      onFinished();
    });
    inFlight.set(streamSequence, { message, work });
  }

  async function deliverAndAck(message: JsMsg): Promise<void> {
    try {
      const delivery = message.json<DeliveryMessage>();
      const options = { kind: "consumer", parent: delivery.traceparent } as const;
      await traced(`process ${streams.deliveries}`, options, async (span) => {
        if (span !== undefined) describeDelivery(span, delivery);
        await deliver(delivery, message.info.redelivered, givingBack.signal);
      });
      failpoint("deliver:before-ack");
      message.ack();
    } catch (error) {
      if (error instanceof DeliveryGivenBack) return message.nak();
      logger.warn({ err: error, subject: message.subject }, "delivery failed; its message comes again");
    }
  }

  async function consume(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const consumer = await openConsumer();
        while (!stopping.signal.aborted) await consumeBatch(consumer);
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.debug({ err: error }, "delivery consumer restarts");
        await pause(retryMs, stopping.signal);
      }
    }
  }

  async function consumeBatch(consumer: Consumer): Promise<void> {
    while (inFlight.size >= inFlightMax || queuedForSlot() >= queuedForSlotMax) {
      await new Promise<void>((resolve) => {
        onFinished = resolve;
      });
    }
    const messages = await consumer.fetch({
      max_messages: Math.min(fetchMessagesMax, inFlightMax - inFlight.size),
      expires: fetchWaitMs,
      idle_heartbeat: heartbeatMs,
    });
    const stop = () => void messages.close();
    stopping.signal.addEventListener("abort", stop, { once: true });
    try {
      for await (const message of messages) begin(message);
    } finally {
      stopping.signal.removeEventListener("abort", stop);
      stop();
    }
  }

  return {
    name: "delivery consumer",
    inFlight: () => inFlight.size,
    async start() {
      consuming ??= consume();
      working ??= setInterval(() => {
        for (const { message } of inFlight.values()) message.working();
      }, workingEveryMs);
    },
    async stop() {
      stopping.abort();
      giveBackWaiting();
      await consuming;
      const finished = new AbortController();
      const work = Promise.all([...inFlight.values()].map((delivery) => delivery.work));
      await Promise.race([work, pause(finishTimeoutMs, finished.signal)]);
      finished.abort();
      clearInterval(working);
      givingBack.abort(new DeliveryGivenBack());
      for (const { message } of inFlight.values()) message.nak();
      await log.connection.flush().catch(() => {});
    },
  };
}

function describeDelivery(span: TraceSpan, { jobId, attempts }: DeliveryMessage): void {
  span.setAttributes({
    "messaging.system.name": "nats",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": streams.deliveries,
    "messaging.consumer.group.name": deliveriesConsumerName,
    "packshot.delivery.attempts": attempts,
    ...(jobId === null ? {} : { [jobIdAttribute]: jobId }),
  });
}
