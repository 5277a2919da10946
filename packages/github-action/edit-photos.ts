/** Edits the photos that a workflow names, some at a time. */
import { createHash } from "node:crypto";
import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
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
/** Faults of one photo. With any other error the next photo would not fare better. */
const concernsAll: readonly string[] = ["unauthenticated", "insufficient_credits", "api_disabled", "scope_missing"];

const isGone: readonly string[] = ["job_expired", "job_deleted", "job_cancelled"];

/** In the order of the photos. Rejects with an error that concerns all of them. */
export async function editPhotos(client: Packshot, request: EditRequest): Promise<PhotoResult[]> {
  const photos = await findPhotos(request.photos, resolve(request.out));
  if (photos.length === 0) throw new Error(`there are no photos in ${request.photos.join(", ")}`);
  const results: PhotoResult[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < photos.length) {
      const index = next++;
      results[index] = await editPhoto(client, request, photos[index]!);
    }
  }
  await Promise.all(Array.from({ length: request.parallel }, work));
  return results;
}

interface FoundPhoto {
  readonly path: string;
  /** Below the folder of results, without an extension. */
  readonly resultName: string;
}

async function findPhotos(given: readonly string[], out: string): Promise<FoundPhoto[]> {
  const found = new Map<string, FoundPhoto>();
  for (const name of given) {
    const isFolder = (await stat(name)).isDirectory();
    const entries = isFolder ? await readdir(name, { recursive: true }) : [name];
    for (const entry of entries.filter((each) => photoNames.test(each)).sort()) {
      const path = isFolder ? join(name, entry) : entry;
      if (!resolve(path).startsWith(`${out}/`)) {
        const below = isFolder ? entry : relative(dirname(path), path);
        found.set(path, { path, resultName: below.slice(0, -extname(below).length) });
      }
    }
  }
  return [...found.values()];
}

async function editPhoto(client: Packshot, request: EditRequest, photo: FoundPhoto): Promise<PhotoResult> {
  const { tool, preset, parameters, out } = request;
  const { path, resultName } = photo;
  try {
    // The same bytes with the same settings are the same edit in each run of the workflow: it is not paid again.
    const hash = createHash("sha256").update(JSON.stringify([tool, preset, parameters, path]));
    const idempotencyKey = `action-${hash
      .update(await readFile(path))
      .digest("hex")
      .slice(0, 40)}`;
    const source = await openAsBlob(path);
    const options = { ...(preset !== undefined && { preset }), parameters, metadata: { photo: path.slice(-200) } };
    const edited = await client.edit(tool, source, { ...options, idempotencyKey }).catch((error: unknown) => {
      // An earlier run made it, and its result is gone: only a new edit helps.
      if (error instanceof PackshotError && isGone.includes(error.code)) return client.edit(tool, source, options);
      throw error;
    });
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
