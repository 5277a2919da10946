/**
 * Runs edits in worker threads. Composing and encoding hold a core for a second and more; meanwhile the main thread
 * must extend its claims and serve its connections. A thread runs one edit at a time. A thread that dies, that holds a
 * stage for too long, or that does not answer an abort is ended and replaced, and its edit is lost. The attempt counts,
 * because the photo may be the reason. The time that a stage waits for the model does not count. Native code cannot be
 * interrupted: when it holds an ended thread for a minute, the worker requeues its other jobs and exits, to be started anew.
 *
 * One thread is started at once, so that the first edit need not wait for it; another one when an edit finds none free. A
 * thread takes a quarter of a second of processor time to start and 20 MB of memory, and few workers use all of theirs at rest.
 */
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { Counter } from "prom-client";
import type { Cage } from "../../decoder/cage.ts";
import { type LossCause, tryCage } from "../../decoder/decoder-process.ts";
import { relayDecoders } from "../../decoder/decoder-relay.ts";
import type { EditInput, EditOutput } from "../edit.ts";
import type { EditThreadData, MessageFromThread } from "./edit-thread-messages.ts";
import { patienceFor, runOnThread, type ThreadLimits, type ThreadLoss } from "./run-on-thread.ts";

export interface EditPool extends Component {
  /** Throws what the edit throws, the signal's reason when it was aborted, and `EditThreadLost`. */
  runEdit(input: EditInput): Promise<EditOutput>;
  /** Starts a process that decodes, where threads have one, and ends it. Rejects where it does not start. */
  tryDecoder(): Promise<void>;
  /** Native code holds an ended thread: `process.exit` would wait for it, perhaps forever. */
  readonly hasStuckThreads: boolean;
}

export interface EditPoolDeps extends Partial<ThreadLimits> {
  /** How many edits run at once at most; further edits are queued for a free thread. */
  readonly threads: number;
  readonly threadHeapMbMax?: number;
  /** Called at the start. In the cage each thread has a process that decodes; without one, threads decode by themselves. */
  readonly openCage?: () => Promise<Cage | undefined>;
  /** Signals of a terminal and of service managers go to decoders, too: one that ends from then on is not lost, only logged. */
  readonly isStopping?: () => boolean;
  /** How long an ended thread may take to exit. */
  readonly exitTimeoutMs?: number;
  /** Called when an ended thread does not exit: it keeps one of the few threads that the process has for files. */
  readonly onStuckThread?: () => void;
  readonly metrics?: Metrics;
  readonly logger: Logger;
  /** For tests: replaces the module that a thread runs. */
  readonly threadModule?: URL;
}

/** Measured: the longest stage of a photo of 100 MP takes 3.6 s on a core of its own; encoding a large result may take more. */
const stageTimeoutMsDefault = 60_000;
/** An edit answers an abort between two stages. */
const abortGraceMsDefault = 5_000;
/** Pixels lie outside of this heap, so photos of 100 MP have room. Without a limit a thread could take all memory. */
const threadHeapMbMaxDefault = 1_024;
/** An ended thread exits when its native code returns: an encoder may take this long, and longer for a large image. */
const exitTimeoutMsDefault = 60_000;
const stopTimeoutMs = 5_000;
/** A thread that dies without an edit could not start: the next one would probably die, too. */
const idleDeathPauseMs = 1_000;

interface Waiter {
  readonly take: (thread: Worker) => void;
}

