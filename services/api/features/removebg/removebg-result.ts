/** Responds with a job's result as remove.bg does: the image itself, or JSON with the image in base64. */
import type { ServerResponse } from "node:http";
import { Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ErrorCode, errorCatalog, PackshotError } from "@packshot/domain/errors.ts";
import type { CompletedJob } from "@packshot/domain/jobs/job.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { ApiResponse } from "../../http/call.ts";
import { errorResponse } from "../../http/respond.ts";
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

/** Errors as clients of remove.bg know them: `{errors: [{title, code, detail}]}`, with its codes and statuses. */
interface Translation {
  /** Absent: as in our own catalog. */
  readonly status?: number;
  readonly code: string;
  readonly title: string;
}

/** Codes without a line here keep their own name and status. */
const translations: Readonly<Partial<Record<ErrorCode, Translation>>> = {
  unauthenticated: { status: 403, code: "auth_failed", title: "API Key invalid" },
  api_disabled: { code: "auth_failed", title: "API access is suspended" },
  insufficient_credits: { code: "insufficient_credits", title: "Insufficient credits" },
  rate_limit_exceeded: { code: "rate_limit_exceeded", title: "Rate limit exceeded" },
  queue_full: { code: "rate_limit_exceeded", title: "Too many photos wait already" },
  file_too_large: { status: 400, code: "file_too_large", title: "File too large" },
  image_too_large: { status: 400, code: "resolution_too_high", title: "Image resolution too high" },
  unsupported_media_type: { status: 400, code: "invalid_file_type", title: "Invalid file type" },
  image_unreadable: { status: 400, code: "failed_to_read_image", title: "There was an error reading the image" },
  no_product_found: { status: 400, code: "unknown_foreground", title: "Could not identify foreground in image" },
  source_unreachable: { status: 400, code: "failed_image_download", title: "Failed to download image" },
  source_forbidden: { status: 400, code: "failed_image_download", title: "Failed to download image" },
  background_unusable: { status: 400, code: "failed_bg_download", title: "Failed to read background image" },
  region_out_of_bounds: { status: 400, code: "roi_exceeds_bounds", title: "ROI exceeds image bounds" },
  model_unavailable: { code: "model_unavailable", title: "The model is not available" },
  deadline_exceeded: { status: 504, code: "timeout", title: "The image took too long" },
};

/** Problems that remove.bg has codes for, and we have none of our own. */
const titlesOfProblems: Readonly<Record<string, string>> = {
  missing_source: "No image given",
  multiple_sources: "Multiple image sources given",
  multiple_bg_sources: "Multiple background sources given",
  roi_exceeds_bounds: "ROI exceeds image bounds",
  roi_region_empty: "ROI region is empty",
};

export function removeBgErrorResponse(error: PackshotError, requestId: string): ApiResponse {
  const { status, headers } = errorResponse(error, requestId);
  const translated = translate(error);
  const { "WWW-Authenticate": _, ...kept } = headers ?? {};
  return {
    status: translated.status ?? status,
    headers: kept,
    body: { errors: [{ title: translated.title, code: translated.code, detail: detailOf(error) }] },
  };
}

/** What fetches or cuts out a photo names our own fields, whichever interface the client speaks. */
function detailOf({ code, message }: PackshotError): string {
  if (code === "no_product_found") return withoutOwnFields(message);
  const isOfBackground = code === "background_unusable";
  return message.replaceAll(/\bimageUrl\b/g, isOfBackground ? "bg_image_url" : "image_url");
}

/** Remedies that the client has, and another one where it has none of them. */
function withoutOwnFields(message: string): string {
  const [problem = message, ...remedies] = message.split(/(?<=\.) /);
  const possible = remedies.filter((remedy) => !/\b(point|region|maskImage|existingAlpha)\b/.test(remedy));
  const isCaused = problem.includes(":");
  const instead = problem.includes("in the region") ? "Widen the roi." : "Name it by roi.";
  const said = possible.length > 0 || isCaused ? possible : [instead];
  return [problem.replace("in the region", "in the roi"), ...said].join(" ");
}

/** Our own names of what the client has by others. */
const clientFields: Readonly<Record<string, string>> = {
  imageUrl: "image_url",
  "parameters.background": "bg_image_url",
  "parameters.backgroundImage": "bg_image_url",
};

function translate({ code, details }: PackshotError): Translation {
  if (code !== "invalid_request") return translations[code] ?? { code, title: errorCatalog[code].meaning };
  const { problem, field } = (details ?? {}) as { readonly problem?: string; readonly field?: string };
  if (problem !== undefined) return { code: problem, title: titlesOfProblems[problem] ?? problem };
  if (field === undefined) return { code, title: "Invalid request" };
  if (field === "image_file_b64")
    return { code: "failed_to_read_image", title: "There was an error reading the image" };
  const name = clientFields[field] ?? field;
  return { code: `invalid_${name}`, title: `Invalid value for parameter '${name}'` };
}
