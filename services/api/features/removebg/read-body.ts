/** Reads a request of remove.bg's clients: a multipart form, a urlencoded one or JSON; images go to temporary files. */
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { PackshotError } from "@packshot/domain/errors.ts";
import { type EditFormLimits, formOverheadBytesMax, formsFolder, withForm } from "../../http/edit-form.ts";
import { decodeBase64, feedBody } from "../../http/feed-body.ts";
import { type FormFile, fileTooLarge, storeImage } from "../../http/form-file-storage.ts";
import { assertNotPacked, hasBody, mediaTypeOf } from "../../http/request-body.ts";
import { badBody, type FieldSplitter, splitJson, splitUrlencoded } from "./split-fields.ts";

const base64Field = "image_file_b64";
const otherFieldsLengthMax = 64 * 1024;
/** Base64 takes 4/3 of a file; line breaks and percent-encoding take more. */
const base64Factor = 1.5;

export interface DropInBody {
  /** As text, whatever their type in JSON. An empty one, and null in JSON, equal absent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly image: FormFile | undefined;
  readonly background: FormFile | undefined;
  discard(): Promise<void>;
}

type Use<T> = (body: DropInBody) => Promise<T>;

/** The bytes that a body may have whose length is not known. */
export function bodyBytesMax(fileBytesMax: number): number {
  return Math.ceil(2 * base64Factor * fileBytesMax) + formOverheadBytesMax;
}

/**
 * `use` gets the body, which is discarded when `use` has ended, if not before. Throws `unsupported_media_type`,
 * `invalid_request`, `request_timeout`, and what the image's inspection and `acquireSlot` throw.
 */
export async function withDropInBody<T>(request: IncomingMessage, limits: EditFormLimits, use: Use<T>): Promise<T> {
  if (!hasBody(request))
    return await use({ fields: {}, image: undefined, background: undefined, discard: async () => {} });
  const type = mediaTypeOf(request);
  if (type === "multipart/form-data") return await withMultipart(request, limits, use);
  if (type === "application/json") return await withText(request, splitJson, limits, use);
  if (type === "application/x-www-form-urlencoded") return await withText(request, splitUrlencoded, limits, use);
  throw new PackshotError(
    "unsupported_media_type",
    "Send multipart/form-data, application/x-www-form-urlencoded or application/json.",
  );
}

async function withMultipart<T>(request: IncomingMessage, limits: EditFormLimits, use: Use<T>): Promise<T> {
  const formLimits = {
    ...limits,
    fileFields: ["image_file", "bg_image_file"],
    // A part of a form that is no file is a text in memory: of the bytes that forms may have in all.
    fieldBytesMax: Math.ceil(base64Factor * limits.fileBytesMax),
    bodyBytesMax: bodyBytesMax(limits.fileBytesMax),
  };
  return await withForm(request, formLimits, async ({ fields: all, files, discard }) => {
    const { [base64Field]: base64, ...rest } = all;
    const fields = textFields(rest);
    const background = files.bg_image_file;
    if (base64 === undefined || base64 === "") {
      return await use({ fields, image: files.image_file, background, discard });
    }
    if (files.image_file !== undefined) throw severalImages();
    const path = temporaryPath();
    const discardAll = async () => {
      await rm(path, { force: true });
      await discard();
    };
    try {
      const image = await storeDecoded(decodeBase64(of(base64), base64Field), path, limits);
      return await use({ fields, image, background, discard: discardAll });
    } finally {
      await rm(path, { force: true });
    }
  });
}

async function withText<T>(
  request: IncomingMessage,
  splitter: FieldSplitter,
  limits: EditFormLimits,
  use: Use<T>,
): Promise<T> {
  assertNotPacked(request);
  const bytesMax = Math.ceil(base64Factor * limits.fileBytesMax) + formOverheadBytesMax;
  const tooLarge = () => fileTooLarge(limits.fileBytesMax);
  const bodyBytes = Number(request.headers["content-length"] ?? bytesMax);
  if (bodyBytes > bytesMax) throw tooLarge();
  const releaseSlot = limits.acquireSlot(bodyBytes);
  const path = temporaryPath();
  const discard = () => rm(path, { force: true }).finally(releaseSlot);
  const body = new PassThrough();
  const stopFeeding = feedBody(body, request, { bytesMax, tooLarge });
  try {
    await mkdir(formsFolder, { recursive: true });
    const split = splitter(base64Field, otherFieldsLengthMax);
    const images = decodeBase64(longFieldOf(body, split), base64Field)[Symbol.asyncIterator]();
    // The first bytes say whether there is an image at all.
    const first = await images.next();
    const image = first.done === true ? undefined : await storeDecoded(startingWith(first.value, images), path, limits);
    stopFeeding();
    return await use({ fields: textFields(split.end().fields), image, background: undefined, discard });
  } finally {
    stopFeeding();
    await discard();
  }
}

async function* longFieldOf(body: PassThrough, split: ReturnType<FieldSplitter>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of body) {
    const value = split.take(decoder.decode(chunk as Buffer, { stream: true }));
    if (value !== "") yield value;
  }
  const { value } = split.end();
  if (value !== "") yield value;
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* of(text: string): AsyncGenerator<string> {
  yield text;
}

const never = new AbortController().signal;

/** A text has no file's name. */
async function storeDecoded(bytes: AsyncIterable<Buffer>, path: string, limits: EditFormLimits): Promise<FormFile> {
  return { ...(await storeImage(Readable.from(bytes), path, limits, never)), filename: "photo" };
}

function temporaryPath(): string {
  return join(formsFolder, randomUUID());
}

export function severalImages(): PackshotError {
  return new PackshotError(
    "invalid_request",
    "Several source images are given: give one of image_file, image_file_b64 and image_url.",
    { details: { problem: "multiple_sources" } },
  );
}

function textFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    if (name === base64Field || value === null || value === "") continue;
    if (typeof value === "object") throw badBody(`The field "${name}" is neither text, number nor boolean.`, name);
    texts[name] = String(value);
  }
  return texts;
}
