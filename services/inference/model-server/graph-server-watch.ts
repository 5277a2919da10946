/**
 * Whether another server has all graphs of an image model now. That its process answers says little: Triton lives while it loads a
 * graph or has dropped one. So each graph is asked for by its name, and the model is announced only while all of them are there.
 */
import { graphModelName } from "@packshot/models/pipeline-tensors.ts";
import { createSampler } from "@packshot/platform/lifecycle/periodic-check.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { callUnary, openChannel, statusNameOf } from "../model-client/grpc-channel.ts";

export interface GraphServerWatch {
  isAway(): boolean;
  stop(): Promise<void>;
}

export interface GraphServerWatchDeps {
  readonly address: string;
  /** The image model's name. */
  readonly model: string;
  readonly graphs: readonly string[];
  readonly onChange: () => void;
  readonly everyMs?: number;
  readonly logger: Logger;
}

const everyMsDefault = 2_000;
const timeoutMs = 5_000;
/** A server that is busy may be late once; one that is silent is late again. */
const lateMax = 2;

const isLate = (error: unknown) => statusNameOf(error) === "DEADLINE_EXCEEDED";

/** Its graphs have just been loaded: they are there until an answer says otherwise. */
export async function watchGraphServer(deps: GraphServerWatchDeps): Promise<GraphServerWatch> {
  const { address, model, graphs, onChange, everyMs = everyMsDefault, logger } = deps;
  const { inference, health } = openChannel(address);
  let isAway = false;
  let lateInARow = 0;

  function note(found: boolean): void {
    if (found === isAway) return;
    isAway = found;
    if (found) logger.error({ model, graphServer: address }, "the graph server does not have the model's graphs now");
    else logger.info({ model, graphServer: address }, "the graph server has the model's graphs again");
    onChange();
  }

  const sampler = createSampler({
    name: "graph server",
    everyMs,
    async sample() {
      const ask = (graph: string) =>
        callUnary<{ readonly ready: boolean }>(
          inference,
          "ModelReady",
          { name: graphModelName(model, graph) },
          { deadlineAtMs: Date.now() + timeoutMs },
        );
      const answers = await Promise.allSettled(graphs.map(ask));
      const isDropped = answers.some((answer) => answer.status === "fulfilled" && !answer.value.ready);
      // What one graph says counts, however late another is.
      if (isDropped) note(true);
      const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      const worst = failures.find((error) => !isLate(error)) ?? failures[0];
      if (worst !== undefined) throw worst;
      lateInARow = 0;
      note(isDropped);
    },
    forget(error) {
      lateInARow = isLate(error) ? lateInARow + 1 : lateMax;
      if (lateInARow >= lateMax) note(true);
    },
    logger,
  });
  await sampler.start();
  return {
    isAway: () => isAway,
    async stop() {
      await sampler.stop();
      inference.close();
      health.close();
    },
  };
}
