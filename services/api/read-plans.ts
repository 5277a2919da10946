import { readFileSync } from "node:fs";
import { builtInPlans, type Plan, type PlanLimits } from "@packshot/domain/plan.ts";
import { isToolId, toolIds } from "@packshot/domain/tools.ts";

/** The built-in plans, with the operator's own from a JSON file `[{name, limits, creditsPerPeriod, tools?}]` over them. */
export function readPlans(file: string | undefined): readonly Plan[] {
  if (file === undefined) return builtInPlans;
  const own = JSON.parse(readFileSync(file, "utf8")) as Partial<Plan>[];
  if (!Array.isArray(own)) throw new Error(`${file} must be a JSON list of plans`);
  const plans = new Map(builtInPlans.map((plan) => [plan.name, plan]));
  for (const plan of own) plans.set(checked(file, plan).name, checked(file, plan));
  return [...plans.values()];
}

function checked(file: string, plan: Partial<Plan>): Plan {
  const [example] = builtInPlans;
  const { name, creditsPerPeriod, limits } = plan;
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  if (typeof name !== "string" || name === "") throw new Error(`${file}: a plan has no name`);
  if (!isWhole(creditsPerPeriod)) throw new Error(`${file}: ${name}.creditsPerPeriod must be a whole number`);
  for (const limit of Object.keys(example!.limits) as (keyof PlanLimits)[]) {
    if (!isWhole(limits?.[limit])) throw new Error(`${file}: ${name}.limits.${limit} must be a whole number`);
  }
  const tools = plan.tools ?? toolIds;
  const unknown = tools.find((tool) => !isToolId(tool));
  if (unknown !== undefined) throw new Error(`${file}: ${name}.tools names ${unknown}, which is no tool`);
  return { name, creditsPerPeriod: creditsPerPeriod!, limits: limits!, tools };
}
