/** An edit becomes a job: source placed, credits debited, a place in the queue taken; all of it or nothing. */
import { randomInt } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Metadata } from "@packshot/domain/job.ts";
import { files } from "@packshot/domain/subjects.ts";
import { type EditParameters, type ToolId, tools } from "@packshot/domain/tools.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Caller } from "../../access/caller.ts";
import type { AcceptOutcome } from "../../accept/accept-batch.ts";
import type { Accept } from "../../accept/accept-queue.ts";
import { assertSameRequest, type IdempotencyKey } from "../../idempotency/idempotency-key.ts";
import { storeSource, type EditSource } from "./store-source.ts";

export interface EditOrder {
  readonly tool: ToolId;
  readonly source: EditSource;
  readonly parameters: EditParameters;
  readonly metadata: Metadata;
}

export interface CreateEditDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly accept: Accept;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

const seedMax = 4_294_967_295;

export async function createEdit(
  parts: CreateEditDeps,
  { key, account }: Caller,
  order: EditOrder,
  claim: IdempotencyKey | undefined,
): Promise<AcceptOutcome> {
  const now = parts.nowMs();
  const jobId = uuidv7(now);
  const { accountId } = account;
  const source = await storeSource(parts, { accountId, jobId, live: key.live }, order.source);
  const job = {
    id: jobId,
    accountId,
    tool: order.tool,
    live: key.live,
    parameters: { ...order.parameters, seed: order.parameters.seed ?? randomInt(seedMax + 1) },
    metadata: order.metadata,
    source,
    credits: key.live ? tools[order.tool].creditsPerEdit : 0,
    maxFileSizeBytes: account.limits.maxFileSizeBytes,
    createdAt: isoTime(now),
  };
  try {
    const outcome = await parts.accept(accountId, { job, idempotency: claim });
    if (outcome.kind === "replayed") {
      await removeSource(parts, accountId, jobId);
      assertSameRequest(outcome.record, claim!);
    }
    return outcome;
  } catch (error) {
    // With the outcome unknown the job may be there and needs its source; the sweep removes it if it is not.
    if (error instanceof PackshotError && error.code !== "unavailable") await removeSource(parts, accountId, jobId);
    throw error;
  }
}

async function removeSource({ storage, logger }: CreateEditDeps, accountId: string, jobId: string): Promise<void> {
  await storage
    .deletePrefix(files.job(accountId, jobId))
    .catch((error: unknown) => logger.warn({ err: error, jobId }, "a refused edit's source stays until the sweep"));
}
