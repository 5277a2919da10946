import { pause } from "../flow/pause.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Component } from "./component.ts";

/** Tries something outside again and again, so that a health probe is answered at once from what was found last. */
export interface PeriodicCheck extends Component {
  /** Why it does not work; undefined when it does. */
  reason(): string | undefined;
  /** How long it has not worked; 0 while it works. */
  failingForMs(): number;
}

export interface PeriodicCheckDeps {
  readonly name: string;
  readonly everyMs: number;
  /** An attempt that takes longer counts as failed until it ends. */
  readonly timeoutMs: number;
  /** Rejects with why it does not work. */
  readonly attempt: () => Promise<void>;
  readonly logger: Logger;
}

export function createPeriodicCheck({ name, everyMs, timeoutMs, attempt, logger }: PeriodicCheckDeps): PeriodicCheck {
  const stopping = new AbortController();
  let reason: string | undefined = "not tried yet";
  let failingSinceMs: number | undefined;
  let checking: Promise<void> | undefined;

  function record(found: string | undefined): void {
    if (found === undefined && failingSinceMs !== undefined) logger.info({ check: name }, `${name} works again`);
    if (found !== undefined && failingSinceMs === undefined) logger.warn({ check: name }, `not ready: ${found}`);
    reason = found;
    failingSinceMs = found === undefined ? undefined : (failingSinceMs ?? performance.now());
  }

  async function tryOnce(): Promise<void> {
    const late = setTimeout(() => record(`${name} has not answered for ${timeoutMs} ms`), timeoutMs);
    try {
      await attempt();
      record(undefined);
    } catch (error) {
      record(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(late);
    }
  }

  /** One attempt at a time: what hangs must not pile up. */
  async function tryAgainAndAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, stopping.signal);
      if (!stopping.signal.aborted) await tryOnce();
    }
  }

  return {
    name: `${name} check`,
    reason: () => reason,
    failingForMs: () => (failingSinceMs === undefined ? 0 : performance.now() - failingSinceMs),
    async start() {
      const first = tryOnce();
      checking ??= first.then(tryAgainAndAgain);
      await Promise.race([first, pause(timeoutMs, stopping.signal)]);
    },
    async stop() {
      stopping.abort();
      // An attempt that hangs must not hold up the stop.
      await Promise.race([checking, pause(timeoutMs, new AbortController().signal)]);
    },
  };
}

/** Readings of what lies elsewhere, taken now and then: a scrape then costs no request to the log. */
export interface SamplerDeps {
  readonly name: string;
  readonly everyMs: number;
  readonly sample: () => Promise<void>;
  /** Called with why a sample failed: old readings must not look like new ones. */
  readonly forget: (error: unknown) => void;
  readonly logger: Logger;
}

export function createSampler({ name, everyMs, sample, forget, logger }: SamplerDeps): Component {
  const stopping = new AbortController();
  let sampling: Promise<void> | undefined;

  function onFailure(error: unknown): void {
    forget(error);
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
