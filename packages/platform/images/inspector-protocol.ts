/**
 * What an image inspector and its process say to each other: a question is a line of JSON on stdin, with the bytes of the
 * image behind it or the path of a file in it, and its answer is a line of JSON on stdout. One question at a time.
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { type ImageHeader, type ImageLimits, imageFormats } from "./image-header.ts";

export interface Question {
  readonly source: Uint8Array | string;
  readonly limits: ImageLimits;
}

interface QuestionLine extends ImageLimits {
  readonly path?: string;
  readonly bytes?: number;
}

const refusals = ["unsupported_media_type", "image_too_large", "image_unreadable"] as const;

export type Answer =
  | { readonly header: ImageHeader }
  | { readonly code: (typeof refusals)[number]; readonly message: string };

/** Longer ones are no answers. */
export const answerBytesMax = 4 * 1024;
export const readyLine = "ready";

const newline = 0x0a;

export function writeQuestion({ source, limits }: Question): Buffer {
  const line = (content: QuestionLine) => Buffer.from(`${JSON.stringify(content)}\n`);
  if (typeof source === "string") return line({ ...limits, path: source });
  return Buffer.concat([line({ ...limits, bytes: source.length }), source]);
}

/** How long the question is whose beginning has arrived; 0 while nobody can tell. */
export function questionBytes(received: Buffer): number {
  const lineEnd = received.indexOf(newline);
  if (lineEnd < 0) return 0;
  const { bytes = 0 } = JSON.parse(received.toString("utf8", 0, lineEnd)) as QuestionLine;
  return lineEnd + 1 + bytes;
}

/** undefined: its end has not arrived. */
export function readQuestion(received: Buffer): Question | undefined {
  const lineEnd = received.indexOf(newline);
  if (lineEnd < 0) return undefined;
  const { path, bytes = 0, ...limits } = JSON.parse(received.toString("utf8", 0, lineEnd)) as QuestionLine;
  if (path !== undefined) return { source: path, limits };
  const source = received.subarray(lineEnd + 1);
  return source.length < bytes ? undefined : { source, limits };
}

/** The line with which `inspectImage`'s outcome is passed on; rejects with what is no answer. */
export async function writeAnswer(inspecting: Promise<ImageHeader>): Promise<string> {
  const answer = await inspecting.then(
    (header): Answer => ({ header }),
    (error: unknown): Answer => {
      const code = refusals.find((known) => error instanceof PackshotError && known === error.code);
      if (code === undefined) throw error;
      return { code, message: (error as PackshotError).message };
    },
  );
  return `${JSON.stringify(answer)}\n`;
}

/** The other side may have fallen to an image, so nothing that it says is believed unseen. undefined: no answer. */
export function readAnswer(line: string): Answer | undefined {
  const { header, code: refusal, message } = parseObject(line);
  const code = refusals.find((known) => known === refusal);
  if (code !== undefined && typeof message === "string") return { code, message };
  const { format: claimed, width, height, pages } = (header ?? {}) as Partial<Record<string, unknown>>;
  const format = imageFormats.find((known) => known === claimed);
  if (format === undefined || !isCount(width) || !isCount(height) || !isCount(pages)) return undefined;
  return { header: { format, contentType: `image/${format}`, width, height, pages } };
}

export function headerIn(answer: Answer): ImageHeader {
  if ("header" in answer) return answer.header;
  throw new PackshotError(answer.code, answer.message);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(line) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
