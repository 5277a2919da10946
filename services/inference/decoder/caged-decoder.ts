/**
 * Decodes in a process in a cage. The process serves many photos, one after the other, and is replaced when it was lost, when it
 * has refused a file, and after some dozens; its successor starts at once. Whoever has taken a process over would see the photos of
 * other accounts that come after his.
 */

import { pictureProblem } from "@packshot/domain/edits/pictures.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { StartDecoderChild } from "./decoder-child.ts";
import { DecoderLost, type DecoderProcess, type LossCause, startDecoderProcess } from "./decoder-process.ts";
import {
  type Answered,
  metadataIn,
  ProtocolError,
  photoIn,
  pictureIn,
  type Question,
  type ReadPart,
} from "./decoder-protocol.ts";
import type { ImageDecoder } from "./image-decoder.ts";

export interface CagedDecoderDeps {
  readonly startChild: StartDecoderChild;
  readonly onLost: (cause: LossCause, how: string) => void;
  readonly decodeTimeoutMs: number;
  readonly startTimeoutMs: number;
  readonly photosMax?: number;
}

/** A start takes as much processor time as an edit. */
const photosMaxDefault = 50;
/** The process may have been lost by what photos before have left in it. */
const attemptsMax = 2;
const startsMax = 3;

export interface CagedDecoder extends ImageDecoder {
  /** For tests. */
  readonly pid: () => number | undefined;
  stop(): Promise<void>;
}

type Take<T> = (answer: Answered, read: ReadPart) => T;

export function createCagedDecoder(deps: CagedDecoderDeps): CagedDecoder {
  const { startChild, onLost, decodeTimeoutMs, startTimeoutMs, photosMax = photosMaxDefault } = deps;
  /** Those whose end is no news. */
  const known = new WeakSet<DecoderProcess>();
  let isStopped = false;
  let photos = 0;
  let current = start();
  /** The shared file has room for one photo. */
  let turn: Promise<unknown> = Promise.resolve();

  function start(): DecoderProcess {
    const process = startDecoderProcess(startChild, startTimeoutMs);
    void process.ended.then((lost) => report(process, lost));
    return process;
  }

  function report(process: DecoderProcess, { lossCause, message }: DecoderLost): void {
    if (known.has(process)) return;
    known.add(process);
    onLost(lossCause, message);
  }

  function replace(): void {
    known.add(current);
    current.kill("crash", "it was replaced");
    photos = 0;
    if (!isStopped) current = start();
  }

  /** @throws DecoderLost where none starts: no photo is to blame */
  async function readyProcess(): Promise<DecoderProcess> {
    for (let starts = 1; ; starts++) {
      if (current.hasEnded) replace();
      const cause = await current.ready.then(
        () => undefined,
        (lost: DecoderLost) => lost,
      );
      if (cause === undefined) return current;
      if (isStopped || starts === startsMax || cause.lossCause === "timeout") throw cause;
    }
  }

  async function askOnce<T>(question: Question, file: Uint8Array, take: Take<T>): Promise<T> {
    const process = await readyProcess();
    photos += 1;
    try {
      const answer = await process.ask(question, file, decodeTimeoutMs);
      if (answer.kind === "out-of-memory") throw new DecoderLost("memory", "it had too little memory");
      if (answer.kind === "refused") {
        // What has read damaged data may be damaged itself, and what was taken over may say anything.
        replace();
        throw new PackshotError(answer.code, answer.message);
      }
      const taken = take(answer, (index) => process.read(...rangeOf(answer, index)));
      process.clear();
      if (photos >= photosMax) replace();
      return taken;
    } catch (error) {
      const lost = error instanceof ProtocolError ? new DecoderLost("protocol", error.message) : error;
      if (!(lost instanceof DecoderLost)) throw error;
      report(process, lost);
      replace();
      throw lost;
    }
  }

  async function askTwice<T>(question: Question, file: Uint8Array, take: Take<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(question, file, take);
      } catch (error) {
        if (!(error instanceof DecoderLost) || error.code !== undefined) throw error;
        if (attempt === attemptsMax || error.lossCause === "protocol") throw problemOf(question, error);
      }
    }
  }

  function ask<T>(question: Question, file: Uint8Array, take: Take<T>): Promise<T> {
    const answered = turn.then(() => askTwice(question, file, take));
    turn = answered.catch(() => {});
    return answered;
  }

  return {
    pid: () => current.pid,
    async stop() {
      isStopped = true;
      known.add(current);
      current.kill("killed", "it was stopped");
      await current.ended;
    },
    decodePhoto: async (file, { maxPixels, shrinksAbove }) =>
      await ask({ kind: "photo", limits: { maxPixels, shrinksAbove } }, file, (answer, read) =>
        photoIn(answer, { maxPixels }, read),
      ),
    openPicture: async (part, file, resize, { maxPixels }) =>
      await ask({ kind: "picture", part, resize, limits: { maxPixels } }, file, (answer, read) =>
        pictureIn(answer, { ...resize, channels: 3 }, read),
      ),
    openLogo: async (file, side) =>
      await ask({ kind: "logo", side }, file, (answer, read) =>
        pictureIn(answer, { width: side, height: side, channels: 4 }, read),
      ),
    readMetadataBlocks: async (file) =>
      await ask({ kind: "metadata" }, file, metadataIn).catch((error: unknown) => {
        // A photo whose metadata cannot be read has none.
        if (error instanceof PackshotError) return {};
        throw error;
      }),
  };
}

/** Length and position of a part, behind those before it. */
function rangeOf({ parts }: Answered, index: number): [length: number, position: number] {
  const before = parts.slice(0, index).reduce((sum, length) => sum + Math.max(0, length), 0);
  return [parts[index]!, before];
}

/** The fault of the photo, or of the picture that comes with it: a client must not send it for ever. */
function problemOf(question: Question, cause: DecoderLost): PackshotError {
  const { lossCause } = cause;
  const problem =
    lossCause === "memory"
      ? "Decoding it takes more memory than there is for one image: export it again, with fewer pixels."
      : "It is damaged: decoding it failed.";
  if (question.kind === "picture") return pictureProblem(question.part, problem, cause);
  if (question.kind === "logo") return pictureProblem("logo", problem, cause);
  return new PackshotError(lossCause === "memory" ? "image_too_large" : "image_unreadable", problem, { cause });
}
