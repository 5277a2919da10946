import type { Job, JobSource } from "@packshot/domain/job.ts";
import type { NewEdit } from "./create-edit.ts";
import type { EditSource } from "./store-source.ts";

/** The edit that a job ran, to be run again: with its seed, and with its model once it has completed. */
export function editOfJob(job: Job): NewEdit {
  const { id, tool, parameters, metadata, destination, background } = job;
  return {
    ...{ tool, parameters, metadata, source: sourceOfJob(id, job.source) },
    ...(background === undefined ? {} : { background: sourceOfJob(id, background) }),
    ...(destination === undefined ? {} : { destination }),
  };
}

function sourceOfJob(jobId: string, source: JobSource): EditSource {
  return source.kind === "url" ? source : { kind: "job", jobId, file: source.file };
}
