/**
 * Answers API processes that ask for looks at photos. Beside the slots of edits, two looks at a time run in this worker, and one of an
 * account, so that a dry run holds up no job for longer than a stage takes, and slow photos of one account no other's. A look that cannot
 * begin in time is not begun: nobody waits for it.
 */
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import type { LookAnswer, LookRequest } from "@packshot/domain/batches/photo-look.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { LookAtPhoto } from "./look-at-photo.ts";

/** Each request goes to one of the workers. */
const queue = "worker";
/** Those beyond are told at once that this worker has no time. */
const waitingMax = 32;
const looksMax = 2;

export interface LookAnswersDeps {
  readonly connection: Pick<NatsConnection, "subscribe" | "publish">;
  /** For photos of live keys, and of test keys. */
  readonly live: LookAtPhoto;
  readonly sandbox: LookAtPhoto;
  /** false: photos of live keys cannot be looked at now. */
  readonly isReady: () => boolean;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

export function createLookAnswers(deps: LookAnswersDeps): Component {
  const { connection, logger, nowMs } = deps;
  const stopping = new AbortController();
  let subscription: Subscription | undefined;
  const share = createSharedLimiter(looksMax);
  const waiting = new Set<Promise<void>>();

  function answer({ id }: LookRequest, given: LookAnswer): void {
    connection.publish(subjects.lookAnswer(id), JSON.stringify(given));
  }

  async function look(request: LookRequest): Promise<void> {
    const leftMs = request.deadlineAtMs - nowMs();
    if (leftMs <= 0) return;
    if (stopping.signal.aborted || (request.live && !deps.isReady())) {
      answer(request, { unseen: { code: "unavailable", message: "The worker edits no photos now." } });
      return;
    }
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(leftMs)]);
    answer(request, await (request.live ? deps.live : deps.sandbox)(request, signal));
  }

  function take(request: LookRequest): void {
    if (!isUuid(request.id)) return;
    if (waiting.size >= waitingMax) {
      answer(request, {
        unseen: { code: "unavailable", message: "The worker has too many photos to look at." },
      });
      return;
    }
    const { accountId } = request;
    const looking = share(accountId, () => look(request))
      .catch((error: unknown) => logger.error({ err: error, accountId }, "a look at a photo failed"))
      .finally(() => waiting.delete(looking));
    waiting.add(looking);
  }

  return {
    name: "looks at photos",
    async start() {
      subscription = connection.subscribe(subjects.look, {
        queue,
        callback: (error, message) => {
          if (error === null) take(message.json<LookRequest>());
        },
      });
    },
    async stop() {
      // The server closes one that its permissions do not have.
      if (subscription?.isClosed() === false) await subscription.drain();
      subscription = undefined;
      stopping.abort();
      await Promise.all(waiting);
    },
  };
}
