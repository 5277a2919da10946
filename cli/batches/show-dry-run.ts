/** What a batch would be, for people. */
import { describePoorSource, type SourceCheck } from "@packshot/domain/edits/poor-source.ts";
import type { BatchDryRun } from "@packshot/sdk/packshot.ts";
import { printLine } from "../command-line/print.ts";
import { durationText } from "../command-line/progress.ts";

const faultsShownMax = 20;

type Photos = BatchDryRun["photos"];

export function showDryRun(dryRun: BatchDryRun): void {
  const { rows, faulty, faults, error, tools, credits, creditsRemaining, estimatedSeconds, photos } = dryRun;
  // An API of 0.2.0 says nothing of them.
  const uploads = dryRun.uploads as BatchDryRun["uploads"] | undefined;
  const byTool = Object.entries(tools).filter(([, count]) => count > 0);
  const lines = [
    `rows     ${rows}${byTool.length === 0 ? "" : `: ${byTool.map(([tool, count]) => `${count} ${tool}`).join(", ")}`}`,
    `credits  ${credits} at most, of ${creditsRemaining}`,
    `time     about ${durationText(estimatedSeconds)}`,
    ...(uploads !== undefined && uploads.named > uploads.lookedUp
      ? [`uploads  ${uploads.lookedUp} of ${uploads.named} looked up`]
      : []),
    ...(faulty > 0 ? [`faulty   ${faulty}`] : []),
    ...faults
      .slice(0, faultsShownMax)
      .map(({ line, ref, code, message }) => `  line ${line}${ref && `, ${ref}`}: ${message} (${code})`),
    ...(faulty > faultsShownMax ? [`  and ${faulty - faultsShownMax} more; --json names ${faults.length}`] : []),
    ...(error === null ? [] : [`The file cannot be read beyond line ${error.line}: ${error.message} (${error.code})`]),
    ...photoLines(photos),
    "Nothing was made: leave --dry-run out to edit them.",
  ];
  for (const line of lines) printLine(line);
}

const verdictWords = {
  edit: "edited",
  review: "to be reviewed",
  refuse: "refused",
  fail: "failed",
  unknown: "not looked at",
} as const satisfies Record<keyof Photos["verdicts"], string>;

function photoLines({ sampled, lookedAt, poor, checks, verdicts, rows }: Photos): string[] {
  if (sampled === 0) return [];
  const failing = Object.entries(checks).filter(([, count]) => count > 0);
  const which = failing.length === 0 ? "" : ` (${failing.map(([name, count]) => `${name} ${count}`).join(", ")})`;
  const words = Object.entries(verdictWords) as [keyof Photos["verdicts"], string][];
  const outcomes = words.filter(([verdict]) => verdicts[verdict] > 0);
  return [
    `photos   ${lookedAt} of ${sampled} looked at, ${poor} poor${which}`,
    `         ${outcomes.map(([verdict, word]) => `${verdicts[verdict]} ${word}`).join(", ")}`,
    ...rows.flatMap((row) => {
      const why = whyOf(row);
      return why === undefined ? [] : [`  line ${row.line}, ${row.ref}: ${why}`];
    }),
  ];
}

function whyOf({ error, source, reasons, verdict }: Photos["rows"][number]): string | undefined {
  if (error !== null) return `${error.message} (${error.code})`;
  const poor = describePoorSource((source?.checks ?? []) as readonly SourceCheck[]);
  if (poor !== undefined) return `${poor} (${verdict})`;
  return reasons.length === 0 ? undefined : `${reasons.join("; ")} (${verdict})`;
}
