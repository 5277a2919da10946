import { readFileSync } from "node:fs";
import { builtInPlans, defaultPrices, type Plan, type PlanLimits } from "@packshot/domain/accounts/plan.ts";
import { isToolId, toolIds } from "@packshot/domain/edits/tools.ts";

/**
 * The built-in plans, and those of the operator's JSON file: `[{name, limits, creditsPerPeriod, tools?}]`. A plan of the
 * file replaces the built-in plan of the same name.
 */
export function readPlans(file: string | undefined): readonly Plan[] {
  if (file === undefined) return builtInPlans;
  const fromFile = JSON.parse(readFileSync(file, "utf8")) as Partial<Plan>[];
  if (!Array.isArray(fromFile)) throw new Error(`${file} must be a JSON list of plans`);
  const plans = new Map(builtInPlans.map((plan) => [plan.name, plan]));
  for (const plan of fromFile.map((given) => parsePlan(file, given))) plans.set(plan.name, plan);
  return [...plans.values()];
}

/** Limits that a plan of the file need not name. */
function defaultLimits({ maxFileSizeBytes }: PlanLimits) {
  const largestFilesMax = 1_000;
  const maxWaitingBytes = largestFilesMax * maxFileSizeBytes;
  return {
    maxConnections: 10,
    maxPresets: 50,
    maxWaitingBytes,
    maxBatches: 10,
    batchHours: 72,
    reviewRefundsPerDay: 0,
    ...defaultPrices,
  };
}

function parsePlan(file: string, plan: Partial<Plan>): Plan {
  const { name, creditsPerPeriod } = plan;
  const limits = plan.limits && { ...defaultLimits(plan.limits), ...plan.limits };
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  if (typeof name !== "string" || name === "") throw new Error(`${file}: a plan has no name`);
  if (!isWhole(creditsPerPeriod)) throw new Error(`${file}: ${name}.creditsPerPeriod must be a whole number`);
  for (const limit of Object.keys(builtInPlans[0]!.limits) as (keyof PlanLimits)[]) {
    if (!isWhole(limits?.[limit])) throw new Error(`${file}: ${name}.limits.${limit} must be a whole number`);
  }
  const tools = plan.tools ?? toolIds;
  const unknown = tools.find((tool) => !isToolId(tool));
  if (unknown !== undefined) throw new Error(`${file}: ${name}.tools names ${unknown}, which is not a tool`);
  return { name, creditsPerPeriod: creditsPerPeriod!, limits: limits!, tools };
}
