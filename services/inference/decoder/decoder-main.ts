/**
 * The process that decodes what clients send, in a cage: it holds no key, opens no file but those of its program, and has no
 * network (docs/adr/0052-decoders-in-a-cage.md).
 */

import { createInterface } from "node:readline";
import { getHeapStatistics } from "node:v8";
import sharp from "sharp";
import { openLogo, openPicture } from "../imaging/codec/background-picture.ts";
import { decodePhoto } from "../imaging/codec/decode.ts";
import { readMetadataBlocks } from "../imaging/codec/source-metadata.ts";
import { freePlanes } from "../imaging/pixels/image.ts";
import {
  type Answer,
  absent,
  type Decoded,
  metadataAnswer,
  photoAnswer,
  pictureAnswer,
  readQuestion,
  readWhole,
  readyLine,
  type SentQuestion,
  sharedFile,
  writeRefusal,
  writeWhole,
} from "./decoder-protocol.ts";

/** What was decoded is not decoded again. */
sharp.cache(false);

/** What is smaller is freed soon enough by itself. */
const collectedBytesMin = 8 * 1024 * 1024;
/** What young garbage leaves: planes that were made on the way, and came of age meanwhile. To collect all takes 11 ms of processor time. */
const whollyCollectedBytesMin = 24 * 1024 * 1024;

/** The planes themselves are free already: V8 would hold on to them until its next whole collection. */
function collect(bytes: number): void {
  if (bytes < collectedBytesMin) return;
  globalThis.gc?.({ type: "minor" });
  if (getHeapStatistics().external_memory >= whollyCollectedBytesMin) globalThis.gc?.();
}

async function decode(question: SentQuestion): Promise<Decoded> {
  const file = readWhole(sharedFile, question.bytes, 0);
  switch (question.kind) {
    case "photo":
      return photoAnswer(await decodePhoto(file, question.limits));
    case "picture":
      return pictureAnswer(await openPicture(question.part, file, question.resize, question.limits));
    case "logo":
      return pictureAnswer(await openLogo(file, question.side));
    case "metadata":
      return metadataAnswer(await readMetadataBlocks(file));
  }
}

async function answer(question: SentQuestion): Promise<{ readonly line: Answer; readonly bytes: number }> {
  try {
    const { about, parts } = await decode(question);
    let position = 0;
    for (const part of parts) {
      if (part === undefined) continue;
      writeWhole(sharedFile, part, position);
      position += part.length;
    }
    const lengths = parts.map((part) => part?.length ?? absent);
    freePlanes(parts);
    return { line: { kind: "decoded", about, parts: lengths }, bytes: position + question.bytes };
  } catch (error) {
    return { line: writeRefusal(error), bytes: question.bytes };
  }
}

async function serve(line: string): Promise<void> {
  const answered = await answer(readQuestion(line));
  process.stdout.write(`${JSON.stringify(answered.line)}\n`);
  collect(answered.bytes);
}

createInterface({ input: process.stdin }).on("line", (line) => void serve(line));
// A signal to the process group is meant for its owner, which has edits to finish first.
process.on("SIGTERM", () => {}).on("SIGINT", () => {});
process.stdin.on("close", () => process.exit());
process.stdout.write(`${readyLine}\n`);
