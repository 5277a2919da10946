/** The doubtful rows of a batch, in the order of its file, a page at a time. */
import { type Batch, segmentOf, segmentRows } from "@packshot/domain/batches/batch.ts";
import type { JobReview } from "@packshot/domain/jobs/job.ts";
import type { ReviewRecord } from "@packshot/domain/jobs/review.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Schemas } from "../../http/call.ts";
import type { CreateReportLines } from "../batches/report/report-line.ts";
import type { OutcomeFiles } from "../batches/rows/outcome-files.ts";
import type { RowOutcome, ValidRow } from "../batches/rows/row.ts";
import type { RowSegments } from "../batches/rows/row-segments.ts";

type ReviewItem = Schemas["ReviewItem"];

export interface ListReviewDeps {
  readonly log: Log;
  readonly segments: Pick<RowSegments, "read">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
  readonly createLines: CreateReportLines;
}

export interface ReviewPageRequest {
  readonly firstRow: number;
  readonly limit: number;
  /** false: only rows of which nobody has decided; true: only the others. */
  readonly reviewed: boolean;
}

export interface ReviewPage {
  readonly items: readonly ReviewItem[];
  /** The next page begins there; undefined on the last one. */
  readonly nextRow: number | undefined;
}

export type ListReview = (batch: Batch, request: ReviewPageRequest) => Promise<ReviewPage>;

/** Segments of a thousand rows that one request looks through: a batch of a million sound rows has more. */
const segmentsMax = 16;
const readsParallelMax = 16;

interface DoubtfulRow {
  readonly row: ValidRow;
  readonly outcome: RowOutcome;
  readonly review: JobReview | undefined;
}

export function createListReview({ log, segments, outcomes, createLines }: ListReviewDeps): ListReview {
  const inLimits = createLimiter(readsParallelMax);

  /** As it was decided last: the batch's files know it a moment later. */
  async function reviewOf({ accountId }: Batch, { jobId, review }: RowOutcome): Promise<JobReview | undefined> {
    const { value } = await inLimits(() => log.read<ReviewRecord>(subjects.review(accountId, jobId!)));
    return value?.review ?? review;
  }

  /** The first `max` of them from `firstRow` on. */
  async function readSegment(
    batch: Batch,
    segment: number,
    { firstRow, max, reviewed }: { readonly firstRow: number; readonly max: number; readonly reviewed: boolean },
  ): Promise<DoubtfulRow[]> {
    // A review is never undone: only rows without one may have a newer record.
    const isWanted = ({ review }: RowOutcome) => reviewed || review === undefined;
    const doubtful = [...(await outcomes.read(batch, segment)).values()]
      .filter((outcome) => outcome.row >= firstRow && isDoubtful(outcome) && isWanted(outcome))
      .toSorted((a, b) => a.row - b.row);
    if (doubtful.length === 0) return [];
    const rows = new Map((await segments.read(batch, segment))?.map((row) => [row.row, row]));
    const found: DoubtfulRow[] = [];
    // A page's worth at a time: a segment may have a thousand of them.
    for (let from = 0; from < doubtful.length && found.length < max; from += max) {
      const part = doubtful.slice(from, from + max);
      const reviews = await Promise.all(part.map((outcome) => reviewOf(batch, outcome)));
      for (const [index, outcome] of part.entries()) {
        const row = rows.get(outcome.row);
        const review = reviews[index];
        if (row === undefined || "fault" in row || (review !== undefined) !== reviewed) continue;
        found.push({ row, outcome, review });
      }
    }
    return found.slice(0, max);
  }

  async function itemsOf(batch: Batch, rows: readonly DoubtfulRow[]): Promise<ReviewItem[]> {
    const lines = await createLines(
      rows.map(({ row, outcome, review }) => {
        const isKept = outcome.result !== null && review?.verdict !== "rejected";
        const file = isKept ? { ...outcome.result!, expiresAt: batch.expiresAt } : undefined;
        return { row, status: "completed", outcome, same: undefined, file };
      }),
    );
    return rows.map(({ row, outcome, review }, index) => ({
      jobId: outcome.jobId!,
      tool: row.tool,
      batch: { id: batch.id, ref: row.ref, row: row.row },
      line: row.line,
      resultUrl: lines[index]!.resultUrl,
      expiresAt: lines[index]!.expiresAt,
      destination: lines[index]!.destination,
      reasons: [...(outcome.reasons ?? [])],
      creditsCharged: outcome.credits - (review?.creditsRefunded ?? 0),
      review: review ?? null,
    }));
  }

  return async (batch, { firstRow, limit, reviewed }) => {
    const found: DoubtfulRow[] = [];
    let segment = segmentOf(firstRow);
    for (let read = 0; read < segmentsMax && segment * segmentRows < batch.rows; read += 1, segment += 1) {
      // One more than the page shows tells whether there is a next page.
      found.push(...(await readSegment(batch, segment, { firstRow, max: limit + 1 - found.length, reviewed })));
      if (found.length > limit)
        return { items: await itemsOf(batch, found.slice(0, limit)), nextRow: found[limit]!.row.row };
    }
    const nextRow = segment * segmentRows < batch.rows ? segment * segmentRows : undefined;
    return { items: await itemsOf(batch, found), nextRow };
  };
}

function isDoubtful({ status, quality, jobId }: RowOutcome): boolean {
  return status === "completed" && quality === "review" && jobId !== null;
}
