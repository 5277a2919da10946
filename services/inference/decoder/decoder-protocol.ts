/**
 * What a caged decoder and its process say to each other. A question is a line of JSON on stdin and its answer one on stdout, one
 * question at a time. Files and pixels go through a file in memory that both have open: first the file to be decoded, then the
 * parts of the answer, one after the other.
 */

import { readSync, writeSync } from "node:fs";
import { type PicturePart, pictureCodes } from "@packshot/domain/edits/pictures.ts";
import { clipText, PackshotError } from "@packshot/domain/errors.ts";
import { imageFormats } from "@packshot/platform/images/image-header.ts";
import type { PictureResize } from "../imaging/codec/background-picture.ts";
import type { DecodeLimits } from "../imaging/codec/decode.ts";
import { isPlainProfile, profileBytesMax } from "../imaging/codec/icc-profile.ts";
import { type MetadataBlocks, metadataBlockBytesMax, metadataBlocks } from "../imaging/codec/source-metadata.ts";
import type { Size } from "../imaging/pixels/geometry.ts";
import type { Image } from "../imaging/pixels/image.ts";
import type { Photo } from "../imaging/pixels/photo.ts";

export type Question =
  | { readonly kind: "photo"; readonly limits: DecodeLimits }
  | {
      readonly kind: "picture";
      readonly part: PicturePart;
      readonly resize: PictureResize;
      readonly limits: DecodeLimits;
    }
  | { readonly kind: "logo"; readonly side: number }
  | { readonly kind: "metadata" };

/** With the length of the file to be decoded. */
export type SentQuestion = Question & { readonly bytes: number };

/** The descriptor of the shared file in the process. */
export const sharedFile = 3;
export const readyLine = "ready";
/** Longer lines are no answers. */
export const answerCharactersMax = 4_096;
const messageCharactersMax = 500;

const refusals = [
  "unsupported_media_type",
  "image_too_large",
  "image_unreadable",
  ...Object.values(pictureCodes),
] as const;
type Refusal = (typeof refusals)[number];

export interface Answered {
  readonly kind: "decoded";
  readonly about: Readonly<Record<string, unknown>>;
  /** Their lengths in the shared file; `absent` for one that is not there. */
  readonly parts: readonly number[];
}

export type Answer =
  | Answered
  | { readonly kind: "refused"; readonly code: Refusal; readonly message: string }
  | { readonly kind: "out-of-memory" };

/** An answer that its question cannot have: the process is not to be believed any more. */
export class ProtocolError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "ProtocolError";
  }
}

/** @returns undefined where the line is no answer */
export function readAnswer(line: string): Answer | undefined {
  const { kind, about, parts, code, message } = parseObject(line);
  if (kind === "out-of-memory") return { kind };
  if (kind === "refused") {
    const known = refusals.find((refusal) => refusal === code);
    if (known === undefined || typeof message !== "string") return undefined;
    return { kind, code: known, message: clipText(message, messageCharactersMax) };
  }
  if (kind !== "decoded" || !isRecord(about) || !Array.isArray(parts) || !parts.every(isLength)) return undefined;
  return { kind, about, parts };
}

/** The answer's line for what a codec has thrown; throws what is a fault of our own. */
export function writeRefusal(error: unknown): Answer {
  const code = refusals.find((refusal) => error instanceof PackshotError && refusal === error.code);
  if (code !== undefined) return { kind: "refused", code, message: (error as PackshotError).message };
  if (isOutOfMemory(error)) return { kind: "out-of-memory" };
  throw error;
}

/** V8 and libvips give a failed allocation no code: their words are all there is. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /allocation failed|out of memory|unable to allocate|ENOMEM/i.test(error.message);
}

export interface Decoded {
  readonly about: Readonly<Record<string, unknown>>;
  /** undefined: the part is absent. */
  readonly parts: readonly (Uint8Array | undefined)[];
}

/** A photo as an answer: its numbers in the line, its planes as parts. */
export function photoAnswer({ format, width, height, rgb, alpha, icc, hasAmbiguousAlpha }: Photo): Decoded {
  return { about: { format, width, height, hasAmbiguousAlpha: hasAmbiguousAlpha === true }, parts: [rgb, alpha, icc] };
}

