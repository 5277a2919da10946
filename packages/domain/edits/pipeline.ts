import { clipName, PackshotError } from "../errors.ts";

/**
 * The version of everything that makes a result of a photo: the code of this release, and after `+` the bundled weights. Equal
 * versions give equal bytes for the same photo, parameters, seed and model, where model servers compute in the same precision.
 *
 * `services/inference/edits/tools/pipeline-record.spec.ts` fails when a change gives other bytes and this stays as it is.
 */
export const pipelineVersion = "0.2.57+0.15.0";

export const pipelineParameter = {
  type: "string",
  pattern: "^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}\\+[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}$",
  examples: [pipelineVersion],
  description:
    "Runs the edit by this version of the whole pipeline only, as an earlier job shows it in `pipeline`: results look as they did then. Each tool's `pipelines` lists what runs now; where no running worker has it, the edit is refused with `pipeline_not_available`, and no other version takes its place. Default: that of the worker that takes the job.",
} as const;

/** Throws `pipeline_not_available` unless a running worker has the version that is wanted, or none is. */
export function assertPipeline(running: readonly string[], wanted: string | undefined): void {
  if (wanted === undefined || running.includes(wanted)) return;
  const known = running.length === 0 ? "no worker runs now" : `running: ${running.join(", ")}`;
  throw new PackshotError(
    "pipeline_not_available",
    `No running worker has the pipeline "${clipName(wanted)}"; ${known}. Leave out "parameters.pipeline" to take what runs.`,
    { details: { field: "parameters.pipeline", running } },
  );
}
