/**
 * Inspects images in processes of its own. An image comes from anybody, and libvips is native code: a fault in it that an
 * image takes over must not reach the keys of the process that asks (docs/adr/0006-image-inspector.md).
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { jitteredBackoffMs, pause } from "../flow/pause.ts";
import type { Component } from "../lifecycle/component.ts";
import type { Logger } from "../telemetry/logger.ts";
import { assertContainerBounded } from "./container-walk.ts";
import type { ImageHeader, InspectImage } from "./image-header.ts";
import { type InspectorProcess, startInspectorProcess } from "./inspector-process.ts";
import { type Answer, headerIn, type Question } from "./inspector-protocol.ts";

/** As `inspectImage`, for one of several who take turns: an account. Also throws `unavailable` when no process is free in time. */
export type InspectImageFor = (holder: string, ...question: Parameters<InspectImage>) => Promise<ImageHeader>;

export interface ImageInspector extends Component {
  /** Resolves when its processes listen. */
  start(): Promise<void>;
  readonly inspectImage: InspectImageFor;
  /** Process ids, for tests. */
  readonly pids: () => readonly number[];
}

export interface ImageInspectorDeps {
  /** Paths to inspect are below this folder. undefined: only bytes are inspected. */
  readonly folder?: string;
  readonly logger: Logger;
  readonly answerTimeoutMs?: number;
  /** For tests: the main module of its processes. */
  readonly main?: string;
}

/** So that one hostile image does not hold up the others. */
const processesCount = 2;
/** One account holds at most so many processes, so that its images do not hold up those of others. */
const heldByOneMax = processesCount - 1;
/** A header takes a millisecond or two. */
const answerTimeoutMsDefault = 5_000;
/** Each keeps up to 64 KiB of its image in memory. */
const waitingMax = 512;
const waitingOfOneMax = 128;
const waitTimeoutMs = 10_000;
/**
 * The process may have died of something else than the image, so the image is tried once more, in another process. One that
 * was late is not: it would hold up a second process for as long.
 */
const attemptsMax = 2;
const restartWaitFirstMs = 250;
const restartWaitMaxMs = 30_000;

type Turn = PromiseWithResolvers<InspectorProcess>;

interface Holder {
  held: number;
  readonly turns: Turn[];
}

/** The cause of `image_unreadable` where no answer is the answer: nobody else should open the image. */
export class ProcessLost extends Error {}

/** late: it was stopped. lost: its process ended by itself. */
type Unanswered = "late" | "lost";

export function createImageInspector(deps: ImageInspectorDeps): ImageInspector {
  const { logger, answerTimeoutMs = answerTimeoutMsDefault } = deps;
  const stopping = new AbortController();
  const processes = new Set<InspectorProcess>();
  const idle: InspectorProcess[] = [];
  /** In the order of their turns. */
  const holders = new Map<string, Holder>();
  let waiting = 0;
  let keeping: Promise<void>[] | undefined;

  /** Gives free processes to those who wait: one each, then the next one each. */
  function assignIdle(): void {
    for (const [name, holder] of holders) {
      const turn = idle.length > 0 && holder.held < heldByOneMax ? holder.turns.shift() : undefined;
      if (turn === undefined) continue;
      holder.held += 1;
      waiting -= 1;
      holders.delete(name);
      holders.set(name, holder);
      turn.resolve(idle.pop()!);
    }
  }

  function release(process: InspectorProcess): void {
    if (!processes.has(process)) return;
    idle.push(process);
    assignIdle();
  }

  /** What `use` makes of a process, once it is the holder's turn. */
  async function inTurn<T>(name: string, use: (process: InspectorProcess) => Promise<T>): Promise<T> {
    const holder = holders.get(name) ?? { held: 0, turns: [] };
    if (stopping.signal.aborted || waiting >= waitingMax || holder.turns.length >= waitingOfOneMax) throw noneFree();
    holders.set(name, holder);
    const turn = Promise.withResolvers<InspectorProcess>();
    holder.turns.push(turn);
    waiting += 1;
    const late = setTimeout(() => leave(holder, turn), waitTimeoutMs);
    assignIdle();
    try {
      const process = await turn.promise.finally(() => clearTimeout(late));
      return await use(process).finally(() => (holder.held -= 1));
    } finally {
      assignIdle();
      if (holder.held === 0 && holder.turns.length === 0) holders.delete(name);
    }
  }

  function leave(holder: Holder, turn: Turn): void {
    const index = holder.turns.indexOf(turn);
    if (index < 0) return;
    holder.turns.splice(index, 1);
    waiting -= 1;
    turn.reject(noneFree());
  }

  async function answerOnce(process: InspectorProcess, question: Question): Promise<Answer | Unanswered> {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      process.kill();
    }, answerTimeoutMs);
    try {
      const answer = await process.ask(question);
      release(process);
      return answer;
    } catch (error) {
      if (!stopping.signal.aborted)
        logger.warn({ err: error, pid: process.pid, isLate }, "an image inspector lost its process");
      return isLate ? "late" : "lost";
    } finally {
      clearTimeout(late);
    }
  }

  /** One process at a time, replaced when it ends. */
  async function keepOne(onStart: (failure: string | undefined) => void): Promise<void> {
    for (let failedStarts = 0; !stopping.signal.aborted; ) {
      const process = startInspectorProcess(deps);
      processes.add(process);
      if (await process.ready) {
        failedStarts = 0;
        onStart(undefined);
        release(process);
      } else failedStarts++;
      const how = await process.ended;
      processes.delete(process);
      const index = idle.indexOf(process);
      if (index >= 0) idle.splice(index, 1);
      if (failedStarts === 0) continue;
      onStart(how);
      if (!stopping.signal.aborted) logger.error({ how }, "an image inspector could not start its process");
      const waitMs = jitteredBackoffMs(failedStarts, { firstMs: restartWaitFirstMs, maxMs: restartWaitMaxMs });
      await pause(waitMs, stopping.signal);
    }
  }

  return {
    name: "image inspector",
    pids: () => [...processes].flatMap(({ pid }) => pid ?? []),
    async inspectImage(holder, source, limits) {
      await assertContainerBounded(source);
      for (let attempt = 1; attempt <= attemptsMax; attempt++) {
        const answer = await inTurn(holder, (process) => answerOnce(process, { source, limits }));
        if (typeof answer === "object") return headerIn(answer);
        if (stopping.signal.aborted) throw noneFree();
        if (answer === "late") break;
      }
      throw new PackshotError("image_unreadable", "The image is damaged: its header cannot be read.", {
        cause: new ProcessLost("the process of an image inspector ended, or was ended, without an answer"),
      });
    },
    async start() {
      const starts = Array.from({ length: processesCount }, () => Promise.withResolvers<void>());
      keeping = starts.map(({ resolve, reject }) =>
        keepOne((failure) => (failure === undefined ? resolve() : reject(new Error(`the image inspector ${failure}`)))),
      );
      await Promise.all(starts.map(({ promise }) => promise));
    },
    async stop() {
      stopping.abort();
      for (const holder of holders.values()) for (const turn of [...holder.turns]) leave(holder, turn);
      for (const process of processes) process.kill();
      await Promise.all(keeping ?? []);
    },
  };
}

function noneFree(): PackshotError {
  return new PackshotError("unavailable", "No process is free to inspect the image.", { retryAfterSeconds: 1 });
}
