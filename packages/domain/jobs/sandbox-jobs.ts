/**
 * Sandbox jobs are made with a `ps_test_` key. They take the same path as live jobs, except that inference is replaced.
 * `imageUrl` (`https://test.packshot.invalid/…`) or `metadata.test` chooses the outcome, so that an integrator can see
 * every state and every failure.
 */
import { type JobErrorCode, errorCatalog, isJobErrorCode, type ErrorCode } from "../errors.ts";
import type { Job } from "./job.ts";

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
  const instruction = readInstruction(job);
  if (instruction === undefined) return { kind: "completed", processingMs: 0 };
  const [verb, argument = ""] = instruction.split("/", 2);
  if (verb === "failed" && argument in errorCatalog && isJobErrorCode(argument as ErrorCode)) {
    const code = argument as JobErrorCode;
    return { kind: "failed", code, message: `Test: ${errorCatalog[code].meaning}` };
  }
  if (verb === "processing" || verb === "queued") return { kind: verb };
  if (verb === "slow") {
    const seconds = Math.min(slowSecondsMax, Math.max(0, Number(argument) || 1));
    return { kind: "completed", processingMs: seconds * 1000 };
  }
  return { kind: "completed", processingMs: 0 };
}

function readInstruction({ source, metadata }: Pick<Job, "source" | "metadata">): string | undefined {
  if (metadata.test !== undefined) return metadata.test;
  if (source.kind === "url" && source.imageUrl.startsWith(sandboxSourceOrigin)) {
    return source.imageUrl.slice(sandboxSourceOrigin.length).replace(/[?#].*$/, "");
  }
  return undefined;
}
