/**
 * While the master key is rotated, webhook secrets and the credentials of webhooks and connections that are sealed under an older key are
 * sealed anew under the first one, so that the older one can be removed. With one key there is nothing to do, and nothing is listed.
 */
import { type BucketConnection, connectionWrite } from "@packshot/domain/connections/bucket-connection.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type Webhook, webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import type { Write } from "@packshot/domain/write.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

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
    const resealed = await resealSecrets(deps, signal);
    const isDone = !signal.aborted && resealed === 0;
    if (isDone && !wasDone) logger.info({}, "every secret is sealed under the first master key");
    if (resealed > 0) logger.info({ resealed }, "secrets were sealed anew under the first master key");
    wasDone = isDone;
  };
  return createPeriodicTask({ name: "reseal", log, logger, everyMs, work });
}

/**
 * Resolves with the number of records whose secrets were sealed anew. Rejects after all of them when there were some that
 * could not be, as when no key opens a secret.
 */
export async function resealSecrets({ log, seal, logger }: ResealDeps, signal: AbortSignal): Promise<number> {
  let resealed = 0;
  let failed = 0;

  async function resealEach<T>(subjectOfAll: string, writesOf: (before: T, sequence: number) => Write[]) {
    for await (const subject of listRecordSubjects(log, subjectOfAll)) {
      if (signal.aborted) break;
      const changed = await log
        .transact<boolean>("reseal", async () => {
          const { value: before, sequence } = await log.read<T>(subject);
          const writes = before === undefined ? [] : writesOf(before, sequence);
          return writes.length === 0 ? { done: false } : { writes, result: true };
        })
        .catch((error: unknown) => {
          failed += 1;
          logger.warn({ err: error, subject }, "a record's secrets were not sealed anew");
        });
      if (changed) resealed += 1;
    }
  }

  await resealEach<Webhook>(subjects.webhook("*", "*"), (before, sequence) => webhookResealed(seal, before, sequence));
  await resealEach<BucketConnection>(subjects.connection("*", "*"), (before, sequence) =>
    connectionResealed(seal, before, sequence),
  );
  if (failed > 0) throw new Error(`the secrets of ${failed} records were not sealed anew; ${resealed} were`);
  return resealed;
}

/** Empty: all of its secrets are sealed under the first key. */
function webhookResealed(seal: Seal, before: Webhook, sequence: number): Write[] {
  const isOld = ({ sealed }: Webhook["secrets"][number]) => !seal.isFirst(sealed);
  const { destination } = before;
  const hasOldCredentials = destination !== undefined && !seal.isFirst(destination.sealedCredentials);
  if (!before.secrets.some(isOld) && !hasOldCredentials) return [];
  const secrets = before.secrets.map((secret) =>
    isOld(secret) ? { ...secret, sealed: seal.seal(seal.unseal(secret.sealed)) } : secret,
  );
  const resealed = hasOldCredentials
    ? { ...destination, sealedCredentials: seal.seal(seal.unseal(destination.sealedCredentials)) }
    : destination;
  return webhookWrites(before, { ...before, secrets, destination: resealed }, sequence);
}

function connectionResealed(seal: Seal, before: BucketConnection, sequence: number): Write[] {
  if (seal.isFirst(before.sealedCredentials)) return [];
  const sealedCredentials = seal.seal(seal.unseal(before.sealedCredentials));
  return [connectionWrite(before, { ...before, sealedCredentials }, sequence)];
}
