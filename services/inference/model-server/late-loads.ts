/** Models whose graph server is away when the model server starts: the other models are served, and these are loaded once it is there. */
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { InferError } from "./infer-error.ts";

interface LateLoads {
  /** Returns false for an error of another kind, which stays as it is. */
  postpone(name: string, error: unknown): boolean;
  /** Nothing is tried again from here on. */
  stop(): void;
}

interface LateLoadsDeps {
  /** Does nothing for a model that is in service meanwhile. */
  readonly load: (name: string) => Promise<void>;
  readonly everyMs?: number | undefined;
  readonly logger: Logger;
}

const everyMsDefault = 10_000;

export function createLateLoads({ load, everyMs = everyMsDefault, logger }: LateLoadsDeps): LateLoads {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loadLater(model: string): Promise<void> {
    for (;;) {
      await pause(everyMs, signal);
      if (signal.aborted) return;
      try {
        return await load(model);
      } catch (error) {
        if (isGraphServerAway(error)) continue;
        return logger.error({ model, err: error }, "the model is not loaded, and not tried again");
      }
    }
  }

  return {
    postpone(model, error) {
      if (signal.aborted || !isGraphServerAway(error)) return false;
      const problem = (error.cause as Error).message;
      logger.error(
        { model, problem, everyMs },
        "the model is not loaded: its graph server is away, and is tried again",
      );
      void loadLater(model);
      return true;
    },
    stop: () => stopping.abort(),
  };
}

function isGraphServerAway(error: unknown): error is InferError {
  return error instanceof InferError && error.status === "UNAVAILABLE" && error.cause instanceof Error;
}
