import { pricesOf } from "@packshot/domain/accounts/plan.ts";
import { type ToolId, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { ProcessList } from "@packshot/service/process-list.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { type ListJobsDeps, listJobs } from "../jobs/list-jobs.ts";
import { readSettledAccount, type UnsettledRefunds } from "../jobs/unsettled-refunds.ts";
import { readUpload } from "../uploads/upload-actions.ts";
import { batchRules } from "./batch-defaults.ts";
import { assertOneSource, type NewBatch, rowFormatOf } from "./create-batch.ts";
import type { LookAtPhotos, LookedRow } from "./photos/look-at-photos.ts";
import type { LookUpUploads } from "./photos/look-up-uploads.ts";
import type { CheckFile, CheckFileInput } from "./read/check-file.ts";
import type { RowRules, RowRulesDeps } from "./read/check-row.ts";
import { checkItems, emptinessOf, type RowsSummary } from "./read/read-rows.ts";
import { noBytesYet } from "./rows/copy-upload.ts";
import type { SampleSize } from "./rows/row-sample.ts";

export interface DryRunDeps extends RowRulesDeps, ListJobsDeps {
  readonly checkFile: CheckFile;
  readonly looks: Pick<LookAtPhotos, "look">;
  readonly lookUpUploads: LookUpUploads;
  readonly refunds: Pick<UnsettledRefunds, "settled">;
  readonly processes: Pick<ProcessList, "liveSlots" | "count">;
}

export interface DryRunInput {
  readonly caller: Caller;
  readonly newBatch: NewBatch;
  readonly sample: SampleSize;
  readonly signal: AbortSignal;
}

export interface DryRun extends Omit<RowsSummary, "sample" | "uploads"> {
  /** Upload sessions that the rows name, and how many of them were looked up: of the first 5,000 those for which there was time. */
  readonly uploads: { readonly named: number; readonly lookedUp: number };
  readonly looked: readonly LookedRow[];
  /** An upper bound: rows that fail, or were done before, cost nothing. */
  readonly credits: number;
  readonly creditsRemaining: number;
  readonly estimatedSeconds: number;
}

const recentJobsMax = 20;
/** Used when no edit was measured yet: a photo of 12 MP takes so long on a core of a processor. */
const editSecondsDefault = 2;

/**
 * Checks the rows as a batch would, has a sample of their photos looked at, and makes nothing. Throws `invalid_request`, `not_found`, `upload_expired`,
 * `upload_incomplete`, `unavailable`.
 */
export async function dryRunBatch(deps: DryRunDeps, input: DryRunInput): Promise<DryRun> {
  const { caller, newBatch, signal } = input;
  assertOneSource(newBatch);
  const { sample, uploads, lookedUp, ...summary } = await checkRows(
    deps,
    input,
    await batchRules(deps, caller, newBatch),
  );
  const { account, key } = caller;
  const { creditsPerFurtherOutput, creditsPerGeneratedScene } = pricesOf(account.limits);
  const { priced } = summary;
  const credits = toolIds.reduce(
    (sum, tool) => sum + priced[tool] * tools[tool].creditsPerEdit,
    priced.further * creditsPerFurtherOutput + priced.scene * creditsPerGeneratedScene,
  );
  return {
    ...summary,
    uploads: { named: uploads.count, lookedUp },
    looked: await deps.looks.look(caller, sample, signal),
    credits: key.live ? credits : 0,
    creditsRemaining: (await readSettledAccount(deps, account.accountId)).credits.remaining,
    estimatedSeconds: await estimateSeconds(deps, caller, summary.rowsOfTool),
  };
}

interface CheckedRows extends RowsSummary {
  readonly lookedUp: number;
}

async function checkRows(deps: DryRunDeps, input: DryRunInput, rules: RowRules): Promise<CheckedRows> {
  const { caller, newBatch, sample, signal } = input;
  const { items } = newBatch;
  let lookedUp = 0;
  // A faulty row is neither counted as an edit nor sampled.
  const rulesAfter = async ({ uploads }: RowsSummary): Promise<RowRules | undefined> => {
    const found = await deps.lookUpUploads(realmOf(caller), uploads.ids, signal);
    lookedUp = found.lookedUp;
    return Object.keys(found.faults).length === 0 ? undefined : { ...rules, uploadFaults: found.faults };
  };
  if (items === undefined) return { ...(await checkUpload(deps, input, { rules, rulesAfter })), lookedUp };
  const { summary } = checkItems(items, rules, sample);
  const known = await rulesAfter(summary);
  return { ...(known === undefined ? summary : checkItems(items, known, sample).summary), lookedUp };
}

async function checkUpload(
  deps: DryRunDeps,
  { caller, newBatch, sample, signal }: DryRunInput,
  checking: Pick<CheckFileInput, "rules" | "rulesAfter">,
): Promise<RowsSummary> {
  const realm = realmOf(caller);
  const upload = await readUpload(deps, { realm, uploadId: newBatch.uploadId! });
  const format = rowFormatOf(upload);
  const key = storageKeys.upload(realm.accountId, upload.id);
  const reading = { key, accountId: realm.accountId, format, sample, signal, ...checking };
  const summary = await deps.checkFile(reading).catch((error: unknown) => {
    if (!(error instanceof PackshotError) || error.code !== "not_found") throw error;
    throw noBytesYet();
  });
  const emptiness = emptinessOf(summary, format);
  if (emptiness === undefined) return summary;
  throw new PackshotError("invalid_request", emptiness, { details: { field: "uploadSessionId" } });
}

/** As long as the account's newest edits took, as many at once as its window and the workers have, if nobody else is at work. */
async function estimateSeconds(
  deps: DryRunDeps,
  caller: Caller,
  rowsOfTool: Readonly<Record<ToolId, number>>,
): Promise<number> {
  const wanted = toolIds.filter((tool) => rowsOfTool[tool] > 0);
  const seconds = await Promise.all(
    wanted.map(async (tool) => rowsOfTool[tool] * (await editSeconds(deps, caller, tool))),
  );
  const all = seconds.reduce((sum, ofTool) => sum + ofTool, 0);
  const { concurrentJobs } = caller.account.limits;
  // A worker takes one sandbox job at a time, however many live ones.
  const slots = caller.key.live ? deps.processes.liveSlots() : deps.processes.count("worker") || undefined;
  const atOnce = Math.min(concurrentJobs, slots ?? concurrentJobs);
  return Math.ceil(all / Math.max(1, atOnce));
}

async function editSeconds(deps: DryRunDeps, caller: Caller, tool: ToolId): Promise<number> {
  const filter = { tool, status: "completed", metadata: {} } as const;
  const recent = await listJobs(deps, { realm: realmOf(caller), filter, limit: recentJobsMax }).catch(() => undefined);
  const took = (recent?.jobs ?? []).flatMap((job) =>
    job.status === "completed" && job.startedAt !== null
      ? [(Date.parse(job.finishedAt) - Date.parse(job.startedAt)) / 1000]
      : [],
  );
  return took.length === 0 ? editSecondsDefault : took.reduce((sum, one) => sum + one, 0) / took.length;
}
