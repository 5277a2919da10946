/** A job as it goes on, by its event stream, which fetch reads so that the key stays in a header. */

import type { Job, PackshotError } from "@packshot/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { describeStage } from "./describe-stage.ts";
import { readAccountAgain } from "./read.ts";
import { useApi } from "./session.tsx";

export interface JobState {
  readonly job?: Job;
  /** How many of the account's queued jobs are before this one. */
  readonly position?: number;
  /** What a worker does now, in words. */
  readonly stage?: string;
  readonly error?: PackshotError;
}

/** undefined: no job to follow. It stops with the component, and leaves the job as it is. */
export function useJobProgress(jobId: string | undefined): JobState {
  const api = useApi();
  const queries = useQueryClient();
  const [state, setState] = useState<JobState>({});
  useEffect(() => {
    setState({});
    if (jobId === undefined) return;
    const stop = new AbortController();
    const merge = (change: JobState) => !stop.signal.aborted && setState((state) => ({ ...state, ...change }));
    api.packshot.jobs
      .wait(jobId, {
        signal: stop.signal,
        onProgress(progress) {
          if (progress.kind === "job") merge({ job: progress.job });
          if (progress.kind === "position") merge({ position: progress.position });
          if (progress.kind === "stage") merge({ stage: describeStage(progress) });
        },
      })
      .then(
        (job) => {
          merge({ job });
          readAccountAgain(queries);
        },
        (error) => merge({ error }),
      );
    return () => stop.abort();
  }, [api, queries, jobId]);
  return state;
}
