/**
 * Edits a catalog's photos and brings the results where they belong. What was edited is in the journal of the folder of
 * results, as of `packshot edit`; what was delivered is in the journal of `sync`. So a run that was killed between the two
 * delivers what is edited, and pays for nothing twice.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createEditPhoto, type EditPhotoDeps, type PhotoOutcome } from "../edit/edit-photo.ts";
import type { Photo, PhotoFile } from "../edit/photo.ts";
import { isInside, type ResultFolder } from "../edit/result-folder.ts";
import { type EditRun, type EndedRun, runEdits } from "../edit/run-edits.ts";
import { CatalogError, type CatalogPhoto, type RemotePhoto } from "./catalog.ts";
import type { EditedSource, SyncJournal } from "./sync-journal.ts";

/** Larger photos are refused by every plan. */
const sourceBytesMax = 200 * 1024 * 1024;

export interface PhotoToSync {
  readonly photo: CatalogPhoto;
  /** `deliver`: an earlier run has edited it. `leave`: something else has its place. */
  readonly work: "edit" | "deliver" | "leave" | "none";
  /** What is in its place, where the journal does not know of it. */
  readonly there?: string;
}

export interface StateDeps {
  readonly folder: ResultFolder;
  readonly journal: SyncJournal;
  readonly settings: string;
}

export async function stateOf(
  photo: CatalogPhoto,
  { folder, journal, settings }: StateDeps,
  signal: AbortSignal,
): Promise<PhotoToSync> {
  const { kind } = folder.stateOf(asFile(photo, "", noFile), settings);
  if (photo.deliver === undefined) return { photo, work: kind === "done" ? "none" : "edit" };
  // A result that was delivered counts even if the copy of it here is gone.
  if (journal.deliveredAs({ ...photo, settings }) !== undefined) return { photo, work: "none" };
  if (kind === "done") return { photo, work: "deliver" };
  // So does one that is where it belongs, even if the journal is gone.
  const there = await photo.look?.(marksOf(photo, settings), signal);
  if (there === undefined) return { photo, work: "edit" };
  return { photo, work: there.kind === "delivered" ? "none" : "leave", there: there.name };
}

function marksOf({ id, version }: CatalogPhoto, settings: string) {
  return { mark: shortHash(id), edition: shortHash(JSON.stringify([id, version, settings])) };
}

export interface SyncPhotosDeps extends Omit<EditPhotoDeps, "force"> {
  readonly journal: SyncJournal;
  readonly parallel: number;
  readonly onOutcome: EditRun["onOutcome"];
}

