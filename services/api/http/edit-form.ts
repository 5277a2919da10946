/** Multipart forms, read by multer: images go to temporary files, and the fields are flat text. */
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { mapPictureFiles, type Pictures, pictureFileFields } from "@packshot/domain/edits/pictures.ts";
import { clipName, type PackshotError } from "@packshot/domain/errors.ts";
import type { Request, Response } from "express";
import multer from "multer";
import { feedBody } from "./feed-body.ts";
import {
  bufferBytes,
  createFormFileStorage,
  type FormFile,
  type FormFileLimits,
  type FormFileStorage,
  fileTooLarge,
} from "./form-file-storage.ts";
import { assertNotPacked } from "./request-body.ts";
import { invalidRequest } from "./validation-messages.ts";

const imageField = "image";
const fieldsMax = 64;
const fieldBytesMax = 4 * 1024;
const fieldNameBytesMax = 200;
/** What a form may contain in addition to its file. */
export const formOverheadBytesMax = 512 * 1024;
export const formsFolder = join(tmpdir(), "packshot-forms");
/** Longer than a form takes to arrive and a client waits for its edit. */
const staleAfterMs = 3_600_000;

export interface EditForm {
  /** Text, as it was sent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: FormFile | undefined;
  readonly pictures: Pictures<FormFile>;
  /** Removes the temporary files and makes room for the next form. What comes after may take long. */
  discard(): Promise<void>;
}

/** A form with files of several names. */
export interface Form extends Pick<EditForm, "fields" | "discard"> {
  readonly files: Readonly<Record<string, FormFile>>;
}

export interface EditFormLimits extends FormFileLimits {
  /** Called before a byte is read, with the bytes that the form may have. Throws when there is no room. */
  readonly acquireSlot: (bytes: number) => () => void;
}

export interface FormLimits extends EditFormLimits {
  /** Names of the files that the form may have, one of each. */
  readonly fileFields: readonly string[];
  readonly fieldBytesMax: number;
  readonly bodyBytesMax: number;
}

/** An edit's form, whose files are `image`, `maskImage`, `paletteImage` and `toneImage`; its fields have dots. As `withForm`. */
export async function withEditForm<T>(
  request: IncomingMessage,
  limits: EditFormLimits,
  use: (form: EditForm) => Promise<T>,
): Promise<T> {
  const bodyBytesMax = limits.fileBytesMax + formOverheadBytesMax;
  const fileFields = [imageField, ...Object.values(pictureFileFields)];
  return await withForm(request, { ...limits, bodyBytesMax, fieldBytesMax, fileFields }, async ({ files, ...form }) => {
    const pictures = mapPictureFiles((_, field) => files[field]);
    return await use({ ...form, file: files[imageField], pictures });
  });
}

/**
 * `use` gets the form, which is discarded when `use` has ended, if not before. Throws the errors of FormFileStorage and of
 * `acquireSlot`, `invalid_request` and `request_timeout`.
 */
export async function withForm<T>(
  request: IncomingMessage,
  limits: FormLimits,
  use: (form: Form) => Promise<T>,
): Promise<T> {
  const { bodyBytesMax } = limits;
  assertNotPacked(request);
  const boundary = boundaryOf(request);
  const bodyBytes = Number(request.headers["content-length"] ?? bodyBytesMax);
  if (bodyBytes > bodyBytesMax) throw fileTooLarge(limits.fileBytesMax);
  const releaseSlot = limits.acquireSlot(bodyBytes);
  const storage = createFormFileStorage(join(formsFolder, randomUUID()), limits);
  const discard = () => storage.discard().finally(releaseSlot);
  try {
    await mkdir(formsFolder, { recursive: true });
    const form = new FormStream(request, boundary);
    const tooLarge = () => fileTooLarge(limits.fileBytesMax);
    const stopFeeding = feedBody(form, request, { bytesMax: bodyBytesMax, tooLarge });
    const fields = fieldsOf(await parse(form, storage, limits).finally(stopFeeding), form.base64Fields, limits);
    return await use({ fields, files: await storage.files(), discard });
  } finally {
    await discard();
  }
}

