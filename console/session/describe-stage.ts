/** What a worker does now, for whoever waits. */

import { labelOfStage } from "@packshot/domain/jobs/stages.ts";
import type { JobProgress } from "@packshot/sdk";

type StageReached = Extract<JobProgress, { readonly kind: "stage" }>;

/** "Decoding the photo"; "Painting the scene, step 2 of 4". */
export function describeStage({ stage, step, steps }: StageReached): string {
  const label = labelOfStage(stage);
  return step === undefined || steps === undefined ? label : `${label}, step ${step} of ${steps}`;
}
