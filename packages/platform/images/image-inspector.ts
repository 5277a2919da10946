/**
 * Inspects images in processes of its own. An image comes from anybody, and libvips is native code: a fault in it that an
 * image takes over must not reach the keys of the process that asks (docs/adr/image-inspector.md).
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { pause } from "../flow/pause.ts";
import type { Component } from "../lifecycle/component.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { InspectImage } from "./image-header.ts";
import { type InspectorProcess, startInspectorProcess } from "./inspector-process.ts";
import { type Answer, headerIn, type Question } from "./inspector-protocol.ts";

export interface ImageInspector extends Component {
  /** Resolves when its processes listen. */
  start(): Promise<void>;
  /** As `inspectImage`; also throws `unavailable` when no process is free in time. */
  readonly inspectImage: InspectImage;
  /** Process ids, for tests. */
  readonly pids: () => readonly number[];
}

export interface ImageInspectorDeps {
  /** Of the files that it is asked about by their paths. */
  readonly folder: string;
  readonly logger: Logger;
  readonly answerTimeoutMs?: number;
  /** For tests: the main module of its processes. */
  readonly main?: string;
}

/** So that one hostile image does not hold up the others. */
const processesCount = 2;
/** A header takes a millisecond or two. */
const answerTimeoutMsDefault = 5_000;
/** Each keeps up to 64 KiB of its image in memory. */
const waitingMax = 512;
const waitTimeoutMs = 10_000;
/** The process may have died of something else than the image, so the image is tried once more, in another process. */
const attemptsMax = 2;
const restartWaitFirstMs = 250;
const restartWaitMaxMs = 30_000;

export function createImageInspector(deps: ImageInspectorDeps): ImageInspector {
  const { logger, answerTimeoutMs = answerTimeoutMsDefault } = deps;
  const stopping = new AbortController();
  const processes = new Set<InspectorProcess>();
  const idle: InspectorProcess[] = [];
  const waiting: PromiseWithResolvers<InspectorProcess>[] = [];
  let keeping: Promise<void>[] | undefined;

  function release(process: InspectorProcess): void {
    if (!processes.has(process)) return;
    const next = waiting.shift();
    if (next === undefined) idle.push(process);
    else next.resolve(process);
  }

  async function acquire(): Promise<InspectorProcess> {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (stopping.signal.aborted || waiting.length >= waitingMax) throw noneFree();
    const turn = Promise.withResolvers<InspectorProcess>();
    waiting.push(turn);
    const late = setTimeout(() => {
      const index = waiting.indexOf(turn);
      if (index >= 0) waiting.splice(index, 1);
      turn.reject(noneFree());
    }, waitTimeoutMs);
    return await turn.promise.finally(() => clearTimeout(late));
  }

  /** undefined: the process ended, or was ended, without an answer. */
  async function answerOnce(question: Question): Promise<Answer | undefined> {
    const process = await acquire();
    const late = setTimeout(() => process.kill(), answerTimeoutMs);
    try {
      const answer = await process.ask(question);
      release(process);
      return answer;
    } catch (error) {
      if (!stopping.signal.aborted)
        logger.warn({ err: error, pid: process.pid }, "an image inspector lost its process");
      return undefined;
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
      await pause(Math.min(restartWaitMaxMs, restartWaitFirstMs * 2 ** failedStarts), stopping.signal);
    }
  }

  return {
    name: "image inspector",
    pids: () => [...processes].flatMap(({ pid }) => pid ?? []),
    async inspectImage(source, limits) {
      for (let attempt = 1; attempt <= attemptsMax; attempt++) {
        const answer = await answerOnce({ source, limits });
        if (answer !== undefined) return headerIn(answer);
        if (stopping.signal.aborted) throw noneFree();
      }
      throw new PackshotError("image_unreadable", "The image is damaged: its header cannot be read.");
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
      for (const turn of waiting.splice(0)) turn.reject(noneFree());
      for (const process of processes) process.kill();
      await Promise.all(keeping ?? []);
    },
  };
}

function noneFree(): PackshotError {
  return new PackshotError("unavailable", "No process is free to inspect the image.", { retryAfterSeconds: 1 });
}
