/**
 * Inspects images in processes of its own. An image comes from anybody, and libvips is native code: a fault in it that an
 * image takes over must not reach the keys of the process that asks (docs/adr/0006-image-inspector.md).
 */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PackshotError } from "@packshot/domain/errors.ts";
import { jitteredBackoffMs, pause } from "../flow/pause.ts";
import type { Component } from "../lifecycle/component.ts";
import type { Logger } from "../telemetry/logger.ts";
import { confinedModules } from "./confined-modules.ts";
import { assertContainerBounded } from "./container-walk.ts";
import { type FoundLimiter, findLimiter } from "./find-cage.ts";
import type { ImageHeader, InspectImage } from "./image-header.ts";
import {
  type Answer,
  answerBytesMax,
  headerIn,
  type Question,
  readAnswer,
  readyLine,
  writeQuestion,
} from "./inspector-protocol.ts";

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
  /** For tests: another path of the launcher. */
  readonly launcher?: string;
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
  const { folder, main, launcher, logger, answerTimeoutMs = answerTimeoutMsDefault } = deps;
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
  async function keepOne(limiter: FoundLimiter, onStart: (failure: string | undefined) => void): Promise<void> {
    for (let failedStarts = 0; !stopping.signal.aborted; ) {
      const process = startInspectorProcess({ folder, main, limiter });
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
      const limiter = findLimiter(dataBytesMax, launcher);
      const problem = limiter.kind === "shell" ? limiter.problem : undefined;
      if (problem !== undefined) logger.warn({ problem }, "a shell limits the memory of image inspectors");
      const reason = problem === undefined ? "" : `; ${problem}`;
      const starts = Array.from({ length: processesCount }, () => Promise.withResolvers<void>());
      keeping = starts.map(({ resolve, reject }) =>
        keepOne(limiter, (failure) =>
          failure === undefined ? resolve() : reject(new Error(`the image inspector ${failure}${reason}`)),
        ),
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

/** One process that opens images for a process that holds keys. */

/**
 * Node itself takes 590 MB that it mostly never touches; the rest is for an image's header. So a process has 330 MB in memory at
 * most, and the two of an API process 660: the limit of the API's pod counts them (deploy/helm/values.yaml).
 */
const dataBytesMax = 832 * 1024 * 1024;
const heapMegabytesMax = 64;
/** Its last words, for the log. */
const complaintBytesMax = 500;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const mainDefault = fileURLToPath(new URL("inspector-main.ts", import.meta.url));

export interface InspectorProcessSettings {
  /** The one folder, beside those of the program, whose files Node lets it read. undefined: it is asked about bytes only. */
  readonly folder: string | undefined;
  /** For tests: another main module. */
  readonly main: string | undefined;
  readonly limiter: FoundLimiter;
}

export interface InspectorProcess {
  readonly pid: number | undefined;
  /** Whether it came to listen for questions; false when it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  /** One question at a time. Rejects when the process ends before it has answered. */
  ask(question: Question): Promise<Answer>;
  kill(): void;
}

/**
 * The command with a limit on its memory. The image has the launcher, so that no process of it needs a shell; a machine without Go
 * has a shell. Where that cannot set the limit, as on macOS, the process runs without it.
 */
function limited(command: readonly string[], limiter: FoundLimiter): readonly string[] {
  if (limiter.kind === "launcher")
    return [limiter.launcher, "limit", "--data-bytes", String(dataBytesMax), "--", ...command];
  return ["/bin/sh", "-c", `ulimit -d ${dataBytesMax / 1024} 2>/dev/null; exec "$@"`, "sh", ...command];
}

/**
 * Its environment holds nothing but a limit on its threads and the folder of its compiled modules, and it ends when its stdin closes: with
 * this process. The kernel limits its memory. Node lets it read the program and one folder, write those modules, which only such processes
 * read, and start nothing; native code that an image has taken over is not held by that, but finds no key in memory, files of the program or
 * environment.
 */
export function startInspectorProcess(settings: InspectorProcessSettings): InspectorProcess {
  const { folder, main = mainDefault, limiter } = settings;
  // A folder that does not exist yet is meant as a folder by its asterisk only.
  const folders = folder === undefined ? [] : [`${folder}/*`];
  const readable = [`${root}node_modules/*`, `${root}packages/*`, main, ...folders].map(
    (path) => `--allow-fs-read=${path}`,
  );
  // Node wants both rights to take the modules from there. Where the folder is root's, as in the image, they are only read.
  const modules = confinedModules("image-inspector");
  const kept = modules === undefined ? [] : [`--allow-fs-read=${modules}/*`, `--allow-fs-write=${modules}/*`];
  const flags = ["--no-warnings", `--max-old-space-size=${heapMegabytesMax}`, "--permission", "--allow-addons"];
  const [program, ...args] = limited([process.execPath, ...flags, ...readable, ...kept, main], limiter);
  const child = spawn(program!, args, {
    env: { UV_THREADPOOL_SIZE: "1", ...(modules !== undefined && { NODE_COMPILE_CACHE: modules }) },
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ready = Promise.withResolvers<boolean>();
  let complaint = "";
  let received = "";
  let asked: PromiseWithResolvers<Answer> | undefined;

  function take(line: string): void {
    const answer = readAnswer(line);
    if (line === readyLine && asked === undefined) ready.resolve(true);
    // Whoever answers without being asked answers the next question wrongly.
    else if (answer === undefined || asked === undefined) child.kill("SIGKILL");
    else {
      asked.resolve(answer);
      asked = undefined;
    }
  }

  child.stdin.on("error", () => {}); // Ended already.
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintBytesMax);
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (received + text).split("\n");
    received = lines.pop()!;
    if (received.length > answerBytesMax || lines.some((line) => line.length > answerBytesMax)) child.kill("SIGKILL");
    else for (const line of lines) take(line);
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be run (${error.message})`));
    child.once("exit", (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
  }).then((how) => {
    ready.resolve(false);
    const words = complaint.trim();
    const description = words === "" ? how : `${how}: ${words}`;
    asked?.reject(new Error(description));
    return description;
  });

  return {
    pid: child.pid,
    ready: ready.promise,
    ended,
    ask(question) {
      asked = Promise.withResolvers<Answer>();
      child.stdin.write(writeQuestion(question));
      return asked.promise;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
