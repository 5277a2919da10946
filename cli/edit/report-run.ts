/** What a run prints: for people, a line that moves and a summary; for scripts, lines of JSON. */

import { join } from "node:path";
import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { PackshotError } from "@packshot/sdk/packshot.ts";
import { visible } from "../command-line/print.ts";
import { createPace, durationText, progressLine, rateText } from "../command-line/progress.ts";
import type { PhotoOutcome } from "./edit-photo.ts";
import type { Photo } from "./photo.ts";
import type { EditTally } from "./run-edits.ts";

export interface RunReport {
  begin(about: { readonly total: number | undefined; readonly parallel: number }): void;
  say(line: string): void;
  outcome(photo: Photo, outcome: PhotoOutcome, tally: EditTally): void;
  retry(photo: Photo, error: PackshotError, afterMs: number): void;
  end(tally: EditTally, about: { readonly seconds: number; readonly out: string; readonly isStopped: boolean }): void;
}

interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const listedMax = 20;
const drawEveryMs = 100;
/** So that a run that waits for the service does not look as fast as it was. */
const redrawEveryMs = 1_000;
/** Where no line can move, as in a log. */
const logEveryMs = 10_000;
const namedMax = 3;

export function createJsonReport(stdout: Writable): RunReport {
  const write = (event: string, fields: object) =>
    void stdout.write(`${visible(JSON.stringify({ event, ...fields }))}\n`);
  return {
    begin: (about) => write("begin", about),
    say: () => {},
    outcome(photo, outcome) {
      if (outcome.kind !== "edited") return write(outcome.kind, { photo: photo.name, ...withoutKind(outcome) });
      const { job, file, shadow, further, failedFiles } = outcome;
      const { quality, reasons } = job.report ?? {};
      const milliseconds = Date.parse(job.finishedAt ?? job.createdAt) - Date.parse(job.createdAt);
      const facts = { jobId: job.id, quality, reasons, credits: job.creditsCharged, milliseconds };
      write("edited", { photo: photo.name, file, shadow, further, failedFiles, ...facts });
    },
    retry: (photo, { code, message }, afterMs) => write("retry", { photo: photo.name, code, message, afterMs }),
    end({ edited, skipped, failed, filesFailed, credits, reviews }, { seconds, out, isStopped }) {
      const counts = { edited, skipped, failed, filesFailed, review: reviews.length, credits };
      write("summary", { ...counts, seconds, out, stopped: isStopped });
    },
  };
}

function withoutKind({ kind: _, ...rest }: PhotoOutcome): object {
  return rest;
}

