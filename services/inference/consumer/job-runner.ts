/** Runs a claimed job: fetches the source, edits it and stores the files. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef, JobResult, ProcessingJob } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { fetchSource } from "@packshot/platform/outbound/fetch-source.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { EditInput, EditOutput } from "../edits/edit.ts";
import type { ReleaseWhile } from "./worker-slots.ts";
import { isSandboxSource, sandboxPhoto } from "./sandbox-source.ts";
import type { ModelClient } from "../model-client/model-client.ts";
import type { EncodedImage } from "../imaging/codec/encode.ts";

export interface JobRunner {
  /**
   * Resolves with the job's result when its files are stored; throws the error that the job fails with. The runner
   * waits for anything slow inside `releaseWhile`.
   */
  run(
    job: ProcessingJob,
    signal: AbortSignal,
    onStage: (stage: string) => void,
    releaseWhile?: ReleaseWhile,
  ): Promise<JobResult>;
}

export interface JobRunnerDeps {
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

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { storage } = deps;

  async function readSource(job: ProcessingJob, signal: AbortSignal, releaseWhile: ReleaseWhile): Promise<Uint8Array> {
    if (isSandboxSource(job)) return await sandboxPhoto();
    const limits = { bytesMax: job.maxFileSizeBytes };
    if (job.source.kind === "url") {
      const prefetched = await storage.read(storageKeys.source(job.accountId, job.id), limits);
      if (prefetched !== undefined) return prefetched;
    }
    const { source } = job;
    const key =
      source.kind === "url" ? await releaseWhile(() => fetchToStorage(job, source.imageUrl, signal)) : source.file.key;
    const bytes = await storage.read(key, limits);
    if (bytes === undefined) throw new PackshotError("source_unreachable", "The source image is no longer in storage.");
    return bytes;
  }

  /**
   * Writes to storage, not to memory, because many sources are fetched at once by jobs that have released their slots.
   * Resolves with the key.
   */
  async function fetchToStorage(job: ProcessingJob, imageUrl: string, signal: AbortSignal): Promise<string> {
    const limits = { bytesMax: job.maxFileSizeBytes };
    const { stream } = await fetchSource(imageUrl, {
      allow: deps.allowSources,
      ...limits,
      timeoutMs: deps.sourceTimeoutMs,
      signal,
    });
    const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}source`;
    await storage.write(key, stream, limits);
    return key;
  }

  async function store(job: ProcessingJob, name: string, image: EncodedImage): Promise<FileRef> {
    const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}${name}.${extensions[image.contentType] ?? "bin"}`;
    const { bytes } = await storage.write(key, image.bytes, { bytesMax: image.bytes.length });
    return { key, contentType: image.contentType, bytes, width: image.width, height: image.height };
  }

  return {
    async run(job, signal, onStage, releaseWhile = (wait) => wait()) {
      const startedAtMs = performance.now();
      onStage("fetchSource");
      const source = await readSource(job, signal, releaseWhile);
      const fetchMs = performance.now() - startedAtMs;
      const output = await deps.runEdit({
        tool: job.tool,
        source,
        parameters: { ...job.parameters, model: (job.live ? job.parameters.model : undefined) ?? deps.defaultModel },
        tenant: job.accountId,
        deadlineAtMs: Date.parse(job.deadlineAt),
        maxPixels: deps.maxPixels,
        models: deps.models,
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
