import type { Account } from "@packshot/domain/accounts/account.ts";
import type { UsageRecord } from "@packshot/domain/accounts/account-writes.ts";
import type { AuditEntry } from "@packshot/domain/accounts/audit.ts";
import type { DayUsage } from "@packshot/domain/accounts/day-usage.ts";
import { summarizeDay } from "@packshot/domain/accounts/day-usage.ts";
import { defaultPrices } from "@packshot/domain/accounts/plan.ts";
import type { UsageIndex } from "@packshot/domain/accounts/record-index.ts";
import { isoTime, isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";
import { isRetryableLogError } from "@packshot/log/nats/errors.ts";
import type { Keyv } from "keyv";
import { realmOf } from "../../access/caller.ts";
import type { AuditLog, AuditPageRequest } from "../../audit/audit-log.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { ApiResponse, Call, Handlers } from "../../http/call.ts";
import { idempotencyKeyOf, type RunOnce } from "../../http/idempotency.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { type AccountDeps, assertAccountId, readRecords } from "../../records/commit-account.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { readSettledAccount, type UnsettledRefunds } from "../jobs/unsettled-refunds.ts";
import { accountDataHandlers } from "./account-data.ts";
import {
  alreadyCreated,
  createApiKey,
  createdKeyBody,
  keyListBody,
  listApiKeys,
  mayManageKey,
  type NewApiKey,
  revokeApiKey,
} from "./api-key-actions.ts";
import { createEraser, type Eraser } from "./eraser.ts";
import { createLedgerArchiver } from "./ledger-archive.ts";

const usageDaysDefault = 30;
const dayMs = 24 * 3600 * 1000;

export interface AccountHandlerDeps extends AccountDeps {
  readonly lastUsed: Keyv;
  readonly auditLog: AuditLog;
  readonly runOnce: RunOnce;
  /** The balance counts the refund of each job whose end a client has seen. */
  readonly refunds: Pick<UnsettledRefunds, "settled">;
}

function accountHandlers(deps: AccountHandlerDeps): Handlers {
  return {
    async getAccount({ caller }) {
      const account = await readSettledAccount(deps, caller.account.accountId);
      const { remaining, periodEndsAt } = account.credits;
      return {
        status: 200,
        body: {
          accountId: account.accountId,
          workspaceId: account.workspaceId,
          plan: account.plan,
          apiEnabled: account.apiEnabled,
          credits: { remaining, periodEndsAt },
          limits: {
            reviewRefundsPerDay: 0,
            ...defaultPrices,
            ...account.limits,
          },
          jobs: { running: account.running, waiting: account.waiting },
          tools: account.tools,
        },
      };
    },

    async getUsage({ caller, query }) {
      const dayAt = (ms: number) => isoTime(ms).slice(0, 10);
      const to = (query.to as string | undefined) ?? dayAt(deps.nowMs());
      const from = (query.from as string | undefined) ?? dayAt(deps.nowMs() - usageDaysDefault * dayMs);
      const { account, days } = await readUsage(deps, { accountId: caller.account.accountId, from, to });
      const data = days.map((day) => {
        const { latencyByTool: _, ...counts } = day;
        return { ...counts, latency: summarizeDay(day) };
      });
      const { remaining, period, periodEndsAt } = account.credits;
      return { status: 200, body: { credits: { remaining, period, periodEndsAt }, data } };
    },

    async listAudit(call) {
      const { key, account } = call.caller;
      const wants = ({ actor }: AuditEntry) => (actor.kind === "operator" ? key.live : mayManageKey(key, actor));
      return await auditPage(deps.auditLog, account.accountId, call, { wants, isForOperator: false });
    },

    async listKeys({ caller }) {
      const keys = await listApiKeys(deps, { accountId: caller.account.accountId });
      const manageable = keys.filter((key) => mayManageKey(caller.key, key));
      return { status: 200, body: await keyListBody(manageable, deps.lastUsed) };
    },

    async createKey({ caller, body, headers }) {
      const newKey = { live: caller.key.live, ...(body as NewApiKey) };
      if (!mayManageKey(caller.key, newKey)) {
        throw invalidRequest("A test key makes test keys only.", { field: "live" });
      }
      const idempotencyKey = idempotencyKeyOf(realmOf(caller), headers["idempotency-key"], {
        operation: "createKey",
        ...newKey,
      });
      return await deps.runOnce<ApiResponse>(
        idempotencyKey,
        async () => {
          const { accountId } = caller.account;
          const created = await createApiKey(deps, { accountId, newKey, maker: caller.key, idempotencyKey });
          return { status: 201, body: await createdKeyBody(created, deps.lastUsed) };
        },
        async (record) => {
          throw await alreadyCreated(deps, caller.account.accountId, record);
        },
      );
    },

    async revokeKey({ caller, path, query }) {
      await revokeApiKey(deps, {
        accountId: caller.account.accountId,
        keyId: path.id!,
        withDescendants: query.withDescendants as boolean,
        mayRevoke: (key) => mayManageKey(caller.key, key),
      });
      return { status: 204 };
    },
  };
}

const usageDaysMax = 400;

export interface UsageRequest {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The days from `from` to `to` (`2026-11-20`, both included) on which the account was used, oldest first, and the account
 * as the leader has it, with the usage of its last day; days before that one do not change any more. Throws `not_found`.
 */
export async function readUsage(
  deps: AccountDeps & Pick<AccountHandlerDeps, "refunds">,
  { accountId, from, to }: UsageRequest,
): Promise<{ readonly account: Account; readonly days: readonly DayUsage[] }> {
  assertAccountId(accountId);
  // At once: each is a block of 8 MB where nobody has read it for a while.
  const [account, index] = await Promise.all([
    readSettledAccount(deps, accountId),
    deps.log.read<UsageIndex>(subjects.index(accountId, "usage")),
  ]);
  const finished = await readFinishedDays(deps.log, account, index);
  const all = wasUsed(account.usage) ? [...finished, account.usage] : finished;
  return { account, days: all.filter(({ day }) => day >= from && day <= to) };
}

async function readFinishedDays(
  log: Log,
  { accountId, usage }: Account,
  index: LogRecord<UsageIndex>,
): Promise<readonly DayUsage[]> {
  const known = index.value;
  // An index that is newer than the account has its last day, too.
  if (known !== undefined && known.before >= usage.day) return known.days.filter(({ day }) => day < usage.day);
  const names =
    known === undefined || daysApart(known.before, usage.day) > usageDaysMax
      ? await Array.fromAsync(listRecordSubjects(log, subjects.usage(accountId, "*")))
      : daysBetween(known.before, usage.day).map((day) => subjects.usage(accountId, day));
  const records = await readRecords<UsageRecord>(log, names);
  const ended = records
    .map(({ value: { v: _, ...day } }) => day)
    .filter(({ day }) => day < usage.day && (known === undefined || day >= known.before))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const days = [...(known?.days ?? []), ...ended].slice(-usageDaysMax);
  if (days.length > 0) await writeIndex(log, index, { v: 1, before: usage.day, days });
  return days;
}

/** Not retried: who wrote first has written the same days. */
async function writeIndex(log: Log, { subject, sequence }: LogRecord<UsageIndex>, value: UsageIndex): Promise<void> {
  await log.commit("index", [{ subject, value, expected: sequence }]).catch((error: unknown) => {
    if (!isRetryableLogError(error)) throw error;
  });
}

function wasUsed({ edits, creditsDebited, creditsRefunded, latency }: DayUsage): boolean {
  return Object.keys(edits).length > 0 || creditsDebited > 0 || creditsRefunded > 0 || latency !== undefined;
}

function daysApart(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

/** With `from`, without `until`. */
function daysBetween(from: string, until: string): string[] {
  return Array.from({ length: daysApart(from, until) }, (_, i) => isoTime(Date.parse(from) + i * dayMs).slice(0, 10));
}

export function createAccounts(core: Core, jobs: Jobs): { eraser: Eraser } & Feature {
  const eraser = createEraser({ ...core, ...jobs });
  return {
    eraser,
    handlers: {
      ...accountHandlers({ ...core, refunds: jobs.refunds }),
      ...accountDataHandlers({ ...core, jobBody: jobs.responses.job, eraser }),
    },
    components: [createLedgerArchiver(core), eraser],
  };
}

/** A page of an audit log. Customers are not told of the operator's addresses. Throws `invalid_request` (the cursor). */
export async function auditPage(
  auditLog: AuditLog,
  owner: string,
  { query }: Pick<Call, "query">,
  { wants, isForOperator }: Pick<AuditPageRequest, "wants"> & { readonly isForOperator: boolean },
): Promise<ApiResponse> {
  const beforeId = query.cursor as string | undefined;
  if (beforeId !== undefined && !isUuid(beforeId)) throw invalidRequest('"cursor" is not a nextCursor of this list.');
  const page = { limit: query.limit as number, beforeId, ...(wants && { wants }) };
  const { entries, nextId } = await auditLog.list(owner, page);
  const data = entries.map((entry) => entryBody(entry, isForOperator));
  return { status: 200, body: { data, nextCursor: nextId } };
}

function entryBody({ actor, address, outcome, count = 1, lastAt, ...entry }: AuditEntry, isForOperator: boolean) {
  const isOperator = actor.kind === "operator";
  return {
    ...entry,
    actor: actor.kind,
    keyId: isOperator ? null : actor.keyId,
    address: isOperator && !isForOperator ? null : address,
    status: outcome?.status ?? null,
    code: outcome?.code ?? null,
    created: outcome?.created ?? null,
    count,
    lastAt: lastAt ?? entry.at,
  };
}
