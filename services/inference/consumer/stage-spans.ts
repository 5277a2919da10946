import { activeSpan, failSpan, runInSpan, startSpan, type TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import type { ModelClient } from "../model-client/model-client.ts";

/** A span for each stage of a job, one after the other. Stages run in threads that know no spans: they are announced. */
export interface StageSpans {
  /** The stage before ends. */
  enter(stage: string): void;
  /** Runs `act` as a part of the current stage. */
  run<T>(act: () => T): T;
  /** Ends the last stage with `act`. */
  during<T>(act: () => Promise<T>): Promise<T>;
}

const untraced: StageSpans = { enter() {}, run: (act) => act(), during: (act) => act() };

/** The stages of what the active span stands for. */
export function createStageSpans(): StageSpans {
  const parent = activeSpan();
  if (parent === undefined) return untraced;
  let stageSpan: TraceSpan | undefined;
  return {
    enter(stage) {
      stageSpan?.end();
      stageSpan = startSpan(stage, { parent });
    },
    run: (act) => runInSpan(stageSpan ?? parent, act),
    async during(act) {
      try {
        return await act();
      } catch (error) {
        if (stageSpan !== undefined) failSpan(stageSpan, error);
        throw error;
      } finally {
        stageSpan?.end();
      }
    },
  };
}

/** A thread's predictions arrive outside of any span: they belong to the stage that asks for them. */
export function withStageSpans(models: ModelClient, stages: StageSpans): ModelClient {
  if (stages === untraced) return models;
  return {
    describe: (model) => models.describe(model),
    predict: (request) => stages.run(() => models.predict(request)),
  };
}