/** Runs at start-up: a killed process leaves its files behind, and other processes may be using theirs. */
export async function sweepStaleForms(): Promise<void> {
  for (const name of await readdir(formsFolder).catch(() => [])) {
    const path = join(formsFolder, name);
    const modifiedAtMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - modifiedAtMs > staleAfterMs) await rm(path, { force: true }).catch(() => {});
  }
}

/**
 * The request as multer sees it. multer reports an error only when the body has ended, and it reads the body to the end
 * without a limit. With a copy of the stream neither happens: the copy is destroyed as soon as multer stops parsing, so
 * multer reports at once, and the server keeps the request, responds, and drains a limited part of the body.
 */
class FormStream extends PassThrough {
  readonly headers: IncomingMessage["headers"];
  body: Readonly<Record<string, unknown>> | undefined;
  /** Names of texts that arrive in base64: the parser decodes no Content-Transfer-Encoding. */
  readonly base64Fields = new Set<string>();

  constructor({ headers }: IncomingMessage, boundary: string) {
    super({ highWaterMark: bufferBytes });
    const quoted = boundary.replaceAll(/["\\]/g, "\\$&");
    this.headers = { ...headers, "content-type": `multipart/form-data; boundary="${quoted}"` };
  }
}

/**
 * Clients write `boundary=a/b` without the quotes that the slash needs, and other parameters that are malformed; multer
 * takes such a form for none, and the client would be told that it sent nothing.
 */
function boundaryOf({ headers }: IncomingMessage): string {
  const [, quoted, plain = ""] =
    /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/i.exec(headers["content-type"] ?? "") ?? [];
  const boundary = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain.trim();
  if (boundary !== "") return boundary;
  throw invalidRequest("The form's Content-Type has no boundary: let your HTTP client write that header.");
}

/** RFC 7578 has deprecated a part's header for its encoding; some clients send it nevertheless. */
function encodingProblem(name: string, encoding: string | undefined): PackshotError | undefined {
  if (encoding !== "quoted-printable") return undefined;
  const message = `The form's part "${clipName(name)}" has Content-Transfer-Encoding ${encoding}, which is not read: send its bytes as they are, or in base64.`;
  return invalidRequest(message, { field: clipName(name) });
}

interface PartInfo {
  readonly filename?: string;
  /** Content-Transfer-Encoding, in lower case. */
  readonly encoding?: string;
}

/** Fails at the first error: the rest of the body is not awaited. */
function parse(
  form: FormStream,
  storage: FormFileStorage,
  limits: FormLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const { fileFields } = limits;
  let refusedPart: PackshotError | undefined;
  const refuse = (error: PackshotError) => {
    refusedPart ??= error;
    form.destroy(refusedPart);
  };
  const options = {
    storage,
    limits: {
      files: fileFields.length,
      fields: fieldsMax,
      parts: fieldsMax + fileFields.length,
      fieldSize: limits.fieldBytesMax,
      fieldNameSize: fieldNameBytesMax,
      // Names nest by dots, which multer does not interpret; brackets are not allowed.
      fieldNestingDepth: 0,
    },
    defParamCharset: "utf8",
    fileHwm: bufferBytes,
    streamHandler(_form: unknown, parser: Writable) {
      // multer drops a file that has no filename; the client would get a response as if it had sent none.
      parser.on("file", (name: string | undefined, _stream: unknown, { filename, encoding }: PartInfo) => {
        if (name === undefined) return;
        const problem = filename ? encodingProblem(name, encoding) : missingFilename(name);
        if (problem !== undefined) refuse(problem);
      });
      parser.on("field", (name: string | undefined, _text: string, { encoding }: PartInfo) => {
        if (name === undefined) return;
        const problem = encodingProblem(name, encoding);
        if (problem !== undefined) refuse(problem);
        if (encoding === "base64") form.base64Fields.add(name);
      });
      parser.once("unpipe", () => form.destroy());
      form.pipe(parser);
    },
  };
  return new Promise((resolve, reject) => {
    multer(options as multer.Options).fields(fileFields.map((name) => ({ name, maxCount: 1 })))(
      form as unknown as Request,
      {} as Response,
      (error?: unknown) => {
        const refusal = refusedPart ?? error;
        if (refusal !== undefined) reject(formError(refusal, limits));
        else resolve(form.body ?? {});
      },
    );
  });
}

/** A name that is given twice arrives as a list of its values. */
function fieldsOf(
  body: Readonly<Record<string, unknown>>,
  base64Fields: ReadonlySet<string>,
  { fileFields }: Pick<FormLimits, "fileFields">,
): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    if (fileFields.includes(name)) throw missingFilename(name);
    if (Array.isArray(value)) throw invalidRequest(`The form field "${name}" is given twice.`, { field: name });
    // The parser replaces what it cannot decode, and gives up on a charset that it does not know.
    if (typeof value !== "string" || value.includes("\uFFFD")) {
      throw invalidRequest(`The form field "${name}" is not valid UTF-8.`, { field: name });
    }
    fields[name] = base64Fields.has(name) ? textOfBase64(name, value) : value;
  }
  return fields;
}

