/** Accounts as the operator manages them. */
import { type Account, grantCredits, openAccount } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { eventWrite, type LimitsChangedEvent } from "@packshot/domain/event.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import { ledgerWrite } from "@packshot/domain/ledger.ts";
import type { Plan, PlanLimits } from "@packshot/domain/plan.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { ToolId } from "@packshot/domain/tools.ts";
import { type AccountDeps, commitAccount, readAccount } from "../../records/commit-account.ts";

export interface OperatorDeps extends AccountDeps {
  readonly plans: readonly Plan[];
}

export interface NewAccount {
  readonly name: string;
  readonly plan?: string;
  readonly limits?: Partial<PlanLimits>;
}

/** Throws `invalid_request` for an unknown plan. */
export async function createAccount({ log, plans, nowMs }: OperatorDeps, order: NewAccount): Promise<Account> {
  const plan = planNamed(plans, order.plan ?? "starter");
  const now = nowMs();
  const who = { accountId: uuidv7(now), workspaceId: uuidv7(now), name: order.name };
  const { account, entries } = openAccount({ ...plan, limits: { ...plan.limits, ...order.limits } }, who, now);
  const subject = subjects.account(account.accountId);
  return await log.transact<Account>("create-account", async (attempt) => {
    if (attempt > 1 && (await log.read(subject)).sequence > 0) return { done: account };
    return { writes: [{ subject, value: account, expected: 0 }, ...entries.map(ledgerWrite)], answer: account };
  });
}

/** Throws `not_found`. */
export async function getAccount(parts: OperatorDeps, accountId: string): Promise<Account> {
  assertAccountId(accountId);
  return await readAccount(parts, accountId);
}

export async function listAccounts(
  { log }: OperatorDeps,
  { after, limit }: { after: number; limit: number },
): Promise<{ accounts: Account[]; next: number | undefined }> {
  const accounts: Account[] = [];
  let from = after + 1;
  while (accounts.length < limit) {
    const record = await log.readNext<Account>("ps.account.*", from);
    if (record === undefined) return { accounts, next: undefined };
    from = record.sequence + 1;
    if (record.value !== undefined) accounts.push(record.value);
  }
  return { accounts, next: from - 1 };
}

export interface AccountUpdate {
  readonly name?: string;
  readonly plan?: string;
  readonly limits?: Partial<PlanLimits>;
  readonly apiEnabled?: boolean;
  readonly tools?: readonly ToolId[];
}

/** A plan brings its limits, tools and credits per period (from the next period on). Throws `not_found`, `invalid_request`. */
export async function updateAccount(parts: OperatorDeps, accountId: string, update: AccountUpdate): Promise<Account> {
  assertAccountId(accountId);
  const { plans, nowMs } = parts;
  const plan = update.plan === undefined ? undefined : planNamed(plans, update.plan);
  const event: LimitsChangedEvent = {
    v: 1,
    kind: "limits",
    eventId: uuidv7(nowMs()),
    createdAt: isoTime(nowMs()),
    accountId,
  };
  return await commitAccount(parts, "update-account", accountId, async (before) => {
    const account: Account = {
      ...before,
      name: update.name ?? before.name,
      plan: plan?.name ?? before.plan,
      limits: { ...(plan?.limits ?? before.limits), ...update.limits },
      tools: update.tools ?? plan?.tools ?? before.tools,
      apiEnabled: update.apiEnabled ?? before.apiEnabled,
      credits: { ...before.credits, perPeriod: plan?.creditsPerPeriod ?? before.credits.perPeriod },
    };
    const isLimitChange = plan !== undefined || update.limits !== undefined;
    return { account, writes: isLimitChange ? [eventWrite(event)] : [], answer: account };
  });
}

/** Throws `not_found`. */
export async function grantAccountCredits(
  parts: OperatorDeps,
  accountId: string,
  { amount, note }: { amount: number; note: string },
): Promise<Account> {
  assertAccountId(accountId);
  const entryId = uuidv7(parts.nowMs());
  return await commitAccount(parts, "grant", accountId, async (before, attempt) => {
    const { account, entries } = grantCredits(before, amount, note, parts.nowMs());
    // One id for all tries, so that a lost answer is not a second grant.
    const mine = entries.map((entry) => ({ ...entry, entryId }));
    if (attempt > 1) {
      for (const entry of mine) {
        if ((await parts.log.read(ledgerWrite(entry).subject)).sequence > 0) return { done: before };
      }
    }
    return { account, entries: mine, writes: [], answer: account };
  });
}

export function assertAccountId(accountId: string): void {
  if (!isUuid(accountId)) throw new PackshotError("not_found", "There is no such account.");
}

function planNamed(plans: readonly Plan[], name: string): Plan {
  const plan = plans.find((candidate) => candidate.name === name);
  if (plan !== undefined) return plan;
  const names = plans.map((candidate) => candidate.name).join(", ");
  throw new PackshotError("invalid_request", `There is no plan "${name}": ${names}.`, { details: { field: "plan" } });
}
