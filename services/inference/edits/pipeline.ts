/**
 * Pipelines: lists of stages that run one after another on a context. Every stage reads what the stages before it have
 * added, and adds its own. Stages are announced and timed, and between two of them a cancelled edit stops.
 */

import type { EditInput } from "./edit.ts";

export interface Stage<Reads, Adds extends object> {
  /** The stage's key in a job's `timings`. */
  readonly name: string;
  readonly run: (context: Reads) => Promise<Adds>;
}

/** The context after all stages; `never` where a stage reads what no stage before it adds, so that nothing compiles. */
export type ContextAfter<Context, Stages> = Stages extends readonly [infer First, ...infer Rest]
  ? First extends Stage<infer Reads, infer Adds>
    ? Context extends Reads
      ? ContextAfter<Context & Adds, Rest>
      : never
    : never
  : Context;

/** What a pipeline reports to: a stage's name before the stage runs, and an abort between two stages. */
type PipelineInput = Pick<EditInput, "signal" | "onStage">;

export interface Timings {
  /** Milliseconds by stage, in the order of the stages; `scene.paint` is the part `paint` of the stage `scene`. */
  readonly timings: Readonly<Record<string, number>>;
}

/**
 * A stage may run a pipeline of its own, and adds its `timings`, which are told as parts of the stage.
 *
 * @throws the signal's reason when the edit was cancelled, else what a stage throws
 */
export async function runStages<
  Start extends { readonly input: PipelineInput },
  const Stages extends readonly Stage<never, object>[],
>(stages: Stages, start: Start): Promise<ContextAfter<Start, Stages> & Timings> {
  const { signal, onStage } = start.input;
  // A pipeline may go on from the context of another.
  const timings: Record<string, number> = { ...(start as Partial<Timings>).timings };
  let context: object = start;
  for (const { name, run } of stages) {
    // Stages hold the thread: the event loop must turn once for a cancellation to arrive.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    onStage(name);
    const startedAt = performance.now();
    const { timings: parts = {}, ...added } = (await run(context as never)) as object & Partial<Timings>;
    context = { ...context, ...added };
    timings[name] = Math.round(performance.now() - startedAt);
    for (const [part, ms] of Object.entries(parts)) timings[`${name}.${part}`] = ms;
  }
  return { ...context, timings } as ContextAfter<Start, Stages> & Timings;
}
