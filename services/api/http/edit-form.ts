/** A multipart edit: the file goes to a temporary place while its hash is taken; fields are flat, with dots. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { PackshotError } from "@packshot/domain/errors.ts";
import { invalidRequest } from "./validation-messages.ts";

const fieldsMax = 64;
const fieldBytesMax = 4 * 1024;
const fieldNameBytesMax = 200;
/** What a form may have beside its file. */
const formOverheadBytesMax = 512 * 1024;
export const formsFolder = join(tmpdir(), "packshot-forms");
/** Longer than a form takes to arrive and its edit to be waited for. */
const staleAfterMs = 3_600_000;
/** Without a byte for so long the client is taken to be gone. */
const silenceTimeoutMs = 30_000;

export interface FormFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface EditForm {
  /** As they came: text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: FormFile | undefined;
}

/** `use` gets the form; the temporary file is gone when it has ended. Throws `file_too_large`, `invalid_request`, `request_timeout`. */
export async function withEditForm<T>(
  request: IncomingMessage,
  { fileBytesMax }: { fileBytesMax: number },
  use: (form: EditForm) => Promise<T>,
): Promise<T> {
  if (Number(request.headers["content-length"] ?? 0) > fileBytesMax + formOverheadBytesMax)
    throw tooLarge(fileBytesMax);
  await mkdir(formsFolder, { recursive: true });
  const stop = new AbortController();
  let taking: Promise<FormFile> | undefined;
  try {
    const fields = await readParts(request, fileBytesMax, (stream) => {
      taking = takeFile(stream, stop.signal);
      return taking;
    });
    return await use({ fields, file: await taking });
  } finally {
    stop.abort();
    const path = await taking?.then(
      (file) => file.path,
      (error: unknown) => (error instanceof FileNotTaken ? error.path : undefined),
    );
    if (path !== undefined) await rm(path, { force: true });
  }
}

/** At the start: a process that was killed has left its files, and others may be using theirs. */
export async function sweepStaleForms(): Promise<void> {
  for (const name of await readdir(formsFolder).catch(() => [])) {
    const path = join(formsFolder, name);
    const modifiedAtMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - modifiedAtMs > staleAfterMs) await rm(path, { force: true }).catch(() => {});
  }
}

function unreadable(error: Error): PackshotError {
  return invalidRequest(`The form cannot be read: ${error.message}.`);
}

function tooLarge(fileBytesMax: number): PackshotError {
  return new PackshotError("file_too_large", `The plan allows files of ${fileBytesMax} bytes.`);
}

/** `onFile` listens to the stream before it returns. Settles at the first fault: the rest of the body is not waited for. */
function readParts(
  request: IncomingMessage,
  fileBytesMax: number,
  onFile: (stream: Readable) => Promise<FormFile>,
): Promise<Record<string, string>> {
  const form = parserFor(request, fileBytesMax);
  const fields: Record<string, string> = Object.create(null);
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, string>>();
  let file: Promise<unknown> = Promise.resolve();

  form.on("file", (name, stream) => {
    // A form that ends early says so here too, whoever listens.
    stream.on("error", (error: Error) => reject(unreadable(error)));
    if (name !== "image")
      return reject(invalidRequest(`The form's file is "image"; "${name}" is another.`, { field: name }));
    stream.once("limit", () => reject(tooLarge(fileBytesMax)));
    file = onFile(stream);
    file.catch(reject);
  });
  form.on("field", (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut)
      return reject(invalidRequest(`The form field "${name}" is too long.`, { field: name }));
    // What the parser cannot decode it replaces; nobody means that character.
    if (value.includes("\uFFFD"))
      return reject(invalidRequest(`The form field "${name}" is not valid UTF-8.`, { field: name }));
    if (name in fields) return reject(invalidRequest(`The form field "${name}" is given twice.`, { field: name }));
    fields[name] = value;
  });
  form.on("filesLimit", () => reject(invalidRequest('The form has more than one file: send one, "image".')));
  form.on("fieldsLimit", () => reject(invalidRequest(`The form has more than ${fieldsMax} fields.`)));
  form.on("partsLimit", () => reject(invalidRequest(`The form has more than ${fieldsMax + 1} parts.`)));
  form.on("error", (error: Error) => reject(unreadable(error)));
  form.on("finish", () => void file.then(() => resolve(fields), reject));

  // A request that was read to its end closes too.
  const gone = () => {
    if (!request.complete) reject(new PackshotError("request_timeout", "The connection closed before the body ended."));
  };
  const silent = () => reject(new PackshotError("request_timeout", "The body did not arrive in time."));
  const silence = setTimeout(silent, silenceTimeoutMs);
  const heard = () => void silence.refresh();
  request.on("close", gone).on("data", heard).pipe(form);
  return promise.finally(() => {
    clearTimeout(silence);
    request.off("close", gone).off("data", heard).unpipe(form);
    form.on("error", () => {});
  });
}

function parserFor(request: IncomingMessage, fileBytesMax: number): BusboyInstance {
  try {
    return Busboy({
      headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" },
      // Whatever stands in `image` is the file: it is judged by its bytes.
      isPartAFile: (name, _type, filename) => name === "image" || filename !== undefined,
      limits: {
        files: 1,
        fields: fieldsMax,
        parts: fieldsMax + 1,
        fieldSize: fieldBytesMax,
        fieldNameSize: fieldNameBytesMax,
        // The parser's limit is reached by a file of exactly so many bytes.
        fileSize: fileBytesMax + 1,
        headerPairs: 20,
      },
    });
  } catch (error) {
    throw unreadable(error as Error);
  }
}

/** What was written so far must go. */
class FileNotTaken extends Error {
  readonly path: string;
  constructor(path: string, cause: unknown) {
    super("the form's file could not be stored", { cause });
    this.path = path;
  }
}

async function takeFile(stream: Readable, signal: AbortSignal): Promise<FormFile> {
  const path = join(formsFolder, randomUUID());
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(stream, measured, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
  } catch (error) {
    throw new FileNotTaken(path, error);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}
