/** Edits the photos that a workflow names, some at a time. */
import { createHash } from "node:crypto";
import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { basename, dirname, join, normalize, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { namesOfResults } from "@packshot/domain/edits/result-names.ts";
import { type Packshot, PackshotError, type ToolId } from "@packshot/sdk/packshot.ts";

export interface EditRequest {
  /** Files and folders, against the current one. */
  readonly photos: readonly string[];
  readonly out: string;
  readonly tool: ToolId;
  readonly preset?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly parallel: number;
}

export type PhotoResult =
  | {
      readonly photo: string;
      readonly file: string;
      readonly jobId: string;
      readonly quality: string;
      readonly credits: number;
    }
  | { readonly photo: string; readonly code: string; readonly message: string };

const photoNames = /\.(jpe?g|png|webp|avif|tiff?|gif|heic|heif)$/i;
/** Faults with which the next photo would not fare better. */
const concernsAll: readonly string[] = ["unauthenticated", "insufficient_credits", "api_disabled", "scope_missing"];

const isGone: readonly string[] = ["job_expired", "job_deleted", "job_cancelled"];

export interface EditedPhotos {
  /** In the order of the photos. */
  readonly results: readonly PhotoResult[];
  /** Why the others were not tried. */
  readonly error?: unknown;
}

/** After an error that concerns all of them no further photo is begun. */
export async function editPhotos(client: Packshot, request: EditRequest): Promise<EditedPhotos> {
  const photos = await findPhotos(request.photos, resolve(request.out));
  if (photos.length === 0) throw new Error(`there are no photos in ${request.photos.join(", ")}`);
  const results: (PhotoResult | undefined)[] = [];
  const errors: unknown[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < photos.length && errors.length === 0) {
      const index = next++;
      try {
        results[index] = await editPhoto(client, request, photos[index]!);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: request.parallel }, work));
  return { results: results.filter((result) => result !== undefined), ...(errors.length > 0 && { error: errors[0] }) };
}

interface FoundPhoto {
  readonly path: string;
  /** Below the folder of results, without an extension. */
  readonly resultName: string;
}

async function findPhotos(given: readonly string[], out: string): Promise<FoundPhoto[]> {
  /** By their absolute paths: a folder may be given twice, in two spellings. */
  const found = new Map<string, { readonly path: string; readonly below: string }>();
  for (const name of given) {
    const isFolder = (await stat(name)).isDirectory();
    const entries = isFolder ? await readdir(name, { recursive: true }) : [name];
    for (const entry of entries.filter((each) => photoNames.test(each)).sort()) {
      const path = isFolder ? join(name, entry) : normalize(entry);
      const absolute = resolve(path);
      if (found.has(absolute) || absolute.startsWith(`${out}/`)) continue;
      found.set(absolute, { path, below: isFolder ? entry : basename(path) });
    }
  }
  const photos = [...found.values()];
  const names = namesOfResults(photos.map(({ path, below }) => ({ path: relative(".", path), below })));
  return photos.map(({ path }, index) => ({ path, resultName: names[index]! }));
}

async function editPhoto(client: Packshot, request: EditRequest, photo: FoundPhoto): Promise<PhotoResult> {
  const { tool, preset, parameters, out } = request;
  const { path, resultName } = photo;
  try {
    // The same bytes with the same settings are the same edit in each run, for as long as its result is kept.
    const hash = createHash("sha256").update(JSON.stringify([tool, preset, parameters, path]));
    const idempotencyKey = `action-${hash
      .update(await readFile(path))
      .digest("hex")
      .slice(0, 40)}`;
    const source = await openAsBlob(path);
    const options = { ...(preset !== undefined && { preset }), parameters, metadata: { photo: path.slice(-200) } };
    const edited = await editAnew((number) =>
      client.edit(tool, source, { ...options, idempotencyKey: `${idempotencyKey}-${number}` }),
    );
    const { stream, contentType } = await edited.download();
    const file = join(out, `${resultName}.${contentType === "image/jpeg" ? "jpg" : contentType.replace("image/", "")}`);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(Readable.fromWeb(stream as never), createWriteStream(`${file}.part`));
    await rename(`${file}.part`, file);
    const { id: jobId, report, creditsCharged: credits } = edited.job;
    return { photo: path, file, jobId, quality: report?.quality ?? "ok", credits };
  } catch (error) {
    if (!(error instanceof PackshotError) || concernsAll.includes(error.code)) throw error;
    return { photo: path, code: error.code, message: error.message };
  }
}

/** A key is remembered for a day, and results are kept for an hour: so often may there be one whose result is gone. */
const editsOfDayMax = 25;

/** The edit of an earlier run, or where its result is gone a new one, which runs of the next hour find in its turn. */
async function editAnew<T>(edit: (number: number) => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await edit(number);
    } catch (error) {
      const isOver = error instanceof PackshotError && isGone.includes(error.code);
      if (!isOver || number === editsOfDayMax) throw error;
    }
  }
}
