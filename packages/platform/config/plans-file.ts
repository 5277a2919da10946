import { builtInPlans, defaultPrices, type Plan, type PlanLimits } from "@packshot/domain/accounts/plan.ts";
import { isToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import { readNamedFile } from "./setting-rows.ts";

/**
 * The built-in plans, and those of the operator's JSON file: `[{name, limits, creditsPerPeriod, tools?}]`. A plan of the
 * file replaces the built-in plan of the same name. Throws an error that names the file, to stand behind the setting's name.
 */
export function readPlans(file: string | undefined): readonly Plan[] {
  if (file === undefined) return builtInPlans;
  const fail = (problem: string): never => {
    throw new Error(`names ${file}, ${problem}`);
  };
  const given = parseJson(readNamedFile(file), fail);
  if (!Array.isArray(given)) return fail("which must be a JSON list of plans");
  const plans = new Map(builtInPlans.map((plan) => [plan.name, plan]));
  for (const plan of given.map((one: Partial<Plan> | null) => parsePlan(one ?? {}, fail))) plans.set(plan.name, plan);
  return [...plans.values()];
}

type Fail = (problem: string) => never;

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const line = text.slice(0, faultAt(text, message)).split("\n").length;
    return fail(
      `which is not JSON, in line ${line}: ${message.replace(/ in JSON at position .*$|, (\.\.\.)?".*$/s, "")}`,
    );
  }
}

/** Characters that V8 quotes before the one that it did not expect. */
const quotedBefore = 10;

/** Where V8's message says that parsing ended: by a position, by what it quotes from there, or at the end of the text. */
function faultAt(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const quoted = /, (\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message);
  if (quoted === null) return text.trimEnd().length;
  const [, isCut, excerpt] = quoted;
  return isCut === undefined ? text.indexOf(/'(.)'/s.exec(message)?.[1] ?? "") : text.indexOf(excerpt!) + quotedBefore;
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

function parsePlan(plan: Partial<Plan>, fail: Fail): Plan {
  const { name, creditsPerPeriod } = plan;
  const limits = plan.limits && { ...defaultLimits(plan.limits), ...plan.limits };
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  if (typeof name !== "string" || name === "") return fail("in which a plan has no name");
  if (!isWhole(creditsPerPeriod)) return fail(`in which ${name}.creditsPerPeriod must be a whole number`);
  for (const limit of Object.keys(builtInPlans[0]!.limits) as (keyof PlanLimits)[]) {
    if (!isWhole(limits?.[limit])) return fail(`in which ${name}.limits.${limit} must be a whole number`);
  }
  const tools = plan.tools ?? toolIds;
  if (!Array.isArray(tools)) return fail(`in which ${name}.tools must be a list of tools`);
  const unknown = tools.find((tool) => !isToolId(tool));
  if (unknown !== undefined) return fail(`in which ${name}.tools has ${unknown}, which is not a tool`);
  return { name, creditsPerPeriod: creditsPerPeriod!, limits: limits!, tools };
}
