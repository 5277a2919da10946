/**
 * Edits a catalog's photos and brings the results where they belong. What was edited is in the journal of the folder of
 * results, as of `packshot edit`; what was delivered is in the journal of `sync`. So a run that was killed between the two
 * delivers what is edited, and pays for nothing twice.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createEditPhoto, type EditPhotoDeps, type PhotoOutcome } from "../edit/edit-photo.ts";
import type { Photo, PhotoFile } from "../edit/photo.ts";
import { isInside, type ResultFolder } from "../edit/result-folder.ts";
import { type EditRun, type EndedRun, runEdits } from "../edit/run-edits.ts";
import { CatalogError, type CatalogPhoto } from "./catalog.ts";
import type { SyncJournal } from "./sync-journal.ts";

/** Larger photos are refused by every plan. */
const sourceBytesMax = 200 * 1024 * 1024;

export interface PhotoToSync {
  readonly photo: CatalogPhoto;
  /** `deliver`: an earlier run has edited it. */
  readonly work: "edit" | "deliver" | "none";
}

interface StateDeps {
  readonly folder: ResultFolder;
  readonly journal: SyncJournal;
  readonly settings: string;
}

export function stateOf(photo: CatalogPhoto, { folder, journal, settings }: StateDeps): PhotoToSync {
  const { kind } = folder.stateOf(asFile(photo, "", { bytes: 0, modifiedMs: 0 }), settings);
  if (photo.deliver === undefined) return { photo, work: kind === "done" ? "none" : "edit" };
  // A result that was delivered counts even if the copy of it here is gone.
  if (journal.isDelivered({ ...photo, settings })) return { photo, work: "none" };
  return { photo, work: kind === "done" ? "deliver" : "edit" };
}

export interface SyncPhotosDeps extends Omit<EditPhotoDeps, "force"> {
  readonly journal: SyncJournal;
  readonly parallel: number;
  readonly onOutcome: EditRun["onOutcome"];
}

export async function syncPhotos(photos: readonly CatalogPhoto[], deps: SyncPhotosDeps): Promise<EndedRun> {
  const { folder, journal, settings, signal, parallel, onOutcome } = deps;
  const editPhoto = createEditPhoto({ ...deps, force: false });
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  const work = await mkdtemp(join(tmpdir(), "packshot-sync-"));
  let sources = 0;

  async function editOne(photo: CatalogPhoto): Promise<PhotoOutcome> {
    const { source } = photo;
    if ("path" in source) return await editPhoto(asFile(photo, source.path, await sizeOf(source.path)));
    if (stateOf(photo, { folder, journal, settings: settings.hash }).work === "deliver") {
      return await editPhoto(asFile(photo, "", { bytes: 0, modifiedMs: 0 }));
    }
    sources += 1;
    const path = join(work, `${sources}${extname(photo.name) || ".jpg"}`);
    try {
      await save(await source.open(signal), path);
      return await editPhoto(asFile(photo, path, await sizeOf(path)));
    } finally {
      await rm(path, { force: true });
    }
  }

  async function deliver(photo: CatalogPhoto, outcome: PhotoOutcome): Promise<PhotoOutcome> {
    if (photo.deliver === undefined || (outcome.kind !== "edited" && outcome.kind !== "done")) return outcome;
    const { kind, name } = await photo.deliver({
      path: join(folder.path, outcome.file),
      extension: extname(outcome.file),
      mark: shortHash(photo.id),
      edition: shortHash(JSON.stringify([photo.id, photo.version, settings.hash])),
      signal,
    });
    if (kind === "occupied") return { kind: "occupied", file: name };
    journal.deliver({ id: photo.id, version: photo.version, settings: settings.hash }, name);
    return outcome;
  }

  async function syncOne({ id }: Photo): Promise<PhotoOutcome> {
    const photo = byId.get(id)!;
    try {
      // Keys and slugs are somebody else's: such a photo is not paid for.
      if (!isInside(photo.resultName)) throw new CatalogError("Its name would lead out of the folder of results.");
      return await deliver(photo, await editOne(photo));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CatalogError)) throw error;
      return { kind: "failed", code: "place_failed", message: error.message };
    }
  }

  async function* wanted(): AsyncGenerator<Photo, void> {
    for (const photo of photos) {
      if (signal.aborted) return;
      yield asFile(photo, "", { bytes: 0, modifiedMs: 0 });
    }
  }

  try {
    return await runEdits({ photos: wanted(), parallel, editPhoto: syncOne, onOutcome });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

interface FileFacts {
  readonly bytes: number;
  readonly modifiedMs: number;
}

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
