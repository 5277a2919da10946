/** Readings of what lies elsewhere, taken now and then: a scrape then costs no request to the log. */
import { pause } from "../flow/pause.ts";
import type { Component } from "./component.ts";
import type { Logger } from "../telemetry/logger.ts";

export interface SamplerDeps {
  readonly name: string;
  readonly everyMs: number;
  readonly sample: () => Promise<void>;
  /** Called when a sample failed: old readings must not look like new ones. */
  readonly forget: () => void;
  readonly logger: Logger;
}

export function createSampler({ name, everyMs, sample, forget, logger }: SamplerDeps): Component {
  const stopping = new AbortController();
  let sampling: Promise<void> | undefined;

  function onFailure(error: unknown): void {
    forget();
    logger.debug({ err: error, sample: name }, "not sampled this time");
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sample().catch(onFailure);
      await pause(everyMs, stopping.signal);
    }
  }

  return {
    name,
    async start() {
      sampling ??= repeat();
    },
    async stop() {
      stopping.abort();
      await sampling;
    },
  };
}
