/** From a claimed job to its outcome: fetch the source, edit, store the files, finish; what another outcome needs is undone. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef, JobResult, ProcessingJob } from "@packshot/domain/job.ts";
import { files } from "@packshot/domain/subjects.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { fetchSource } from "@packshot/platform/outbound/guarded-fetch.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { EditInput, EditOutput, EncodedPicture } from "../edits/edit.ts";
import type { Lend } from "./places.ts";
import { isTestSource, testPicture } from "./test-job.ts";
import type { ModelClient } from "../model-client/predict.ts";

export interface JobRunner {
  /**
   * Resolves with what the job made, its files stored; throws what the job fails with. While it only waits it offers its
   * place to `lend`.
   */
  run(job: ProcessingJob, signal: AbortSignal, onStage: (stage: string) => void, lend?: Lend): Promise<JobResult>;
}

export interface JobRunnerParts {
  readonly storage: Storage;
  readonly models: ModelClient;
  readonly runEdit: (input: EditInput) => Promise<EditOutput>;
  readonly allowSources: AllowList;
  readonly sourceTimeoutMs: number;
  readonly maxPixels: number;
  readonly defaultModel: string;
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/avif": "avif",
};

export function createJobRunner(parts: JobRunnerParts): JobRunner {
  const { storage } = parts;

  async function sourceOf(job: ProcessingJob, signal: AbortSignal, lend: Lend): Promise<Uint8Array> {
    if (isTestSource(job)) return await testPicture();
    const limits = { bytesMax: job.maxFileSizeBytes };
    if (job.source.kind === "url") {
      const fetchedEarly = await storage.read(files.source(job.accountId, job.id), limits);
      if (fetchedEarly !== undefined) return fetchedEarly;
    }
    const { source } = job;
    const key = source.kind === "url" ? await lend(() => fetchInto(job, source.imageUrl, signal)) : source.file.key;
    const bytes = await storage.read(key, limits);
    if (bytes === undefined)
      throw new PackshotError("source_unreachable", "The source picture is no longer in storage.");
    return bytes;
  }

  /** Into storage, not memory: many may be fetched at once by jobs that have lent their places. Resolves with the key. */
  async function fetchInto(job: ProcessingJob, imageUrl: string, signal: AbortSignal): Promise<string> {
    const limits = { bytesMax: job.maxFileSizeBytes };
    const { stream } = await fetchSource(imageUrl, {
      allow: parts.allowSources,
      ...limits,
      timeoutMs: parts.sourceTimeoutMs,
      signal,
    });
    const key = `${files.attempt(job.accountId, job.id, job.attemptId)}source`;
    await storage.write(key, stream, limits);
    return key;
  }

  async function store(job: ProcessingJob, name: string, picture: EncodedPicture): Promise<FileRef> {
    const key = `${files.attempt(job.accountId, job.id, job.attemptId)}${name}.${extensions[picture.contentType] ?? "bin"}`;
    const { bytes } = await storage.write(key, picture.bytes, { bytesMax: picture.bytes.length });
    return { key, contentType: picture.contentType, bytes, width: picture.width, height: picture.height };
  }

  return {
    async run(job, signal, onStage, lend = (wait) => wait()) {
      const startedAtMs = performance.now();
      onStage("fetchSource");
      const source = await sourceOf(job, signal, lend);
      const fetchMs = performance.now() - startedAtMs;
      const output = await parts.runEdit({
        tool: job.tool,
        source,
        parameters: { ...job.parameters, model: (job.live ? job.parameters.model : undefined) ?? parts.defaultModel },
        tenant: job.accountId,
        deadlineAtMs: Date.parse(job.deadlineAt),
        maxPixels: parts.maxPixels,
        models: parts.models,
        signal,
        onStage,
      });
      signal.throwIfAborted();
      onStage("storeResult");
      const storeStartedMs = performance.now();
      const [result, thumbnail] = await Promise.all([
        store(job, "result", output.result),
        store(job, "thumbnail", output.thumbnail),
      ]);
      const timings = {
        fetchSource: Math.round(fetchMs),
        ...output.timings,
        storeResult: Math.round(performance.now() - storeStartedMs),
        total: Math.round(performance.now() - startedAtMs),
      };
      return { result, thumbnail, model: output.model, report: output.report, timings };
    },
  };
}