export async function syncPhotos(photos: readonly PhotoToSync[], deps: SyncPhotosDeps): Promise<EndedRun> {
  const { folder, journal, signal, parallel, onOutcome } = deps;
  const settings = deps.settings.hash;
  const byId = new Map(photos.map((each) => [each.photo.id, each]));
  const work = await mkdtemp(join(tmpdir(), "packshot-sync-"));
  const editOne = createEditOne(deps, work);

  async function deliver(photo: CatalogPhoto, outcome: PhotoOutcome): Promise<PhotoOutcome> {
    if (photo.deliver === undefined || (outcome.kind !== "edited" && outcome.kind !== "done")) return outcome;
    if (journal.deliveredAs({ ...photo, settings }) !== undefined) return outcome;
    const { file } = outcome;
    const result = { path: join(folder.path, file), file, ...marksOf(photo, settings), signal };
    const { kind, name } = await photo.deliver(result);
    if (kind === "occupied") return { kind: "occupied", file: name };
    journal.deliver({ ...photo, settings }, name);
    return outcome;
  }

  async function syncOne({ id }: Photo): Promise<PhotoOutcome> {
    const found = byId.get(id)!;
    const { photo } = found;
    try {
      // Keys and slugs are somebody else's: such a photo is not paid for.
      if (!isInside(photo.resultName)) throw new CatalogError("Its name would lead out of the folder of results.");
      return await deliver(photo, await editOne(found));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CatalogError)) throw error;
      return { kind: "failed", code: "place_failed", message: error.message };
    }
  }

  async function* wanted(): AsyncGenerator<Photo, void> {
    for (const { photo } of photos) {
      if (signal.aborted) return;
      yield asFile(photo, "", noFile);
    }
  }

  try {
    return await runEdits({ photos: wanted(), parallel, editPhoto: syncOne, onOutcome });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

interface SourceFile {
  readonly path: string;
  readonly etag?: string | undefined;
}

/** @param work a folder for what is fetched */
function createEditOne(deps: SyncPhotosDeps, work: string): (found: PhotoToSync) => Promise<PhotoOutcome> {
  const { folder, journal, signal } = deps;
  const settings = deps.settings.hash;
  const editPhoto = createEditPhoto({ ...deps, force: false });
  let fetched = 0;

  async function editOne({ photo, work: what, there = "" }: PhotoToSync): Promise<PhotoOutcome> {
    const { source } = photo;
    if (what === "leave") return { kind: "occupied", file: there };
    if (what === "deliver") return await editPhoto(asFile(photo, "", noFile));
    if ("path" in source) return await editFile(photo, { path: source.path });
    const before = journal.sourceOf({ id: photo.id, settings });
    const etag = before?.etag === undefined ? undefined : await source.readEtag?.(signal);
    const isSame = etag !== undefined && before?.etag === etag;
    const kept = isSame ? await keepResult(photo, before) : undefined;
    return kept ?? (await fetchAndEdit(photo, source));
  }

  async function fetchAndEdit(photo: CatalogPhoto, source: RemotePhoto): Promise<PhotoOutcome> {
    fetched += 1;
    const path = join(work, `${fetched}${extname(photo.name) || ".jpg"}`);
    try {
      const { stream, etag } = await source.open(signal);
      await save(stream, path);
      return await editFile(photo, { path, etag });
    } finally {
      await rm(path, { force: true });
    }
  }

  async function editFile(photo: CatalogPhoto, { path, etag }: SourceFile): Promise<PhotoOutcome> {
    const file = asFile(photo, path, await sizeOf(path));
    const source = { sha256: await hashOf(path), etag };
    const before = journal.sourceOf({ id: photo.id, settings });
    const kept = before?.sha256 === source.sha256 ? await keepResult(photo, { ...before, etag }) : undefined;
    if (kept !== undefined) return kept;
    const outcome = await editPhoto(file);
    if (outcome.kind === "edited" || outcome.kind === "done") journal.noteSource({ ...photo, settings }, source);
    return outcome;
  }

  /**
   * A photo that was only touched, or has another address: nothing is paid for it again, and nothing delivered. undefined: what it
   * was edited to is not here any more.
   */
  async function keepResult(photo: CatalogPhoto, before: EditedSource): Promise<PhotoOutcome | undefined> {
    const { version } = before;
    const name = journal.deliveredAs({ id: photo.id, version, settings });
    const now = asFile(photo, "", noFile);
    const { fingerprint } = asFile({ ...photo, version }, "", noFile);
    if (name === undefined && !folder.keep(now, settings, fingerprint)) return undefined;
    journal.noteSource({ ...photo, settings }, before);
    if (name === undefined) return await editPhoto(now);
    journal.deliver({ ...photo, settings }, name);
    return { kind: "done", file: name };
  }

  return editOne;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

interface FileFacts {
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** For a photo that is not sent. */
const noFile: FileFacts = { bytes: 0, modifiedMs: 0 };

async function sizeOf(path: string): Promise<FileFacts> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CatalogError(`It cannot be read (${error.code}).`);
  });
  return { bytes: found.size, modifiedMs: found.mtimeMs };
}

function asFile(photo: CatalogPhoto, path: string, facts: FileFacts): PhotoFile {
  const { id, name, version, resultName } = photo;
  const label = name.slice(name.lastIndexOf("/") + 1);
  return { kind: "file", name, label, path, ...facts, id, fingerprint: `${id} ${version}`, resultName };
}

async function save(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  let bytes = 0;
  async function* limited(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > sourceBytesMax) throw new CatalogError(`It has more than ${sourceBytesMax} bytes.`);
      yield chunk;
    }
  }
  await pipeline(Readable.fromWeb(stream as never), limited, createWriteStream(path)).catch((error: unknown) => {
    if (error instanceof CatalogError) throw error;
    throw new CatalogError(`It could not be fetched (${(error as Error).message}).`);
  });
}
