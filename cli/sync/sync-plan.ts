/** What a run of `packshot sync` would do, for whoever asks before or is asked. */
import { printLine } from "../command-line/print.ts";
import type { PhotoToSync } from "./sync-photos.ts";

export interface SyncPlan {
  /** What is to be edited, delivered, or named as left alone. */
  readonly work: readonly PhotoToSync[];
  readonly edits: number;
  readonly deliveries: number;
  readonly left: number;
  readonly done: number;
  readonly credits: number;
}

const listedMax = 20;

export function planSync(found: readonly PhotoToSync[], creditsEach: number): SyncPlan {
  const countOf = (what: PhotoToSync["work"]) => found.filter(({ work }) => work === what).length;
  const edits = countOf("edit");
  return {
    work: found.filter(({ work }) => work !== "none"),
    edits,
    deliveries: countOf("deliver"),
    left: countOf("leave"),
    done: countOf("none"),
    credits: edits * creditsEach,
  };
}

export function showPlan(plan: SyncPlan, { json }: { readonly json: boolean }): 0 {
  const { work, ...counts } = plan;
  if (json) {
    for (const { photo, work: what, there = photo.goesTo } of work) {
      printLine(JSON.stringify({ event: "would", work: what, photo: photo.name, goesTo: there }));
    }
    printLine(JSON.stringify({ event: "plan", ...counts }));
    return 0;
  }
  printLine(sentenceOfPlan(plan));
  for (const { photo, work: what, there = photo.goesTo } of work.slice(0, listedMax)) {
    printLine(`  ${what.padEnd(9)}${photo.name} → ${there}`);
  }
  if (work.length > listedMax) printLine(`  and ${work.length - listedMax} more; --json names them all`);
  return 0;
}

export function sentenceOfPlan({ edits, deliveries, left, done, credits }: SyncPlan): string {
  const parts = [
    `${edits} ${edits === 1 ? "photo" : "photos"} to edit for ${credits} ${credits === 1 ? "credit" : "credits"}`,
    ...(deliveries > 0 ? [`${deliveries} edited before to deliver`] : []),
    ...(left > 0 ? [`${left} left alone, whose name is taken`] : []),
    ...(done > 0 ? [`${done} done before`] : []),
  ];
  return parts.join(", ");
}
