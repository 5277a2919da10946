/** How far a batch is: a line that moves while it runs, and what became of it. */
import type { Batch, Packshot } from "@packshot/sdk/packshot.ts";
import { visible } from "../command-line/print.ts";
import { durationText, progressLine } from "../command-line/progress.ts";

interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where no line can move, as in a log. */
const logEveryMs = 10_000;

export const endedRows = ({ rows, counts }: Batch): number => rows - counts.pending - counts.open;

/** Resolves with the batch when it has ended or is paused. Rejects with the signal's reason. */
export async function followBatch(client: Packshot, id: string, stderr: Output, signal: AbortSignal): Promise<Batch> {
  let loggedAtMs = performance.now();
  const clear = () => stderr.isTTY && stderr.write("\r\u001b[K");
  function onProgress(batch: Batch): void {
    const line = lineOf(batch, stderr.isTTY ? (stderr.columns ?? 80) : 200);
    if (stderr.isTTY) stderr.write(`\r\u001b[K${line}`);
    else if (performance.now() - loggedAtMs >= logEveryMs) {
      stderr.write(`${line}\n`);
      loggedAtMs = performance.now();
    }
  }
  try {
    return await client.batches.wait(id, { signal, onProgress });
  } finally {
    clear();
  }
}

function lineOf(batch: Batch, columns: number): string {
  const { status, rows, counts, rowsPerHour } = batch;
  if (status === "validating") return "reading the rows";
  const ended = { ended: endedRows(batch), failed: counts.failed, total: rows };
  return progressLine(ended, rowsPerHour ? rowsPerHour / 3600 : undefined, columns);
}

const pauses: Readonly<Record<string, string>> = {
  requested: "as requested",
  insufficient_credits: "the credits are used up",
  api_disabled: "the operator has suspended the account",
};

/** What a person wants to know of it, with what to do next. */
export function describeBatch(batch: Batch): string {
  const { id, status, pausedBy, error, rows, counts, creditsCharged, deliveriesFailed, secondsLeft, expiresAt } = batch;
  const counted = Object.entries(counts).filter(([, count]) => count > 0);
  const facts: [string, string | undefined][] = [
    ["batch", `${id}, ${status}${pausedBy === null ? "" : `: ${pauses[pausedBy]}`}`],
    ["rows", status === "validating" ? "not counted yet" : undefined],
    ["rows", status === "validating" ? undefined : [`${rows}`, counted.map(countText).join(", ")].join(": ")],
    ["error", error === null ? undefined : `${error.message} (${error.code})`],
    ["buckets", deliveriesFailed === 0 ? undefined : `did not take ${deliveriesFailed} of the completed`],
    ["credits", String(creditsCharged)],
    ["left", secondsLeft === null || secondsLeft === 0 ? undefined : `about ${durationText(secondsLeft)}`],
    ["kept", expiresAt === null ? undefined : `until ${timeText(expiresAt)}`],
    ...nextOf(batch).map((command): [string, string] => ["next", command]),
  ];
  return facts
    .filter(([, fact]) => fact !== undefined)
    .map(([name, fact]) => `${name.padEnd(8)} ${visible(fact!)}\n`)
    .join("");
}

const countText = ([name, count]: [string, number]) => `${count} ${name}`;

export function timeText(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

function nextOf({ id, status, counts, deliveriesFailed }: Batch): string[] {
  if (status === "paused") return [`packshot batches resume ${id}`];
  if (status === "running" || status === "validating") return [`packshot batches show ${id} --wait`];
  return [
    ...(counts.completed > 0 ? [`packshot batches archive ${id} --out results.zip`] : []),
    ...(deliveriesFailed > 0 ? [`packshot batches deliver ${id}`] : []),
    ...(status === "completed" && counts.failed > 0 ? [`packshot batches retry ${id}`] : []),
  ];
}
