/** One process that opens images for a process that holds keys. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  type Answer,
  answerBytesMax,
  type Question,
  readAnswer,
  readyLine,
  writeQuestion,
} from "./inspector-protocol.ts";

/**
 * Node itself takes 590 MB that it mostly never touches; the rest is for an image's header. So a process has 330 MB in memory at
 * most, and the two of an API process 660: the limit of the API's pod counts them (deploy/helm/values.yaml).
 */
const dataKilobytesMax = 832 * 1024;
const heapMegabytesMax = 64;
/** Its last words, for the log. */
const complaintBytesMax = 500;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const mainDefault = fileURLToPath(new URL("inspector-main.ts", import.meta.url));

export interface InspectorProcessSettings {
  /** The one folder, beside those of the program, whose files Node lets it read. undefined: it is asked about bytes only. */
  readonly folder?: string;
  /** For tests: another main module. */
  readonly main?: string;
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
 * Its environment holds nothing but a limit on its threads, and it ends when its stdin closes: with this process. The
 * kernel limits its memory. Node lets it read the program and one folder, write nothing and start nothing; native code
 * that an image has taken over is not held by that, but finds no key in memory, files of the program or environment.
 */
export function startInspectorProcess({ folder, main = mainDefault }: InspectorProcessSettings): InspectorProcess {
  // A folder that does not exist yet is meant as a folder by its asterisk only.
  const folders = folder === undefined ? [] : [`${folder}/*`];
  const readable = [`${root}node_modules/*`, `${root}packages/*`, main, ...folders].map(
    (path) => `--allow-fs-read=${path}`,
  );
  const flags = ["--no-warnings", `--max-old-space-size=${heapMegabytesMax}`, "--permission", "--allow-addons"];
  const command = [process.execPath, ...flags, ...readable, main];
  // Where the shell cannot set the limit, the process runs without it.
  const child = spawn("/bin/sh", ["-c", `ulimit -d ${dataKilobytesMax} 2>/dev/null; exec "$@"`, "sh", ...command], {
    env: { UV_THREADPOOL_SIZE: "1" },
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
