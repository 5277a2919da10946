/**
 * Audits an action: its entry is stored before the action runs, so that nothing happens without one, and again with its
 * outcome. A process that dies in between leaves an entry without an outcome. What a key was refused has changed nothing,
 * and is counted instead of kept.
 *
 * When a pool's day is full, further changes are refused, so that a flood hides none. What the operator does and what only
 * takes power away happens nevertheless: it is counted, and whoever spends a budget cannot stop it.
 */
import type { Account } from "@packshot/domain/accounts/account.ts";
import {
  type AuditActor,
  type AuditEntry,
  type AuditOutcome,
  type AuditOwner,
  type AuditPool,
  operatorAudit,
} from "@packshot/domain/accounts/audit.ts";
import { errorCatalog, PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { AuditLog, AuditPlace } from "./audit-log.ts";

export interface AuditedAction extends Pick<AuditEntry, "address" | "requestId" | "operation" | "target" | "fields"> {
  readonly actor: AuditActor;
  /** As the key or the path names it: the operator's may not exist. */
  readonly accountId: string | null;
  /** The pool of the account's log that takes the entry. */
  readonly pool: AuditPool;
}

export interface ActionResult {
  readonly status: number;
  readonly created: string | null;
}

/** Runs the action. Throws what it throws, and before that `rate_limit_exceeded`, or what storing its entry throws. */
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

/** They are carried out also when their entry cannot be stored. */
const unstoppable: readonly AuditPool[] = ["protection", "test-protection", "operator"];
const dayMs = 24 * 3600 * 1000;

export function createAudited({ log, auditLog, logger, nowMs }: AuditedDeps): Audited {
  /** What the operator does is in the operator's log, and in that of the account that it is done to. */
  async function ownersOf({ actor, accountId, pool }: AuditedAction): Promise<[AuditOwner, AuditPool][]> {
    if (actor.kind === "key") return [[accountId!, pool]];
    const own: [AuditOwner, AuditPool] = [operatorAudit, "changes"];
    if (accountId === null || !isUuid(accountId)) return [own];
    const { value } = await log.read<Account>(subjects.account(accountId));
    return value === undefined ? [own] : [own, [accountId, pool]];
  }

  async function begin(action: AuditedAction, entry: AuditEntry): Promise<AuditPlace[]> {
    const places: AuditPlace[] = [];
    for (const [owner, pool] of await ownersOf(action)) {
      const store = unstoppable.includes(action.pool) ? storeOrCount : storeOrRefuse;
      const place = await store(owner, pool, entry);
      if (place !== undefined) places.push(place);
    }
    return places;
  }

  async function storeOrRefuse(owner: AuditOwner, pool: AuditPool, entry: AuditEntry): Promise<AuditPlace> {
    const place = await auditLog.append(owner, pool, entry);
    if (place !== undefined) return place;
    const refusal = dayIsFull(nowMs());
    const outcome = outcomeOf(refusal);
    await auditLog.count(owner, { ...entry, outcome }).catch((error: unknown) => {
      logger.warn({ err: error, entry }, "a refused change is not counted in the audit log");
    });
    throw refusal;
  }

  async function storeOrCount(owner: AuditOwner, pool: AuditPool, entry: AuditEntry): Promise<AuditPlace | undefined> {
    try {
      const place = await auditLog.append(owner, pool, entry);
      if (place === undefined) await auditLog.count(owner, entry);
      return place;
    } catch (error) {
      // Then this line is the entry.
      logger.error({ err: error, entry }, "a change is not in the audit log");
      return undefined;
    }
  }

  async function end(places: readonly AuditPlace[], entry: AuditEntry): Promise<void> {
    const { actor, outcome } = entry;
    const isRefused = actor.kind === "key" && outcome!.status >= 400 && outcome!.status < 500;
    const finish = isRefused ? auditLog.withdraw : auditLog.replace;
    // The account may be gone: then so is its log.
    await Promise.all(places.map((place) => finish(place, entry))).catch((error: unknown) =>
      logger.warn({ err: error, entry: entry.id }, "an entry of the audit log stays without its outcome"),
    );
  }

  return async (action, run, resultOf) => {
    const { pool: _, ...described } = action;
    const entry: AuditEntry = { id: uuidv7(nowMs()), at: isoTime(nowMs()), ...described, outcome: null };
    const places = await begin(action, entry);
    failpoint("audit:before-action");
    try {
      const value = await run();
      await end(places, { ...entry, outcome: { code: null, ...resultOf(value) } });
      return value;
    } catch (error) {
      await end(places, { ...entry, outcome: outcomeOf(error) });
      throw error;
    }
  };
}

function outcomeOf(error: unknown): AuditOutcome {
  const code = error instanceof PackshotError ? error.code : "internal_error";
  return { status: errorCatalog[code].httpStatus ?? 500, code, created: null };
}

function dayIsFull(nowMs: number): PackshotError {
  const retryAfterSeconds = Math.ceil((dayMs - (nowMs % dayMs)) / 1000);
  const message = `Too many changes of this account today; try again in ${retryAfterSeconds} s.`;
  return new PackshotError("rate_limit_exceeded", message, { retryAfterSeconds });
}