export function createEditPool(deps: EditPoolDeps): EditPool {
  const { threads, logger, threadHeapMbMax = threadHeapMbMaxDefault } = deps;
  const { stageTimeoutMs = stageTimeoutMsDefault, abortGraceMs = abortGraceMsDefault } = deps;
  const { exitTimeoutMs = exitTimeoutMsDefault, isStopping = () => false } = deps;
  const threadModule = deps.threadModule ?? new URL("./edit-thread.ts", import.meta.url);
  const idle: Worker[] = [];
  /** Threads that the pool has ended are not among them, even before they exit. */
  const all = new Set<Worker>();
  const ended = new Set<Worker>();
  const queue: Waiter[] = [];
  const onLost = countLostThreads(deps);
  const onDecoderLost = countLostDecoders(deps);
  let cage: Cage | undefined;
  /** Threads that died idle, and whose successors wait. */
  let pausedStarts = 0;
  let stopped = false;

  function startThread(): Worker {
    const decoders = cage && portToDecoders(cage);
    const workerData: EditThreadData = {
      decoders,
      decodeTimeoutMs: stageTimeoutMs / 2,
      startTimeoutMs: stageTimeoutMs / 3,
    };
    const thread = new Worker(threadModule, {
      workerData,
      transferList: decoders === undefined ? [] : [decoders],
      resourceLimits: { maxOldGenerationSizeMb: threadHeapMbMax },
    });
    all.add(thread);
    thread.on("error", (error) => logger.error({ err: error }, "an edit thread died"));
    thread.on("message", (message: MessageFromThread) => {
      if (message.kind !== "decoder-lost") return;
      const { cause, how } = message;
      if (stopped || isStopping()) logger.info({ cause, how }, "a decoder ended while the worker stops");
      else onDecoderLost(cause, how);
    });
    thread.once("exit", () => {
      const index = idle.indexOf(thread);
      if (index < 0) return;
      idle.splice(index, 1);
      all.delete(thread);
      pausedStarts += 1;
      setTimeout(() => {
        pausedStarts -= 1;
        if (!stopped) release(startThread());
      }, idleDeathPauseMs).unref();
    });
    return thread;
  }

  function release(thread: Worker): void {
    const next = queue.shift();
    if (next === undefined) idle.push(thread);
    else next.take(thread);
  }

  /** The slot does not wait until the thread has exited, because native code can delay that. */
  function replace(thread: Worker, loss: ThreadLoss, patience: number): void {
    all.delete(thread);
    onLost(loss);
    end(thread, exitTimeoutMs * patience);
    if (!stopped) release(startThread());
  }

  function end(thread: Worker, timeoutMs = exitTimeoutMs): void {
    ended.add(thread);
    const timer = setTimeout(() => {
      logger.fatal({ exitTimeoutMs: timeoutMs }, "native code holds an ended edit thread");
      deps.onStuckThread?.();
    }, timeoutMs);
    void thread.terminate().then(() => {
      clearTimeout(timer);
      ended.delete(thread);
    });
  }

  function acquire(signal: AbortSignal): Promise<Worker> {
    const thread = idle.pop();
    if (thread !== undefined) return Promise.resolve(thread);
    if (!stopped && all.size + pausedStarts < threads) return Promise.resolve(startThread());
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        take(thread) {
          signal.removeEventListener("abort", onAbort);
          resolve(thread);
        },
      };
      queue.push(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  return {
    name: "edit threads",
    get hasStuckThreads() {
      return ended.size > 0;
    },
    async start() {
      cage = await deps.openCage?.();
      release(startThread());
    },
    async tryDecoder() {
      if (cage !== undefined) await tryCage(cage, stageTimeoutMs / 3);
    },
    async stop() {
      stopped = true;
      for (const thread of all) end(thread);
      await Promise.race([
        Promise.all([...ended].map((thread) => thread.terminate())),
        delay(stopTimeoutMs, undefined, { ref: false }),
      ]);
    },
    async runEdit(input) {
      input.signal.throwIfAborted();
      const thread = await acquire(input.signal);
      const patience = patienceFor(input);
      const limits = { stageTimeoutMs: Math.round(stageTimeoutMs * patience), abortGraceMs };
      const { output, loss } = await runOnThread(thread, input, limits);
      if (loss === undefined) release(thread);
      else replace(thread, loss, patience);
      return await output;
    },
  };
}

/** The thread's end of a port. */
function portToDecoders(cage: Cage): MessagePort {
  const { port1, port2 } = new MessageChannel();
  relayDecoders(port1, cage);
  return port2;
}

function countLostThreads({ metrics, logger }: EditPoolDeps): (loss: ThreadLoss) => void {
  const lost =
    metrics &&
    new Counter({
      name: "packshot_worker_edit_threads_lost_total",
      help: "Edit threads that died or were ended, by reason: died, stage_timeout, abort_timeout.",
      labelNames: ["reason"],
      registers: [metrics.registry],
    });
  return ({ reason, stage }) => {
    lost?.inc({ reason });
    logger.error({ reason, stage }, "an edit thread is replaced");
  };
}

function countLostDecoders({ metrics, logger }: EditPoolDeps): (cause: LossCause, how: string) => void {
  const lost =
    metrics &&
    new Counter({
      name: "packshot_worker_decoders_lost_total",
      help: "Processes of decoders that were lost, by cause: crash, memory, killed, timeout, protocol, start.",
      labelNames: ["cause"],
      registers: [metrics.registry],
    });
  return (cause, how) => {
    lost?.inc({ cause });
    logger.warn({ cause, how }, "a decoder was lost and is replaced");
  };
}
