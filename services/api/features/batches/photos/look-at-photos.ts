/**
 * Asks workers to look at the photos of a dry run's sample. Bounded in every way: so many photos of an account in an hour, so many at
 * once, so many bytes each, and all of them in seconds. What is not looked at in that is said so, and fails nothing.
 */

import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import {
  type LookAnswer,
  type LookFault,
  type LookRequest,
  lookParameters,
} from "@packshot/domain/batches/photo-look.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createPrivateInbox } from "@packshot/log/nats/connection.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type Caller, realmOf } from "../../../access/caller.ts";
import { quotas, type RateLimit } from "../../../http/rate-limit.ts";
import type { BucketLinks } from "../../connections/bucket-links.ts";
import { faultsOfUpload } from "../rows/copy-upload.ts";
import { sourceUrl, type ValidRow } from "../rows/row.ts";
import { type StoredUploadDeps, storedUploadKey } from "./look-up-uploads.ts";

export interface LookAtPhotosDeps extends StoredUploadDeps {
  readonly links: Pick<BucketLinks, "ofSource">;
  readonly createRate: (quota: typeof quotas.looks) => RateLimit;
  readonly logger: Pick<Logger, "warn">;
}

export interface LookedRow {
  readonly row: ValidRow;
  readonly answer: LookAnswer;
}

export interface LookAtPhotos extends Component {
  /** In the order of the rows. */
  look(caller: Caller, rows: readonly ValidRow[], signal: AbortSignal): Promise<readonly LookedRow[]>;
}

/** For all photos of a dry run together. */
const lookMsMax = 20_000;
/** Photos at once that a process waits for; an account alone takes half of them. */
const looksMax = 8;
/** A larger photo is one for its edit. */
const photoBytesMax = 64 * 1024 * 1024;

const faultsOfSource: readonly ErrorCode[] = [...faultsOfUpload, "source_unreachable", "invalid_request"];

export function createLookAtPhotos(deps: LookAtPhotosDeps): LookAtPhotos {
  const { log, links, nowMs } = deps;
  const { connection } = log;
  const rate = deps.createRate(quotas.looks);
  const share = createSharedLimiter(looksMax);
  const answers = createAnswers(connection);

  async function sourceOf(caller: Caller, { source }: ValidRow): Promise<LookRequest["source"]> {
    if (source.kind === "url") return source;
    const realm = realmOf(caller);
    if (source.kind === "connection") {
      return { kind: "link", url: (await links.ofSource(realm, sourceUrl(source))).url };
    }
    return { kind: "file", key: await storedUploadKey(deps, { realm, uploadId: source.uploadId }) };
  }

  async function lookAt(caller: Caller, row: ValidRow, { deadlineAtMs, signal }: LookTime): Promise<LookAnswer> {
    if (signal.aborted || nowMs() >= deadlineAtMs) return { unseen: outOfTime };
    const { accountId, limits } = caller.account;
    try {
      const source = await sourceOf(caller, row);
      const answer = await answers.ask(
        {
          id: uuidv7(nowMs()),
          accountId,
          live: caller.key.live,
          source,
          parameters: lookParameters(row.parameters),
          bytesMax: Math.min(photoBytesMax, limits.maxFileSizeBytes),
          deadlineAtMs,
        },
        Math.max(1, deadlineAtMs - nowMs()),
        signal,
      );
      // The account's own edits may have larger photos than a look.
      const isTooLarge = "error" in answer && answer.error.code === "file_too_large";
      return isTooLarge && limits.maxFileSizeBytes > photoBytesMax ? { unseen: answer.error } : answer;
    } catch (error) {
      if (error instanceof PackshotError && faultsOfSource.includes(error.code)) {
        return { error: { code: error.code, message: error.message } };
      }
      // No dry run fails for its look.
      deps.logger.warn({ err: error, accountId }, "a photo of a dry run could not be looked for");
      return { unseen: notFound };
    }
  }

  return {
    name: "looks",
    start: answers.start,
    stop: answers.stop,
    async look(caller, rows, signal) {
      if (rows.length === 0) return [];
      const { account, key } = caller;
      const { allowed, refused } = await rate({ account, live: key.live }, rows.length);
      const time = { deadlineAtMs: nowMs() + lookMsMax, signal };
      const refusal: LookAnswer = {
        unseen: { code: "rate_limit_exceeded", message: refused?.message ?? outOfLooks },
      };
      const looked = new Array<LookedRow>(rows.length);
      const looking = spread(rows.length).map(async (index, turn) => {
        const row = rows[index]!;
        const look = () => lookAt(caller, row, time);
        looked[index] = { row, answer: turn < allowed ? await share(account.accountId, look) : refusal };
      });
      await Promise.all(looking);
      return looked;
    },
  };
}

interface LookTime {
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal;
}

const outOfLooks = "The plan allows no more photos to be looked at in this hour.";
const outOfTime: LookFault = { code: "unavailable", message: "There was no time left to look at the photo." };
const notFound: LookFault = { code: "unavailable", message: "Where the photo is cannot be told now." };
const noWorker: LookFault = { code: "unavailable", message: "No worker runs that could look at the photo." };

const indexBits = 6;

/** An order of the indexes in which also the first few are spread over all: by their bits, the lowest first. */
function spread(count: number): number[] {
  const reversed = (index: number) => [...index.toString(2).padStart(indexBits, "0")].reverse().join("");
  return Array.from({ length: count }, (_, index) => index).sort((a, b) => (reversed(a) < reversed(b) ? -1 : 1));
}

/** What workers say comes under a subject of its own: they may not publish to inboxes of this service. */
function createAnswers(connection: NatsConnection) {
  const asked = new Map<string, (answer: LookAnswer) => void>();
  let subscription: Subscription | undefined;

  return {
    async start(): Promise<void> {
      subscription = connection.subscribe(subjects.lookAnswer("*"), {
        callback: (error, message) => {
          if (error === null) asked.get(message.subject.split(".")[1]!)?.(message.json<LookAnswer>());
        },
      });
    },

    async stop(): Promise<void> {
      // The server closes one that its permissions do not have.
      if (subscription?.isClosed() === false) await subscription.drain();
      subscription = undefined;
    },

    async ask(request: LookRequest, timeoutMs: number, signal: AbortSignal): Promise<LookAnswer> {
      const answered = Promise.withResolvers<LookAnswer>();
      asked.set(request.id, answered.resolve);
      const onAbort = () => answered.resolve({ unseen: outOfTime });
      signal.addEventListener("abort", onAbort, { once: true });
      // nats-server answers there at once where no worker listens.
      const inbox = createPrivateInbox(connection);
      const refusal = connection.subscribe(inbox, {
        max: 1,
        timeout: timeoutMs,
        callback: (error) => answered.resolve({ unseen: error === null ? noWorker : outOfTime }),
      });
      connection.publish(subjects.look, JSON.stringify(request), { reply: inbox });
      try {
        return await answered.promise;
      } finally {
        signal.removeEventListener("abort", onAbort);
        refusal.unsubscribe();
        asked.delete(request.id);
      }
    },
  };
}
