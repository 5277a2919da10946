import type { PlanLimits } from "../accounts/plan.ts";
import { controlCharacters } from "../control-characters.ts";
import { PackshotError } from "../errors.ts";

/** An upload session. The bytes are sent to its address once; edits then name only its id. */
export interface Upload {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  /** false: created with a test key, for sandbox jobs. */
  readonly live: boolean;
  readonly contentType: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Files that hold the rows of a batch, and no photo. */
export const rowFileFormats: Readonly<Record<string, "csv" | "ndjson">> = {
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
};

/** Names that browsers and old programs give to these types. */
const aliases: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-png": "image/png",
};

/** `image/jpeg` for `image/jpeg; charset=binary`, which says no more of the file, and for `IMAGE/JPG`. */
export function uploadTypeOf(contentType: string): string {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  return aliases[type] ?? type;
}

/** A file's declared name as it is kept: without folders, and nothing in it that deceives whoever is shown it. */
export function safeFilename(declared: string): string {
  const last = declared.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  const safe = last.replaceAll(controlCharacters, "_").toWellFormed();
  return ["", ".", ".."].includes(safe) ? "_" : safe;
}

/** What is drawn by lines, and formats that no program of the service opens: a session for them would end in a failed edit. */
const neverEditedTypes: ReadonlySet<string> = new Set([
  "image/svg+xml",
  "image/bmp",
  "image/x-ms-bmp",
  "image/vnd.microsoft.icon",
  "image/x-icon",
  "image/jxl",
  "image/jp2",
  "image/vnd.adobe.photoshop",
]);

/** Throws `unsupported_media_type` for a media type of which no photo is edited. What the bytes are is known when they are. */
export function assertEditableType(mediaType: string): void {
  if (!neverEditedTypes.has(mediaType)) return;
  const message = `"contentType": ${mediaType} cannot be edited. Send JPEG, PNG, WebP, AVIF, TIFF or GIF, with its own type.`;
  throw new PackshotError("unsupported_media_type", message, { details: { field: "contentType" } });
}

/** A million rows of 500 bytes. */
const rowFileBytesMax = 512 * 1024 * 1024;

/** The most bytes that an upload session of this media type may have. */
export function uploadBytesMax(mediaType: string, { maxFileSizeBytes }: PlanLimits): number {
  return Object.hasOwn(rowFileFormats, mediaType) ? rowFileBytesMax : maxFileSizeBytes;
}
