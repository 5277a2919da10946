/** Looks at a photo for a dry run: it is cut out as by an edit, and nothing but the report is kept. */
import { buffer } from "node:stream/consumers";
import type { LookAnswer, LookFault, LookRequest, PhotoReport } from "@packshot/domain/batches/photo-look.ts";
import { errorCatalog, isJobErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { sandboxOutcome } from "@packshot/domain/jobs/sandbox-outcome.ts";
import { fetchSource } from "@packshot/platform/outbound/fetch-source.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import type { EditInput, EditOutput } from "../edits/edit.ts";
import type { ModelClient } from "../model-client/model-client.ts";
import { shouldRequeue } from "./claims.ts";
import { isSandboxSource, type JobSourceDeps, sandboxPhoto } from "./fetch-job-source.ts";
import { InspectorBusy, type JobRunnerDeps, memoryOf } from "./job-runner.ts";
import { MemoryWaitTimeout } from "./memory-budget.ts";

export interface LookDeps
  extends Omit<JobSourceDeps, "askForLink">,
    Pick<JobRunnerDeps, "inspectImage" | "maxPixels" | "memory" | "defaultModel"> {
  readonly storage: Pick<Storage, "read">;
  readonly models: ModelClient;
  readonly runEdit: (input: EditInput) => Promise<EditOutput>;
}

/** Resolves with whatever comes of it; rejects with nothing. */
export type LookAtPhoto = (request: LookRequest, signal: AbortSignal) => Promise<LookAnswer>;

/** Nobody sees the result: it is as small as may be. */
const output = { format: "jpeg", width: 64 } as const;

/** A slow photo is one for its edit. */
const fetchMsMax = 6_000;

export function createLookAtPhoto(deps: LookDeps): LookAtPhoto {
  async function readPhoto({ live, source, bytesMax }: LookRequest, signal: AbortSignal): Promise<Uint8Array> {
    if (source.kind === "file") {
      const bytes = await deps.storage.read(source.key, { bytesMax });
      if (bytes !== undefined) return bytes;
      throw new PackshotError("source_unreachable", "The source image is no longer in storage.");
    }
    if (isSandboxSource({ live, source: asJobSource(source) })) return await sandboxPhoto();
    const isLink = source.kind === "link";
    const allow = isLink ? deps.allowConnections : deps.allowSources;
    const limits = { allow, bytesMax, timeoutMs: Math.min(fetchMsMax, deps.sourceTimeoutMs), signal };
    const { stream } = await fetchSource(isLink ? source.url : source.imageUrl, limits);
    return await buffer(stream);
  }

  async function look(request: LookRequest, signal: AbortSignal): Promise<PhotoReport> {
    const { accountId, live, deadlineAtMs } = request;
    if (!live) assertSandboxPhoto(request);
    const source = await readPhoto(request, signal);
    const model = (live ? request.parameters.model : undefined) ?? deps.defaultModel;
    const parameters = { ...request.parameters, seed: 1, model, output };
    const { bytes, pixels } = await memoryOf(deps, { tool: "mask", parameters, accountId }, { source });
    const release = await deps.memory.reserve({ bytes, signal, onWait() {} });
    try {
      const { report } = await deps.runEdit({
        tool: "mask",
        source,
        parameters,
        tenant: accountId,
        deadlineAtMs,
        maxPixels: deps.maxPixels,
        largestPixels: pixels,
        models: deps.models,
        signal,
        onStage() {},
      });
      const { quality, reasons, source: measures } = report as unknown as PhotoReport;
      return { quality, reasons, source: measures };
    } finally {
      release();
    }
  }

  return async (request, signal) => {
    try {
      return { report: await look(request, signal) };
    } catch (error) {
      return signal.aborted ? { unseen: notLooked } : answerOf(error);
    }
  };
}

const notLooked: LookFault = { code: "unavailable", message: "No worker could look at the photo in time." };

/** `error`: why its job would fail. What may pass by itself says nothing of the photo, unless it is the photo's own server. */
function answerOf(error: unknown): LookAnswer {
  if (error instanceof InspectorBusy || error instanceof MemoryWaitTimeout) return { unseen: notLooked };
  if (toInfrastructureFault(error) !== undefined) return { unseen: notLooked };
  if (!(error instanceof PackshotError) || !isJobErrorCode(error.code)) return { unseen: notLooked };
  const { code, message } = error;
  const mayPass = errorCatalog[code].retryable || shouldRequeue(error);
  const isOurs = mayPass && code !== "source_unreachable";
  return isOurs ? { unseen: { code, message } } : { error: { code, message } };
}

function asJobSource(source: Exclude<LookRequest["source"], { kind: "file" }>) {
  return { kind: "url", imageUrl: source.kind === "link" ? source.url : source.imageUrl } as const;
}

/** A test photo that asks for a failure would fail. @throws PackshotError */
function assertSandboxPhoto({ source }: LookRequest): void {
  if (source.kind !== "url") return;
  const outcome = sandboxOutcome({ source, metadata: {} });
  if (outcome.kind === "failed") throw new PackshotError(outcome.code, outcome.message);
}
