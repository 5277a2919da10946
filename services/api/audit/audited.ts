/**
 * Audits an action: its entry is stored before the action runs, so that nothing happens without one, and again with its
 * outcome. A process that dies in between leaves an entry without an outcome.
 */
import type { Account } from "@packshot/domain/account.ts";
import {
  type AuditActor,
  type AuditEntry,
  type AuditOutcome,
  type AuditOwner,
  operatorAudit,
} from "@packshot/domain/audit.ts";
import { errorCatalog, PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { AuditLog } from "./audit-log.ts";

export interface AuditedAction extends Pick<AuditEntry, "address" | "requestId" | "operation" | "target" | "fields"> {
  readonly actor: AuditActor;
  /** As the key or the path names it: the operator's may not exist. */
  readonly accountId: string | null;
}

export interface ActionResult {
  readonly status: number;
  readonly created: string | null;
}

/** Runs the action. Throws what it throws, and before that what storing its entry throws. */
export type Audited = <T>(
  action: AuditedAction,
  run: () => Promise<T>,
  resultOf: (value: T) => ActionResult,
) => Promise<T>;

export interface AuditedDeps {
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

export function createAudited({ log, auditLog, logger, nowMs }: AuditedDeps): Audited {
  /** What the operator does is in the operator's log, and in that of the account that it is done to. */
  async function ownersOf({ actor, accountId }: AuditedAction): Promise<AuditOwner[]> {
    if (actor.kind === "key") return [accountId!];
    if (accountId === null || !isUuid(accountId)) return [operatorAudit];
    const { value } = await log.read<Account>(subjects.account(accountId));
    return value === undefined ? [operatorAudit] : [operatorAudit, accountId];
  }

  async function end(owners: readonly AuditOwner[], entry: AuditEntry, outcome: AuditOutcome): Promise<void> {
    // The account may be gone: then so is its log.
    await Promise.all(owners.map((owner) => auditLog.replace(owner, { ...entry, outcome }))).catch((error: unknown) =>
      logger.warn({ err: error, entry: entry.id }, "an entry of the audit log stays without its outcome"),
    );
  }

  return async (action, run, resultOf) => {
    const entry: AuditEntry = { id: uuidv7(nowMs()), at: isoTime(nowMs()), ...action, outcome: null };
    const owners = await ownersOf(action);
    for (const owner of owners) await auditLog.append(owner, entry);
    failpoint("audit:before-action");
    try {
      const value = await run();
      await end(owners, entry, { code: null, ...resultOf(value) });
      return value;
    } catch (error) {
      const code = error instanceof PackshotError ? error.code : "internal_error";
      await end(owners, entry, { status: errorCatalog[code].httpStatus ?? 500, code, created: null });
      throw error;
    }
  };
}
