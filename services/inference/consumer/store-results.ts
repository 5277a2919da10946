/** What a job has beside its first result: variations, further files of `outputs`, and layers. */
import type { Check } from "@packshot/domain/edits/edit-report.ts";
import { variationName } from "@packshot/domain/edits/tools.ts";
import { toJobError } from "@packshot/domain/errors.ts";
import {
  type FailedResult,
  type FileRef,
  firstOutputName,
  type JobResult,
  type ProcessingJob,
  type ResultFile,
} from "@packshot/domain/jobs/job.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import { type EditOutput, variationSeed } from "../edits/edit.ts";
import { deserializeError } from "../edits/serialized-error.ts";
import type { EncodedImage } from "../imaging/codec/encode.ts";

type Store = (job: ProcessingJob, name: string, image: EncodedImage) => Promise<Required<FileRef>>;

/** One after the other: each is as large as the first. */
export async function storeFurther(job: ProcessingJob, output: EditOutput, store: Store): Promise<ResultFile[]> {
  const { variations = [], outputs = [] } = output;
  const stored: ResultFile[] = [];
  for (const [index, { image, report }] of variations.entries()) {
    const name = variationName(index + 2);
    const seed = variationSeed(job.parameters.seed, index + 1);
    stored.push({ ...(await store(job, name, image)), name, seed, report });
  }
  for (const [index, file] of outputs.entries()) {
    if (!("image" in file)) continue;
    const { name, image, report } = file;
    // A name of the client's may be that of another file of the job: its number is none.
    const ref = await store(job, `output-${index + 2}`, image);
    stored.push({ ...ref, name, ...checksOf(report), report });
  }
  return stored;
}

/** One after the other, because each is as large as the result. */
export async function storeLayers(
  job: ProcessingJob,
  { layers = [] }: EditOutput,
  store: Store,
): Promise<ResultFile[]> {
  const stored: ResultFile[] = [];
  for (const { name, image } of layers) stored.push({ ...(await store(job, `layer-${name}`, image)), name });
  return stored;
}

interface StoredResults {
  readonly result: Required<FileRef>;
  readonly further: readonly ResultFile[];
}

/** `result` is the first of them, under its own name, too. */
export function namedResults(
  job: ProcessingJob,
  { report }: EditOutput,
  { result, further }: StoredResults,
): Pick<JobResult, "results"> {
  const name = firstOutputName(job);
  if (name !== undefined) return { results: [{ ...result, name, ...checksOf(report) }, ...further] };
  const { seed } = job.parameters;
  return further.length === 0 ? {} : { results: [{ ...result, name: variationName(1), seed }, ...further] };
}

/**
 * Files that could not be drawn.
 *
 * @param onFault told of those that failed by a fault of ours
 * @throws what is a fault of the machine: the whole job is then tried again
 */
export function failedResults(
  { outputs = [] }: EditOutput,
  onFault: (error: unknown, name: string) => void,
): Pick<JobResult, "failedResults"> {
  const failed: FailedResult[] = [];
  for (const file of outputs) {
    if ("image" in file) continue;
    const { name, position } = file;
    const cause = deserializeError(file.cause);
    if (toInfrastructureFault(cause) !== undefined) throw cause;
    const error = toJobError(cause);
    if (error.code === "internal_error") onFault(cause, name);
    failed.push({ name, position, error });
  }
  return failed.length === 0 ? {} : { failedResults: failed };
}

function checksOf({ checks }: EditOutput["report"]): { readonly checks?: readonly Check[] } {
  return checks === undefined ? {} : { checks: checks as readonly Check[] };
}
