/** What the operator does with accounts: create, change, grant credits, list and rank them. */
import { type Account, grantCredits, inferenceMsOfDay, openAccount } from "@packshot/domain/accounts/account.ts";
import { type LedgerEntry, ledgerWrite } from "@packshot/domain/accounts/ledger.ts";
import type { Plan, PlanLimits } from "@packshot/domain/accounts/plan.ts";
import type { ToolId } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { eventWrite, type PromoteEvent } from "@packshot/domain/webhooks/event.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import {
  type AccountDeps,
  assertNotErased,
  commitAccount,
  commitAccounts,
  readRecords,
} from "../../records/commit-account.ts";
import type { JobView } from "../jobs/job-view.ts";

export interface CreateAccountDeps extends AccountDeps {
  readonly plans: readonly Plan[];
}

export interface NewAccount {
  readonly name: string;
  readonly plan?: string;
  readonly limits?: Partial<PlanLimits>;
}

/** Throws `invalid_request` for an unknown plan. */
export async function createAccount(
  deps: CreateAccountDeps,
  { name, plan: planName = "starter", limits }: NewAccount,
): Promise<Account> {
  const plan = findPlan(deps.plans, planName);
  const now = deps.nowMs();
  const who = { accountId: uuidv7(now), workspaceId: uuidv7(now), name };
  const { account, entries } = openAccount({ ...plan, limits: { ...plan.limits, ...limits } }, who, now);
  return await commitAccounts<Account>(deps, "create-account", async (attempt) => {
    const subject = subjects.account(account.accountId);
    if (attempt > 1 && (await deps.log.read(subject)).sequence > 0) return { done: account };
    const before = { value: account, sequence: 0 };
    return { accounts: [{ before, account, entries, writes: [] }], result: account };
  });
}

/** Throws `invalid_request` for an unknown plan. */
function findPlan(plans: readonly Plan[], name: string): Plan {
  const plan = plans.find((candidate) => candidate.name === name);
  if (plan !== undefined) return plan;
  const names = plans.map((candidate) => candidate.name).join(", ");
  throw new PackshotError("invalid_request", `Plan "${name}" not found; available: ${names}.`, {
    details: { field: "plan" },
  });
}

export interface CreditGrant {
  readonly accountId: string;
  /** Negative to take credits; the balance never goes below zero. */
  readonly amount: number;
  readonly note: string;
}

/** `granted`: what the balance changed by, which is less than was asked where more was to be taken than there was. */
export type GrantedAccount = Account & { readonly granted: number };

/** Throws `not_found`. */
export async function grantAccountCredits(
  deps: AccountDeps,
  { accountId, amount, note }: CreditGrant,
): Promise<GrantedAccount> {
  // All attempts use one id, so that a lost response is not followed by a second grant.
  const entryId = uuidv7(deps.nowMs());
  return await commitAccount<GrantedAccount>(deps, { transition: "grant", accountId }, async (before, attempt) => {
    const change = grantCredits(before, amount, note, deps.nowMs());
    const entries = change.entries.map((entry) => ({ ...entry, entryId }));
    if (attempt > 1) {
      for (const entry of entries) {
        const { value, sequence } = await deps.log.read<LedgerEntry>(ledgerWrite(entry).subject);
        if (sequence > 0) return { done: { ...before, granted: value?.amount ?? entry.amount } };
      }
    }
    const granted = entries.reduce((sum, entry) => sum + entry.amount, 0);
    return { account: change.account, entries, result: { ...change.account, granted } };
  });
}

export interface UpdateAccountDeps extends AccountDeps {
  readonly plans: readonly Plan[];
}

export interface AccountUpdate {
  readonly name?: string;
  readonly plan?: string;
  readonly limits?: Partial<PlanLimits>;
  readonly apiEnabled?: boolean;
  readonly tools?: readonly ToolId[];
}

/**
 * A plan brings its limits and tools at once, and its credits from the next period on. Throws `not_found`,
 * `invalid_request`.
 */
export async function updateAccount(
  deps: UpdateAccountDeps,
  { accountId, update }: { readonly accountId: string; readonly update: AccountUpdate },
): Promise<Account> {
  const { plans, nowMs } = deps;
  const plan = update.plan === undefined ? undefined : findPlan(plans, update.plan);
  const event: PromoteEvent = {
    v: 1,
    kind: "limits",
    eventId: uuidv7(nowMs()),
    createdAt: isoTime(nowMs()),
    accountId,
  };
  return await commitAccount(deps, { transition: "update-account", accountId }, async (before) => {
    assertNotErased(before);
    const account: Account = {
      ...before,
      name: update.name ?? before.name,
      plan: plan?.name ?? before.plan,
      limits: { ...(plan?.limits ?? before.limits), ...update.limits },
      tools: update.tools ?? plan?.tools ?? before.tools,
      apiEnabled: update.apiEnabled ?? before.apiEnabled,
      credits: { ...before.credits, perPeriod: plan?.creditsPerPeriod ?? before.credits.perPeriod },
    };
    const doLimitsChange = plan !== undefined || update.limits !== undefined;
    return { account, writes: doLimitsChange ? [eventWrite(event)] : [], result: account };
  });
}

/** A page of accounts, the oldest first. `next` is the `after` of the next page, undefined on the last one. */
export async function listAccounts(
  { log }: { readonly log: Log },
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ accounts: Account[]; next: string | undefined }> {
  const ids = await Array.fromAsync(
    listRecordSubjects(log, subjects.account("*")),
    (subject) => subjectTokens(subject).accountId,
  );
  // They are UUIDv7, whose order is that of their creation.
  const rest = ids.sort().filter((id) => after === undefined || id > after);
  const page = rest.slice(0, limit);
  const accounts = await readRecords<Account>(log, page.map(subjects.account));
  const next = rest.length > limit ? page.at(-1) : undefined;
  return { accounts: accounts.map(({ value }) => value), next };
}

/** `waiting`: live jobs beyond the window. `inferenceSeconds`: what models computed today, and then in all. */
export type AccountRank = "waiting" | "inferenceSeconds";

export interface RankAccountsDeps {
  readonly log: Log;
  readonly view: Pick<JobView, "accounts" | "lag">;
  readonly nowMs: () => number;
}

/** Records that one request reads: of the accounts with the most queued jobs, or with the most unexpired ones. */
const candidatesMax = 2_000;

/** The largest first. Throws `unavailable` while this process still reads the jobs. */
export async function rankAccounts(
  { log, view, nowMs }: RankAccountsDeps,
  { by, limit }: { readonly by: AccountRank; readonly limit: number },
): Promise<Account[]> {
  const lag = view.lag();
  if (lag !== undefined) throw new PackshotError("unavailable", `The accounts cannot be ranked yet: ${lag}.`);
  const candidates = [...view.accounts()]
    .map(({ accountId, jobs, queued }) => ({ accountId, load: by === "waiting" ? queued : jobs }))
    .filter(({ load }) => load > 0)
    .sort((a, b) => b.load - a.load)
    .slice(0, candidatesMax);
  const names = candidates.map(({ accountId }) => subjects.account(accountId));
  const accounts = (await readRecords<Account>(log, names)).map(({ value }) => value);
  const now = nowMs();
  const rankOf = (account: Account): readonly [number, number] =>
    by === "waiting"
      ? [account.waiting, account.running]
      : [inferenceMsOfDay(account.inference, now), account.inference?.totalMs ?? 0];
  return accounts
    .map((account) => ({ account, rank: rankOf(account) }))
    .sort((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1])
    .slice(0, limit)
    .map(({ account }) => account);
}
