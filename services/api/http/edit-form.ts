/** A multipart edit: the file goes to a temporary place while its hash is taken; fields are flat, with dots. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import multer from "multer";
import { invalidRequest } from "./fault-words.ts";

const fieldsMax = 64;
const fieldBytesMax = 4 * 1024;

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

/** `use` gets the form; the temporary file is gone when it has ended. Throws `file_too_large`, `invalid_request`. */
export async function withEditForm<T>(
  request: IncomingMessage,
  response: ServerResponse,
  { fileBytesMax }: { fileBytesMax: number },
  use: (form: EditForm) => Promise<T>,
): Promise<T> {
  const paths: string[] = [];
  try {
    return await use(await readForm(request, response, fileBytesMax, paths));
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

async function readForm(
  request: IncomingMessage,
  response: ServerResponse,
  fileBytesMax: number,
  paths: string[],
): Promise<EditForm> {
  let file: FormFile | undefined;
  const storage: multer.StorageEngine = {
    _handleFile(_request, part, done) {
      takeFile(part.stream, paths).then(
        (taken) => {
          file = taken;
          done(null, { path: taken.path, size: taken.bytes });
        },
        (error: unknown) => done(error),
      );
    },
    _removeFile: (_request, _file, done) => done(null),
  };
  const form = multer({
    storage,
    limits: {
      files: 1,
      fields: fieldsMax,
      fieldSize: fieldBytesMax,
      fieldNameSize: 200,
      fileSize: fileBytesMax,
      parts: fieldsMax + 1,
    },
  }).single("image");
  await new Promise<void>((resolve, reject) => {
    form(request as Parameters<typeof form>[0], response as Parameters<typeof form>[1], (error: unknown) =>
      error === undefined || error === null ? resolve() : reject(formFault(error, fileBytesMax)),
    );
  });
  const { body } = request as unknown as { body?: Record<string, unknown> };
  return { fields: flatFields(body ?? {}), file };
}

async function takeFile(stream: NodeJS.ReadableStream, paths: string[]): Promise<FormFile> {
  const folder = join(tmpdir(), "packshot-forms");
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  paths.push(path);
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(stream, measure, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  return { path, bytes, sha256: hash.digest("hex") };
}

function flatFields(body: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== "string") throw invalidRequest(`The form field "${name}" is given twice.`, { field: name });
    fields[name] = value;
  }
  return fields;
}

function formFault(error: unknown, fileBytesMax: number): PackshotError {
  if (error instanceof PackshotError) return error;
  const { code, field, message } = error as { code?: string; field?: string; message?: string };
  if (code === "LIMIT_FILE_SIZE") {
    return new PackshotError("file_too_large", `The plan allows files of ${fileBytesMax} bytes.`);
  }
  if (code === "LIMIT_UNEXPECTED_FILE") {
    return invalidRequest(`The form has one file, "image"; "${field ?? ""}" is another.`, { field: field ?? "" });
  }
  if (code === "LIMIT_FIELD_VALUE") return invalidRequest(`The form field "${field ?? ""}" is too long.`);
  return invalidRequest(`The form cannot be read: ${message ?? "it is malformed"}.`);
}
