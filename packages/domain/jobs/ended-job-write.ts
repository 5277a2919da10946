import { subjects } from "../subjects.ts";
import type { Write } from "../write.ts";
import type { EndedJob } from "./job.ts";

/** The record of an ended job that was changed. It expires when it would have: a change prolongs nothing. */
export function endedJobWrite(
  job: EndedJob,
  { expected, nowMs }: { readonly expected: number; readonly nowMs: number },
): Write {
  const ttlSeconds = Math.max(1, Math.ceil((Date.parse(job.expiresAt) - nowMs) / 1000));
  return { subject: subjects.job(job.accountId, job.id), value: job, expected, ttlSeconds };
}
