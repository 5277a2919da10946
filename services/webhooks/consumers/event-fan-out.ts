/** Follows the events and queues one delivery per event and endpoint. The body is built here, once. */

import { downloadName, type FileRef } from "@packshot/domain/jobs/job.ts";
import { type DeliveryMessage, selectReceivers } from "@packshot/domain/webhooks/delivery.ts";
import {
  batchEnvelope,
  cloudEvent,
  disabledEnvelope,
  type Envelope,
  jobEnvelope,
  linkResults,
  reviewedEnvelope,
  type ToldEvent,
  testEnvelope,
  webhookEventKindOf,
} from "@packshot/domain/webhooks/envelope.ts";
import {
  isBatchNewsEvent,
  isJobEndedEvent,
  type JobReviewedEvent,
  type PackshotEvent,
} from "@packshot/domain/webhooks/event.ts";
import { createBatchPublisher } from "@packshot/log/commit/batch-publisher.ts";
import { enqueueDelivery } from "@packshot/log/deliveries/delivery-queue.ts";
import { createFollower, type FollowerDeps } from "@packshot/log/follow/follower.ts";
import type { FollowerLag } from "@packshot/log/follow/follower-lag.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { WebhookView } from "./webhook-view.ts";

const eventsAtOnceMax = 128;

export interface EventFanOutDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly webhooks: WebhookView;
  readonly storage: Pick<Storage, "signGet">;
  readonly bypassFrom?: FollowerDeps["bypassFrom"];
  readonly lag?: FollowerLag;
}

export function createEventFanOut(deps: EventFanOutDeps): Component {
  const { log, logger, webhooks, storage, bypassFrom, lag } = deps;
  const publish = createBatchPublisher(log.connection);

  async function fanOut(event: ToldEvent): Promise<void> {
    await webhooks.refresh(event.accountId);
    const receivers = selectReceivers(event, webhooks.listByAccount(event.accountId));
    if (receivers.length === 0) return;
    const envelope = await envelopeOf(event, storage);
    const bodies = {
      packshot: JSON.stringify(envelope),
      cloudevents: JSON.stringify(cloudEvent(envelope, event.accountId)),
    };
    await Promise.all(
      receivers.map(({ id, format = "packshot" }) => {
        const delivery: DeliveryMessage = {
          v: 1,
          accountId: event.accountId,
          webhookId: id,
          eventId: event.eventId,
          event: webhookEventKindOf(event),
          jobId: "jobId" in event ? event.jobId : null,
          body: bodies[format],
          attempts: 0,
          failures: 0,
        };
        return enqueueDelivery(publish, delivery);
      }),
    );
  }

  return createFollower({
    name: "webhooks",
    log,
    logger,
    lag,
    wants: isDelivered,
    parallelMax: eventsAtOnceMax,
    ...(bypassFrom && { bypassFrom }),
    failpoint: "fan-out:before-cursor",
    async handle([followed]) {
      await fanOut(followed!.event as ToldEvent);
    },
  });
}

function isDelivered(event: PackshotEvent): event is ToldEvent {
  const kinds: readonly string[] = ["test", "reviewed", "webhookdisabled"];
  return kinds.includes(event.kind) || isJobEndedEvent(event) || isBatchNewsEvent(event);
}

/** S3 signs links for seven days at most, and a batch may keep its results for longer. */
const reviewedLinkMsMax = 6 * 24 * 3_600_000;

function reviewedLinkEndMs({ createdAt, expiresAt }: JobReviewedEvent): number {
  const latestMs = Date.parse(createdAt) + reviewedLinkMsMax;
  return expiresAt === null ? latestMs : Math.min(latestMs, Date.parse(expiresAt));
}

async function envelopeOf(event: ToldEvent, storage: Pick<Storage, "signGet">): Promise<Envelope> {
  if (event.kind === "test") return testEnvelope(event);
  if (event.kind === "webhookdisabled") return disabledEnvelope(event);
  if (isBatchNewsEvent(event)) return batchEnvelope(event);
  const expiresAtMs = event.kind === "reviewed" ? reviewedLinkEndMs(event) : Date.parse(event.expiresAt);
  // The same links as in the answer of `GET /v1/jobs/{id}`.
  const link = async (file: FileRef, kind: string) =>
    await storage.signGet(file.key, {
      expiresAtMs,
      contentType: file.contentType,
      filename: downloadName(event.tool, event.jobId, file, kind),
    });
  if (event.kind === "reviewed") {
    return reviewedEnvelope(event, event.result === null ? {} : { resultUrl: await link(event.result, "result") });
  }
  return jobEnvelope(event, {
    ...(event.result === null ? {} : { resultUrl: await link(event.result, "result") }),
    ...(event.result === null ? {} : await linkResults({ ...event, result: event.result }, link)),
    ...(event.thumbnail === null ? {} : { thumbnailUrl: await link(event.thumbnail, "thumbnail") }),
    shadowUrl: event.shadow === undefined ? undefined : await link(event.shadow, "shadow"),
  });
}
