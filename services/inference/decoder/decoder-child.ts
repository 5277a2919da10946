/** Starts the process of a decoder, and says what it says until it has ended. */

import { spawn } from "node:child_process";
import type { Cage } from "./cage.ts";
import { answerCharactersMax } from "./decoder-protocol.ts";

export interface DecoderChild {
  write(text: string): void;
  kill(): void;
}

export interface DecoderEnd {
  readonly how: string;
  readonly signal: NodeJS.Signals | null;
  /** Its last words, for the log. */
  readonly complaint: string;
}

export interface DecoderChildEvents {
  onStart(pid: number): void;
  onOutput(text: string): void;
  /** It is no process any more, not even one that waits for its parent. */
  onEnd(end: DecoderEnd): void;
}

export type StartDecoderChild = (events: DecoderChildEvents) => DecoderChild;

const complaintCharactersMax = 500;
/** More than its owner takes for an answer to what was written: the rest is not read before its owner writes again. */
const outputCharactersMax = 2 * answerCharactersMax;

export function spawnDecoder(cage: Cage): StartDecoderChild {
  return ({ onStart, onOutput, onEnd }) => {
    const child = spawn(cage.launcher, cage.arguments, {
      env: cage.environment,
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe"],
    });
    let complaint = "";
    let characters = 0;
    let isKilled = false;
    child.stdin.on("error", () => {}); // Ended already.
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-complaintCharactersMax);
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (isKilled) return;
      characters += text.length;
      if (characters > outputCharactersMax) child.stdout.pause();
      onOutput(text);
    });
    const end = (how: string, signal: NodeJS.Signals | null) => onEnd({ how, signal, complaint });
    child.once("error", (error) => end(`it could not be run: ${error.message}`, null));
    child.once("close", (code, signal) =>
      end(signal ? `it was ended by ${signal}` : `it ended with status ${code}`, signal),
    );
    if (child.pid !== undefined) onStart(child.pid);
    return {
      write(text) {
        characters = 0;
        child.stdout.resume();
        child.stdin.write(text);
      },
      kill() {
        isKilled = true;
        // Unread output would keep it from closing.
        child.stdout.resume();
        child.kill("SIGKILL");
      },
    };
  };
}