function textOfBase64(name: string, base64: string): string {
  const plain = base64.replaceAll(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) throw invalidRequest(`"${name}" is not base64.`, { field: name });
  const bytes = Buffer.from(plain, "base64");
  if (!isUtf8(bytes)) throw invalidRequest(`The form field "${name}" is not valid UTF-8.`, { field: name });
  return bytes.toString("utf8");
}

function missingFilename(name: string): PackshotError {
  return invalidRequest(
    `The form's part "${name}" is no file, because it has no filename: send it as Content-Disposition: form-data; name="${name}"; filename="photo.jpg" (in curl -F "${name}=@photo.jpg", with @).`,
    { field: name },
  );
}

function formError(error: unknown, limits: FormLimits): unknown {
  if (error instanceof multer.MulterError) return limitError(error, limits);
  // A PackshotError comes from the storage engine, and one with a code from the operating system.
  if (!(error instanceof Error) || "code" in error) return error;
  return invalidRequest(`The form cannot be read: ${error.message}.`);
}

function limitError(
  { code, field, message }: { code: string; field?: string | undefined; message: string },
  { fileFields, fieldBytesMax: bytesMax }: FormLimits,
) {
  const expected = fileFields.map((name) => `"${name}"`).join(" or ");
  const details = field === undefined ? undefined : { field };
  switch (code) {
    case "LIMIT_UNEXPECTED_FILE":
      if (field !== undefined && fileFields.includes(field)) {
        return invalidRequest(`The form has the file "${field}" twice: send one.`, details);
      }
      return invalidRequest(`The form's file is ${expected}; "${field}" is not expected.`, details);
    case "LIMIT_FILE_COUNT":
      return invalidRequest(
        `The form has more than ${fileFields.length === 1 ? "one file: send one" : `${fileFields.length} files: send one of each`}, ${expected}.`,
      );
    case "LIMIT_FIELD_COUNT":
      return invalidRequest(`The form has more than ${fieldsMax} fields.`);
    case "LIMIT_PART_COUNT":
      return invalidRequest(`The form has more than ${fieldsMax + fileFields.length} parts.`);
    case "LIMIT_FIELD_KEY":
      return invalidRequest(`The name of a form field is longer than ${fieldNameBytesMax} bytes.`);
    case "LIMIT_FIELD_VALUE":
      if (field !== undefined && fileFields.includes(field)) return missingFilename(field);
      return invalidRequest(`The form field "${field}" is too long: it may have ${bytesMax} bytes.`, details);
    case "LIMIT_FIELD_NESTING":
      return invalidRequest(`Unknown form field "${field}": names nest by dots, as in output.width.`, details);
    case "MISSING_FIELD_NAME":
      return invalidRequest("A part of the form has no name.");
    default:
      return invalidRequest(`The form cannot be read: ${message}.`, details);
  }
}
