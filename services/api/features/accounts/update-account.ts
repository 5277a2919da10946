import type { Account } from "@packshot/domain/account.ts";
import { eventWrite, type LimitsChangedEvent } from "@packshot/domain/event.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Plan, PlanLimits } from "@packshot/domain/plan.ts";
import type { ToolId } from "@packshot/domain/tools.ts";
import { type AccountDeps, assertNotErased, commitAccount } from "../../records/commit-account.ts";
import { findPlan } from "./find-plan.ts";

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
  const event: LimitsChangedEvent = {
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
