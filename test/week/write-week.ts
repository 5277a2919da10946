/** The report of a week in short, as other results are kept. */
import { formatTable, writeResults } from "../../bench/measuring/write-results.ts";
import { jobsMin } from "./settling.ts";
import type { Trend } from "./week-figures.ts";
import type { WeekPlan } from "./week-plan.ts";

export interface WeekReport {
  readonly plan: WeekPlan;
  readonly minutes: number;
  readonly from: string | undefined;
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly trends: readonly Trend[];
  readonly counts: Readonly<Record<string, number>>;
}

export function writeWeek({ plan, minutes, from, rows, trends, counts }: WeekReport): void {
  const columns = Object.keys(rows[0]!);
  const slopes = trends.map(({ name, slope, verdict, lives }) => [
    name,
    slope.mean.toFixed(1),
    slope.points,
    `${slope.perDay.toFixed(3)} ± ${slope.uncertainty.toFixed(3)}`,
    lives === undefined ? verdict : `${verdict}: ${lives}`,
  ]);
  writeResults({
    name: "soak-week",
    title: `A week in ${minutes} minutes`,
    setting: `begun with ${from}, three nats-servers with TLS, Redis, S3, two APIs, workers and webhook services, one model server and all clients on the same machine`,
    sections: [
      `A second stands for ${plan.scale.toFixed(0)}; a day has ${plan.daySeconds.toFixed(0)} s, jobs and their files are kept for ${plan.retentionSeconds} s, outages of an hour take ${plan.outageSeconds} s. Memory and open files are means of a day and a process; memory is what is in RAM, with the processes that a service has started, as MB of a million bytes.`,
      formatTable(
        columns,
        rows.map((row) => columns.map((column) => row[column]!)),
      ),
      "## Does it grow?",
      `A line through the quarters of days; of processes one slope for all that had ended ${jobsMin} jobs each, each around its own mean; all collect their garbage every 15 s, and say what their heaps hold then, beside compiled code and its tables. Memory is the least of a quarter. ± is the 95 % interval, wider where neighboring points hang together. *Flat*: 0 lies within it. Records that live longer than the week are named with how long they live, and may grow. The log counts from day 4, when what it keeps is complete, files from day 2. Memory in RAM and the disk of nats-server may fill up to a limit, which is named, if another week of that growth would not exceed it: a week of ninety minutes does not fill them.`,
      formatTable(["", "mean", "points", "change a day", ""], slopes),
      "## What the check looked at",
      formatTable(Object.keys(counts), [Object.values(counts)]),
    ],
  });
}
