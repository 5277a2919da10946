/** Responds with a job's result as remove.bg does: the image itself, or JSON with the image in base64. */
import type { ServerResponse } from "node:http";
import { Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { CompletedJob } from "@packshot/domain/jobs/job.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { RemoveBgRequest } from "./removebg-request.ts";

/** A client that reads nothing for so long is gone. */
const stallTimeoutMs = 60_000;

interface Foreground {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** JSON only for clients that name it alone: those that take anything, as most libraries say by themselves, get the image. */
export function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && /\bapplication\/json\b/i.test(accept) && !accept.includes("*/*");
}

export async function sendResult(
  { storage }: { readonly storage: Storage },
  response: ServerResponse,
  { job, request, json }: { readonly job: CompletedJob; readonly request: RemoveBgRequest; readonly json: boolean },
): Promise<void> {
  const foreground = job.report.foreground as Foreground | undefined;
  // An error has them, too: the edit is done and charged, whatever becomes of its response.
  const headers = resultHeaders(job, request, foreground);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const file = await storage.open(job.result.key).catch((cause: unknown) => {
    throw unreadable(job, cause);
  });
  if (file === undefined) throw unreadable(job);
  response.setHeader("Cache-Control", "no-store");
  response.setTimeout(stallTimeoutMs, () => response.destroy());
  response.statusCode = 200;
  if (json) {
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    const [start, end] = jsonAround(foreground);
    response.setHeader("Content-Length", String(start.length + 4 * Math.ceil(file.bytes / 3) + end.length));
    const whole = Readable.from(around(start, file.stream.pipe(new Base64Encoder()), end), { objectMode: false });
    await pipeline(whole, response).catch(() => response.destroy());
    return;
  }
  response.setHeader("Content-Type", job.result.contentType);
  response.setHeader("Content-Length", String(file.bytes));
  const extension = job.result.contentType === "image/jpeg" ? "jpg" : job.result.contentType.replace("image/", "");
  response.setHeader("Content-Disposition", `attachment; filename="no-bg.${extension}"`);
  await pipeline(file.stream, response).catch(() => response.destroy());
}

/** The answer names the charge: a client that just sends the photo again pays twice. */
function unreadable({ id, creditsCharged }: CompletedJob, cause?: unknown): PackshotError {
  const message = `The image is ready and cost ${creditsCharged}, but cannot be read now: get it by GET /v1/jobs/${id}.`;
  return new PackshotError("unavailable", message, { cause });
}

function resultHeaders(
  job: CompletedJob,
  { type, unsupported }: RemoveBgRequest,
  foreground: Foreground | undefined,
): Record<string, string> {
  const { result, creditsCharged } = job;
  return {
    "X-Credits-Charged": String(creditsCharged),
    ...(result.width === undefined ? {} : { "X-Width": String(result.width) }),
    ...(result.height === undefined ? {} : { "X-Height": String(result.height) }),
    ...(type === undefined ? {} : { "X-Type": type }),
    ...(foreground === undefined
      ? {}
      : {
          "X-Foreground-Top": String(foreground.top),
          "X-Foreground-Left": String(foreground.left),
          "X-Foreground-Width": String(foreground.width),
          "X-Foreground-Height": String(foreground.height),
        }),
    "X-Packshot-Job": job.id,
    ...(unsupported.length === 0 ? {} : { "X-Packshot-Unsupported": headerText(unsupported) }),
  };
}

const headerLengthMax = 500;

/** Names come from the request: what no header may have is left out. */
function headerText(unsupported: readonly string[]): string {
  const names = unsupported.map((name) => name.replaceAll(/[^\x20-\x7e]|,/g, "?"));
  return names.join(", ").slice(0, headerLengthMax);
}

/** The JSON before and after the image's base64. */
function jsonAround(foreground: Foreground | undefined): readonly [start: string, end: string] {
  const box =
    foreground === undefined
      ? {}
      : {
          foreground_top: foreground.top,
          foreground_left: foreground.left,
          foreground_width: foreground.width,
          foreground_height: foreground.height,
        };
  const [start, end] = JSON.stringify({ data: { result_b64: "|", ...box } }).split("|");
  return [start!, end!];
}

async function* around(start: string, content: AsyncIterable<unknown>, end: string): AsyncGenerator<Buffer | string> {
  yield start;
  for await (const chunk of content) yield chunk as Buffer;
  yield end;
}

/** Three bytes are four characters: what is left of a chunk waits for the next. */
class Base64Encoder extends Transform {
  private rest: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    this.rest = bytes.subarray(whole);
    done(null, bytes.subarray(0, whole).toString("base64"));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.rest.toString("base64"));
  }
}
