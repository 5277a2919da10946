/**
 * While the master key is rotated, webhook secrets that are sealed under an older key are sealed anew under the first one,
 * so that the older one can be removed. With one key there is nothing to do, and nothing is listed.
 */
import { subjects } from "@packshot/domain/subjects.ts";
import { type Webhook, webhookWrites } from "@packshot/domain/webhook.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { listRecordSubjects } from "@packshot/platform/nats/list-subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createPeriodicTask } from "./periodic-task.ts";

/** Again and again: a process of an earlier step of the rotation may still seal under the older key. */
const everyMsDefault = 600_000;

export interface ResealDeps {
  readonly log: Log;
  readonly seal: Seal;
  readonly logger: Logger;
  /** For tests. */
  readonly everyMs?: number;
}

/** One process at a time does it. */
export function createResealer({ everyMs = everyMsDefault, ...deps }: ResealDeps): Component {
  const { log, seal, logger } = deps;
  if (seal.keys === 1) return { name: "reseal", start: async () => {}, stop: async () => {} };
  let wasDone = false;
  const work = async (signal: AbortSignal) => {
    const resealed = await resealWebhooks(deps, signal);
    const isDone = !signal.aborted && resealed === 0;
    if (isDone && !wasDone) logger.info({}, "every webhook secret is sealed under the first master key");
    if (resealed > 0) logger.info({ resealed }, "webhook secrets were sealed anew under the first master key");
    wasDone = isDone;
  };
  return createPeriodicTask({ name: "reseal", log, logger, everyMs, work });
}

/**
 * Resolves with the number of webhooks whose secrets were sealed anew. Rejects after all of them when there were some that
 * could not be, as when no key opens a secret.
 */
export async function resealWebhooks({ log, seal, logger }: ResealDeps, signal: AbortSignal): Promise<number> {
  let resealed = 0;
  let failed = 0;
  for await (const subject of listRecordSubjects(log, subjects.webhook("*", "*"))) {
    if (signal.aborted) break;
    const changed = await log
      .transact<boolean>("reseal", async () => {
        const { value: before, sequence } = await log.read<Webhook>(subject);
        const isOld = ({ sealed }: Webhook["secrets"][number]) => !seal.isFirst(sealed);
        if (before === undefined || !before.secrets.some(isOld)) return { done: false };
        const secrets = before.secrets.map((secret) =>
          isOld(secret) ? { ...secret, sealed: seal.seal(seal.unseal(secret.sealed)) } : secret,
        );
        return { writes: webhookWrites(before, { ...before, secrets }, sequence), result: true };
      })
      .catch((error: unknown) => {
        failed += 1;
        logger.warn({ err: error, subject }, "a webhook's secrets were not sealed anew");
      });
    if (changed) resealed += 1;
  }
  if (failed > 0) throw new Error(`the secrets of ${failed} webhooks were not sealed anew; ${resealed} were`);
  return resealed;
}
