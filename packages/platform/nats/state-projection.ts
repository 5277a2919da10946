/**
 * A projection of records, which lie in several state streams: one projection for each stream. Sequences count within a
 * stream, so that whoever waits for one says whose it is by a subject.
 */
import type { Component } from "../lifecycle/component.ts";
import type { Log } from "./log.ts";
import { createProjection, type ProjectionDeps } from "./projection.ts";

export interface StateProjectionDeps extends Omit<ProjectionDeps, "connection" | "stream"> {
  readonly log: Log;
}

export interface StateProjection extends Component {
  /** Whether it has applied `sequence` of the stream that stores `subject`; waits for that for `timeoutMs`. */
  reached(subject: string, sequence: number, timeoutMs: number): Promise<boolean>;
  /** Whether the view of the stream that stores `subject` does not lag; waits for that for `timeoutMs`. */
  caughtUp(subject: string, timeoutMs: number): Promise<boolean>;
  /** Why the view is behind: see `Projection`. */
  lag(): string | undefined;
  /** Resolves when what was committed to `subject`, which has no wildcard, is applied; rejects after `timeoutMs`. */
  catchUp(subject: string, timeoutMs: number): Promise<void>;
}

export function createStateProjection({ log, ...deps }: StateProjectionDeps): StateProjection {
  const projections = log.stateStreams.map(({ state }) =>
    createProjection({ ...deps, connection: log.connection, stream: state }),
  );
  const projectionOf = (subject: string) => projections[log.streamOf(subject).index]!;
  return {
    name: deps.name,
    async start() {
      await Promise.all(projections.map((projection) => projection.start()));
    },
    async stop() {
      await Promise.all(projections.map((projection) => projection.stop()));
    },
    reached: (subject, sequence, timeoutMs) => projectionOf(subject).reached(sequence, timeoutMs),
    caughtUp: (subject, timeoutMs) => projectionOf(subject).caughtUp(timeoutMs),
    lag: () => projections.map((projection) => projection.lag()).find((reason) => reason !== undefined),
    catchUp: (subject, timeoutMs) => projectionOf(subject).catchUp(timeoutMs, subject),
  };
}
