/** Which image model the model servers have now: a worker's heartbeats name it, and the API takes edits that need one by them. */
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createSampler } from "@packshot/platform/lifecycle/periodic-check.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Painter } from "../model-client/painter.ts";

export interface ImageModelWatch extends Component {
  /** `name@version`; undefined while no server has it. */
  model(): string | undefined;
}

export interface ImageModelWatchDeps {
  readonly painter: Pick<Painter, "describe">;
  readonly everyMs?: number;
  readonly logger: Logger;
}

const everyMsDefault = 2_000;

export function createImageModelWatch(deps: ImageModelWatchDeps): ImageModelWatch {
  const { painter, everyMs = everyMsDefault, logger } = deps;
  let model: string | undefined;

  function note(found: string | undefined): void {
    if (found === model) return;
    if (found === undefined) logger.warn({ imageModel: model }, "no model server has the image model any more");
    else logger.info({ imageModel: found }, "a model server has the image model");
    model = found;
  }

  const sampler = createSampler({
    name: "image model",
    everyMs,
    sample: async () => note((await painter.describe()).model),
    forget: () => note(undefined),
    logger,
  });
  return { ...sampler, model: () => model };
}