export function createTerminalReport(stdout: Output, stderr: Output, nowMs: () => number): RunReport {
  const isTerminal = stderr.isTTY === true;
  const pace = createPace(nowMs());
  let counts = { ended: 0, failed: 0, total: undefined as number | undefined };
  let drawnAtMs = nowMs();
  let isDrawn = false;
  let redrawing: NodeJS.Timeout | undefined;
  /** The connection has failed, which was said, and nothing has come since. */
  let isAway = false;
  const color = (style: "red" | "yellow" | "green" | "bold", text: string, stream: Output = stdout) =>
    styleText(style, text, { stream });

  function clear(): void {
    if (isDrawn) stderr.write("\r\u001b[K");
    isDrawn = false;
  }

  function draw(): void {
    const line = progressLine(counts, pace.perSecond(nowMs()), isTerminal ? (stderr.columns ?? 80) : 200);
    const sinceMs = nowMs() - drawnAtMs;
    if (isTerminal) {
      if (isDrawn && sinceMs < drawEveryMs && counts.ended !== counts.total) return;
      stderr.write(`\r\u001b[K${line}`);
      isDrawn = true;
    } else if (sinceMs >= logEveryMs) stderr.write(`${line}\n`);
    else return;
    drawnAtMs = nowMs();
  }

  const say = (line: string) => tell(visible(line));

  /** What others have named in the line is visible already. */
  function tell(line: string): void {
    clear();
    stderr.write(`${line}\n`);
    if (counts.total !== undefined && isTerminal) draw();
  }

  return {
    say,
    begin({ total, parallel }) {
      counts = { ...counts, total };
      const photos = total === undefined ? "photos as they come" : `${total} ${total === 1 ? "photo" : "photos"}`;
      const atATime = Math.min(parallel, total ?? parallel);
      say(atATime === 1 ? `Editing ${photos}` : `Editing ${photos}, ${atATime} at a time`);
      if (isTerminal) redrawing = setInterval(draw, redrawEveryMs).unref();
    },
    outcome(photo, outcome, { edited, skipped, failed }) {
      counts = { ...counts, ended: edited + skipped + failed, failed };
      if (outcome.kind === "edited") {
        pace.mark(nowMs());
        isAway = false;
        for (const { name, ...failure } of outcome.failedFiles ?? [])
          tell(`${color("red", "failed", stderr)} ${visible(`${photo.name} (${name}): ${reasonOf(failure)}`)}`);
      }
      if (outcome.kind === "failed")
        tell(`${color("red", "failed", stderr)} ${visible(`${photo.name}: ${reasonOf(outcome)}`)}`);
      draw();
    },
    retry(photo, error, afterMs) {
      if (error.code !== "connection_failed")
        return say(`${photo.name}: ${reasonOf(error)}; again in ${durationText(afterMs / 1000)}`);
      // It concerns all photos alike, and each would say so at each try.
      if (!isAway) say(`The service does not answer (${error.message.replace(/\.$/, "")}): trying again …`);
      isAway = true;
    },
    end(tally, { seconds, out, isStopped }) {
      clearInterval(redrawing);
      clear();
      const write = (line: string) => void stdout.write(`${line}\n`);
      const section = (style: "red" | "yellow", title: string, lines: readonly string[]) => {
        if (lines.length === 0) return;
        write(`\n${color(style, title)}`);
        for (const line of lines.slice(0, listedMax)) write(`  ${visible(line)}`);
        if (lines.length > listedMax) write(`  and ${lines.length - listedMax} more; --json names them all`);
      };
      write(color("bold", summaryLine(tally, seconds)));
      const { failures, reviews, occupied } = tally;
      section("red", "Failed", failureLines(failures));
      section(
        "yellow",
        "Look at these",
        reviews.map(({ file, reasons }) => reviewLine(join(out, file), reasons)),
      );
      section("yellow", "Left as they were, because a file of that name was there (--force replaces it)", [
        ...occupied.map(({ photo, file }) => `${photo}: ${join(out, file)}`),
      ]);
      if (tally.edited + tally.skipped > 0) write(`\nResults are in ${out}.`);
      if (isStopped) write("To go on, run the same command again: what was sent is fetched then, and not paid again.");
      else if (tally.failed > 0) write("To try the failed ones again, run the same command again.");
      if (tally.filesFailed > 0)
        write("To make a missing file, edit its photo again with --force, at the whole price.");
    },
  };
}

/** A sentence with its code: `No product stands out in the photo (no_product_found)`. */
function reasonOf({ message, code }: { readonly message: string; readonly code: string }): string {
  return `${message.replace(/\.$/, "")} (${code})`;
}

/** What failed for the same reason stands together. */
function failureLines(failures: EditTally["failures"]): string[] {
  const byReason = Map.groupBy(failures, reasonOf);
  return [...byReason].map(([reason, photos]) => {
    const names = photos.slice(0, namedMax).map(({ photo }) => photo);
    const more = photos.length - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}: ${reason}`;
  });
}

function reviewLine(file: string, reasons: readonly string[]): string {
  return reasons.length === 0 ? file : `${file}: ${reasons.join("; ")}`;
}

/** `95 edited, 3 done before, 2 failed in 32 s (3.0 a second), 95 credits` */
function summaryLine(tally: EditTally, seconds: number): string {
  const { edited, skipped, failed, filesFailed, credits } = tally;
  const parts = [
    `${edited} edited`,
    ...(skipped > 0 ? [`${skipped} done before`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(filesFailed > 0 ? [`${filesFailed} ${filesFailed === 1 ? "file" : "files"} of them not made`] : []),
  ];
  const rate = edited > 0 && seconds > 0 ? ` (${rateText(edited / seconds)})` : "";
  return `${parts.join(", ")} in ${durationText(seconds)}${rate}, ${credits} ${credits === 1 ? "credit" : "credits"}`;
}
