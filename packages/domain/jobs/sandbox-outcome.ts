/**
 * Sandbox jobs are made with a `ps_test_` key. They take the same path as live jobs, except that inference is replaced.
 * `imageUrl` (`https://test.packshot.invalid/…`) or `metadata.test` chooses the outcome, so that an integrator can see
 * every state and every failure.
 */
import { clipName, type ErrorCode, errorCatalog, isJobErrorCode, type JobErrorCode } from "../errors.ts";
import type { Job, JobSource, Metadata } from "./job.ts";

export type SandboxOutcome =
  /** After `processingMs` of processing. */
  | { readonly kind: "completed"; readonly processingMs: number }
  | { readonly kind: "failed"; readonly code: JobErrorCode; readonly message: string }
  /** The worker keeps its claim until the job is aborted or its deadline passes. */
  | { readonly kind: "processing" }
  /** The worker acks the message and leaves the job as it is, until the client cancels it. */
  | { readonly kind: "queued" };

export const sandboxSourceOrigin = "https://test.packshot.invalid/";
const slowSecondsMax = 120;

export function sandboxOutcome(job: Pick<Job, "source" | "metadata">): SandboxOutcome {
  const instruction = readInstruction(imageUrlOf(job.source), job.metadata);
  if (instruction === undefined) return { kind: "completed", processingMs: 0 };
  const [verb, argument = ""] = instruction.split("/", 2);
  const code = verb === "failed" ? jobErrorCodes.find((known) => known === argument) : undefined;
  if (code !== undefined) return { kind: "failed", code, message: `Test: ${errorCatalog[code].meaning}` };
  if (verb === "processing" || verb === "queued") return { kind: verb };
  if (verb === "slow") {
    const seconds = Math.min(slowSecondsMax, Math.max(0, Number(argument) || 1));
    return { kind: "completed", processingMs: seconds * 1000 };
  }
  return { kind: "completed", processingMs: 0 };
}

const jobErrorCodes = (Object.keys(errorCatalog) as ErrorCode[]).filter(isJobErrorCode);

/**
 * What is wrong with a test edit that asks for a failure: it would complete if no job fails with that code, and a test of error
 * handling would pass for a wrong reason. undefined: nothing.
 */
export function sandboxProblem(
  imageUrl: string | undefined,
  metadata: Metadata,
): { readonly field: string; readonly message: string } | undefined {
  const [verb, argument = ""] = readInstruction(imageUrl, metadata)?.split("/", 2) ?? [];
  if (verb !== "failed" || jobErrorCodes.some((known) => known === argument)) return undefined;
  const field = metadata.test === undefined ? "imageUrl" : "metadata.test";
  const codes = jobErrorCodes.join(", ");
  return { field, message: `"${field}": no job fails with "${clipName(argument)}"; the codes are ${codes}.` };
}

function imageUrlOf(source: JobSource): string | undefined {
  return source.kind === "url" ? source.imageUrl : undefined;
}

function readInstruction(imageUrl: string | undefined, metadata: Metadata): string | undefined {
  if (metadata.test !== undefined) return metadata.test;
  if (imageUrl === undefined || !imageUrl.startsWith(sandboxSourceOrigin)) return undefined;
  return imageUrl.slice(sandboxSourceOrigin.length).replace(/[?#].*$/, "");
}
