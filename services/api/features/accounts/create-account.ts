import { type Account, openAccount } from "@packshot/domain/account.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Plan, PlanLimits } from "@packshot/domain/plan.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type AccountDeps, commitAccounts } from "../../records/commit-account.ts";
import { findPlan } from "./find-plan.ts";

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