export function pictureAnswer({ width, height, channels, pixels }: Image): Decoded {
  return { about: { width, height, channels }, parts: [pixels] };
}

export function metadataAnswer(blocks: MetadataBlocks): Decoded {
  return { about: {}, parts: metadataBlocks.map((name) => blocks[name]) };
}

/** What an absent part has as its length. */
export const absent = -1;

/** Reads a part of an answer out of the shared file; the length was checked before. */
export type ReadPart = (index: number) => Buffer;

/** @throws ProtocolError where the answer is not one to the question */
export function photoIn({ about, parts }: Answered, { maxPixels }: DecodeLimits, read: ReadPart): Photo {
  const { hasAmbiguousAlpha } = about;
  const format = imageFormats.find((known) => known === about.format);
  const { width, height } = sizeIn(about, maxPixels);
  const [rgb, alpha, icc] = parts;
  const pixels = width * height;
  const isPhoto =
    format !== undefined &&
    parts.length === 3 &&
    rgb === 3 * pixels &&
    (alpha === absent || alpha === pixels) &&
    icc! <= profileBytesMax &&
    typeof hasAmbiguousAlpha === "boolean";
  if (!isPhoto) throw new ProtocolError("the photo's planes are not of its size");
  const profile = icc === absent ? undefined : read(2);
  if (profile !== undefined && !isPlainProfile(profile))
    throw new ProtocolError("the photo's profile is not a plain one");
  return {
    format,
    width,
    height,
    rgb: asBytes(read(0)),
    ...(alpha === absent ? {} : { alpha: asBytes(read(1)) }),
    ...(hasAmbiguousAlpha ? { hasAmbiguousAlpha } : {}),
    ...(profile === undefined ? {} : { icc: profile }),
  };
}

/**
 * @param wanted the picture has no more channels than these, and fits into the size
 * @throws ProtocolError where the answer is not one to the question
 */
export function pictureIn(
  { about, parts }: Answered,
  wanted: { readonly width: number; readonly height: number; readonly channels: 3 | 4 },
  read: ReadPart,
): Image {
  const { channels } = wanted;
  const { width, height } = sizeIn(about, wanted.width * wanted.height);
  const fits = width <= wanted.width && height <= wanted.height && about.channels === channels;
  if (!fits || parts.length !== 1 || parts[0] !== width * height * channels)
    throw new ProtocolError("the picture is not of the size that was asked for");
  return { width, height, channels, pixels: asBytes(read(0)) };
}

/** @throws ProtocolError where the answer is not one to the question */
export function metadataIn({ parts }: Answered, read: ReadPart): MetadataBlocks {
  if (parts.length !== metadataBlocks.length || parts.some((length) => length > metadataBlockBytesMax))
    throw new ProtocolError("the metadata are not of three blocks");
  const present = metadataBlocks.flatMap((name, index) =>
    parts[index] === absent ? [] : [[name, read(index)] as const],
  );
  return Object.fromEntries(present);
}

/** @throws an error of the file system, and where the file is shorter */
export function readWhole(file: number, length: number, position: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, Math.min(length - done, chunkBytesMax), position + done);
    if (read === 0) throw new ProtocolError("the shared file is shorter than its answer says");
    done += read;
  }
  return bytes;
}

export function writeWhole(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(bytes.length - done, chunkBytesMax), position + done);
}

/** The kernel reads and writes less than 2 GiB at once. */
const chunkBytesMax = 1 << 30;

export function readQuestion(line: string): SentQuestion {
  return JSON.parse(line) as SentQuestion;
}

function sizeIn({ width, height }: Answered["about"], pixelsMax: number): Size {
  if (!isCount(width) || !isCount(height) || width * height > pixelsMax)
    throw new ProtocolError("the answer has no size, or a larger one than was asked for");
  return { width, height };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= absent;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const asBytes = ({ buffer, byteOffset, byteLength }: Buffer) => new Uint8Array(buffer, byteOffset, byteLength);
