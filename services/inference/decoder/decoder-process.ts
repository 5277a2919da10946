/** One process in a cage that decodes, one question at a time. */

import { closeSync, ftruncateSync, openSync } from "node:fs";
import { decoderFaultCodes } from "@packshot/service/infrastructure-fault.ts";
import type { Cage } from "./cage.ts";
import { type DecoderEnd, type StartDecoderChild, spawnDecoder } from "./decoder-child.ts";
import {
  type Answer,
  answerCharactersMax,
  ProtocolError,
  type Question,
  readAnswer,
  readWhole,
  readyLine,
  sharedFile,
  writeWhole,
} from "./decoder-protocol.ts";

/**
 * Why a process was lost: `memory` where it reached the limit of its cage, `killed` where somebody else ended it (the kernel, when
 * the machine's memory is short), `protocol` where it said what no decoder says.
 */
export type LossCause = "crash" | "memory" | "killed" | "timeout" | "protocol" | "start";

/** The photo may be the reason, or the machine: it is tried again, so often and no more. */
const trialCauses: readonly LossCause[] = ["killed", "timeout"];

export class DecoderLost extends Error {
  readonly lossCause: LossCause;
  /** By which a fault of the machine is known, whatever threads the error has crossed. */
  readonly code: (typeof decoderFaultCodes)[keyof typeof decoderFaultCodes] | undefined;

  constructor(lossCause: LossCause, how: string) {
    super(how);
    this.name = "DecoderLost";
    this.lossCause = lossCause;
    if (lossCause === "start") this.code = decoderFaultCodes.start;
    else if (trialCauses.includes(lossCause)) this.code = decoderFaultCodes.lost;
  }
}

export interface DecoderProcess {
  readonly pid: number | undefined;
  readonly hasEnded: boolean;
  /** Rejects with `DecoderLost` where the process ended before it listened. */
  readonly ready: Promise<void>;
  /** Resolves with how it ended, once it has. */
  readonly ended: Promise<DecoderLost>;
  /** Sends a file. Rejects with `DecoderLost`. */
  ask(question: Question, file: Uint8Array, timeoutMs: number): Promise<Answer>;
  /** Reads what an answer has left in the shared file. */
  read(length: number, position: number): Buffer;
  /** Frees what the shared file holds beyond what the next photo takes again. */
  clear(): void;
  kill(cause: LossCause, problem: string): void;
}

/** As the launcher says it. */
const sharedNotice = `packshot-cage: shared ${sharedFile}`;
/** A photo of 10 megapixels: the kernel takes its time to give pages back and to find others. */
const keptSharedBytes = 32 * 1024 * 1024;

export function startDecoderProcess(startChild: StartDecoderChild, startTimeoutMs: number): DecoderProcess {
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  let pid: number | undefined;
  let received = "";
  let isReady = false;
  let isOver = false;
  let shared: number | undefined;
  let asked: PromiseWithResolvers<Answer> | undefined;
  let killed: DecoderLost | undefined;

  function kill(cause: LossCause, problem: string): void {
    killed ??= new DecoderLost(cause, problem);
    child.kill();
  }

  function take(line: string): void {
    if (shared === undefined && line === sharedNotice) {
      shared = openSync(`/proc/${pid}/fd/${sharedFile}`, "r+");
      child.write("\n");
    } else if (shared !== undefined && !isReady && line === readyLine) {
      isReady = true;
      clearTimeout(startTimer);
      ready.resolve();
    } else {
      answerWith(asked === undefined ? undefined : readAnswer(line));
    }
  }

  function answerWith(answer: Answer | undefined): void {
    if (answer === undefined) kill("protocol", "it said what is no answer");
    else {
      asked!.resolve(answer);
      asked = undefined;
    }
  }

  function takeAll(text: string): void {
    const lines = (received + text).split("\n");
    received = lines.pop()!;
    try {
      if ([received, ...lines].every((line) => line.length <= answerCharactersMax))
        for (const line of lines) take(line);
      else kill("protocol", "its answer is too long");
    } catch (error) {
      kill("start", `its shared file cannot be opened: ${(error as Error).message}`);
    }
  }

  const startTimer = setTimeout(() => kill("timeout", `it did not start in ${startTimeoutMs} ms`), startTimeoutMs);
  const ended = Promise.withResolvers<DecoderLost>();
  function end({ how, signal, complaint }: DecoderEnd): void {
    clearTimeout(startTimer);
    isOver = true;
    if (shared !== undefined) closeSync(shared);
    shared = undefined;
    const words = complaint.trim();
    const lost = killed ?? new DecoderLost(causeOf(isReady, words, signal), words === "" ? how : `${how}: ${words}`);
    ready.reject(lost);
    asked?.reject(lost);
    asked = undefined;
    ended.resolve(lost);
  }
  const child = startChild({
    onStart(started) {
      pid = started;
    },
    onOutput: takeAll,
    onEnd: end,
  });

  return {
    get pid() {
      return pid;
    },
    get hasEnded() {
      return isOver;
    },
    ready: ready.promise,
    ended: ended.promise,
    async ask(question, file, timeoutMs) {
      if (shared === undefined) throw await ended.promise;
      writeWhole(shared, file, 0);
      asked = Promise.withResolvers<Answer>();
      const timer = setTimeout(() => kill("timeout", `it did not answer in ${timeoutMs} ms`), timeoutMs);
      child.write(`${JSON.stringify({ ...question, bytes: file.length })}\n`);
      return await asked.promise.finally(() => clearTimeout(timer));
    },
    read(length, position) {
      if (shared === undefined) throw new ProtocolError("the process has ended");
      return readWhole(shared, length, position);
    },
    clear() {
      if (shared !== undefined) ftruncateSync(shared, keptSharedBytes);
    },
    kill,
  };
}

/**
 * Starts a process and ends it.
 *
 * @throws DecoderLost where none starts
 */
export async function tryCage(cage: Cage, startTimeoutMs: number): Promise<void> {
  const tried = startDecoderProcess(spawnDecoder(cage), startTimeoutMs);
  await tried.ready;
  tried.kill("crash", "it was only tried");
  await tried.ended;
}

/** V8, glib and C++ abort with words where the cage gives them no memory. A SIGKILL that is not ours has none. */
function causeOf(isReady: boolean, words: string, signal: NodeJS.Signals | null): LossCause {
  if (!isReady) return "start";
  if (signal === "SIGKILL") return "killed";
  return /out of memory|allocation failed|failed to allocate|bad_alloc/i.test(words) ? "memory" : "crash";
}
