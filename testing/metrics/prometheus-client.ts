/** What the tests ask a Prometheus, and whether this machine has one. */
import { spawnSync } from "node:child_process";

/** Runs promtool, with `input` on stdin. */
export function promtool(
  args: readonly string[],
  input = "",
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

/** Number of series that the query returns now. Throws when Prometheus refuses it. */
export async function countSeries(prometheusUrl: string, query: string): Promise<number> {
  const answer = await fetch(`${prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { status, error, data } = (await answer.json()) as {
    status: string;
    error?: string;
    data?: { result: readonly { value: readonly [number, string] }[] };
  };
  if (status !== "success") throw new Error(`${query}: ${error}`);
  return data!.result.filter(({ value }) => value[1] !== "NaN").length;
}

export interface RuleState {
  readonly name: string;
  readonly query: string;
  readonly health: string;
  readonly type: "alerting" | "recording";
  readonly lastError?: string;
}

export async function readRules(prometheusUrl: string): Promise<RuleState[]> {
  const answer = await fetch(`${prometheusUrl}/api/v1/rules`);
  const { data } = (await answer.json()) as { data: { groups: readonly { rules: readonly RuleState[] }[] } };
  return data.groups.flatMap(({ rules }) => rules);
}
