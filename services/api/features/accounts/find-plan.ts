import { PackshotError } from "@packshot/domain/errors.ts";
import type { Plan } from "@packshot/domain/plan.ts";

/** Throws `invalid_request` for an unknown plan. */
export function findPlan(plans: readonly Plan[], name: string): Plan {
  const plan = plans.find((candidate) => candidate.name === name);
  if (plan !== undefined) return plan;
  const names = plans.map((candidate) => candidate.name).join(", ");
  throw new PackshotError("invalid_request", `Plan "${name}" not found; available: ${names}.`, {
    details: { field: "plan" },
  });
}
