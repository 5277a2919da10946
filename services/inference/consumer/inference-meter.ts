/** Adds up what the model server computed for one job, whatever becomes of the job. */
import type { ModelClient, Prediction, PredictRequest } from "../model-client/model-client.ts";

/** One prediction. Where the server does not say what it took, all of it counts as computing, of a provider `unknown`. */
export interface Inference {
  readonly modelName: string;
  readonly provider: string;
  /** From the request to the answer, in the worker. */
  readonly totalMs: number;
  /** The whole batch's time. */
  readonly runMs: number;
  /** The job's share of that. */
  readonly shareMs: number;
}

export interface InferenceMeter {
  readonly models: ModelClient;
  /** Shares of all predictions so far. */
  readonly computedMs: number;
}

export function meterInference(models: ModelClient, onInference: (inference: Inference) => void): InferenceMeter {
  let computedMs = 0;

  async function predict(request: PredictRequest): Promise<Prediction> {
    const startedAtMs = performance.now();
    const prediction = await models.predict(request);
    const totalMs = performance.now() - startedAtMs;
    const { runMs, shareMs, provider } = prediction.times ?? { runMs: totalMs, shareMs: totalMs, provider: "unknown" };
    computedMs += shareMs;
    onInference({ modelName: prediction.modelName, provider, totalMs, runMs, shareMs });
    return prediction;
  }

  return {
    models: { describe: models.describe, predict },
    get computedMs() {
      return computedMs;
    },
  };
}
