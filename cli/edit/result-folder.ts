/**
 * The folder of results, and what is known of them: `.packshot/edits.ndjson` has a line for each edit that ended. A result
 * is written to `.packshot/parts` and renamed, so that half a file never looks like one. The cases of a run that goes on:
 *
 * - the photo and the settings are those of the line, and its file is there: done
 * - either is another one: the photo is edited anew, and its result replaced
 * - there is a file of that name, and no line: it is not ours, or a run was killed before it wrote the line; it stays
 *
 * That a result exists is not enough to skip its photo: the photo or the tool may have changed. A hash of the photo's bytes would
 * be surer than size and time of change, but would read each photo at every start. Names that carry the settings
 * (`mug.mask.800.png`) need no journal, but shops want their photos' names back. What was sent and not fetched is found by its
 * idempotency key: a hash of the photo's identity, the settings, and how often this edit failed before. So a failed edit is
 * made anew in the next run and an interrupted one is not; nothing is cancelled on Ctrl-C.
 *
 * The folder may be somebody else's: a line that names anything outside of it is passed over, and no link in it is followed.
 */

import {
  appendFileSync,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extensionOf, resultExtensions } from "@packshot/domain/file-extension.ts";
import { isAlive } from "@packshot/platform/lifecycle/is-alive.ts";
import { CommandError } from "../command-line/command.ts";
import type { Photo } from "./photo.ts";

/** One of `outputs` that could not be made. */
export interface FailedFile {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** A line of the file. */
export interface EditRecord {
  readonly photo: string;
  readonly fingerprint: string;
  /** A hash of tool, parameters and preset. */
  readonly settings: string;
  readonly resultName: string;
  /** Below the folder; absent where the edit failed. */
  readonly file?: string;
  readonly shadow?: string;
  /** Those of an edit with several results beside the first. */
  readonly further?: readonly string[];
  readonly failedFiles?: readonly FailedFile[];
  readonly jobId?: string;
  readonly quality?: string;
  readonly reasons?: readonly string[];
  /** Why it failed. */
  readonly code?: string;
}

export type ResultState =
  | { readonly kind: "done"; readonly record: EditRecord }
  | { readonly kind: "occupied"; readonly file: string }
  /** `failures`: how often exactly this edit failed before. */
  | { readonly kind: "wanted"; readonly failures: number };

export interface NewResult {
  readonly contentType: string;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface ResultFolder {
  readonly path: string;
  stateOf(photo: Photo, settings: string): ResultState;
  /**
   * Resolves with the file's name below the folder once it is there as a whole. What belongs to a result, as its shadow
   * and its variations and layers do, has the result's name with this after it: `mug.shadow.png`.
   */
  save(photo: Photo, result: NewResult, companion?: string): Promise<string>;
  /** The photo's bytes are those of the fingerprint `before`, whose result holds. false: that is not the one that the folder has. */
  keep(photo: Photo, settings: string, before: string): boolean;
  record(photo: Photo, entry: Omit<EditRecord, "photo" | "fingerprint" | "resultName">): void;
  /** Removes what this run began. */
  close(): void;
}

/** `isLooking`: nothing is written or removed. Throws a CommandError where the folder cannot be written. */
export function openResultFolder(path: string, { isLooking = false } = {}): ResultFolder {
  const journal = join(path, ".packshot", "edits.ndjson");
  const parts = join(path, ".packshot", "parts");
  try {
    refuseLinks(path, [".packshot", ".packshot/parts", ".packshot/edits.ndjson"]);
    if (!isLooking) {
      mkdirSync(parts, { recursive: true });
      // A part of this process's number is that of an earlier process.
      removeLeftParts(parts, process.pid);
      endLastLine(journal);
    }
  } catch (error) {
    throw cannotWrite(path, error);
  }
  const records = new Map<string, EditRecord>();
  const failures = new Map<string, number>();
  const ownerOf = new Map<string, string>();
  const ownFiles = new Set<string>();
  for (const record of readRecords(journal)) note(record);
  let partNumber = 0;

  function note(record: EditRecord): void {
    records.set(record.photo, record);
    ownerOf.set(record.resultName, record.photo);
    const edit = editKey(record, record.settings);
    if (record.file === undefined) failures.set(edit, (failures.get(edit) ?? 0) + 1);
    else ownFiles.add(record.file);
    if (record.shadow !== undefined) ownFiles.add(record.shadow);
    for (const file of record.further ?? []) ownFiles.add(file);
  }

  /** Photos of one name in several folders, or of several types, get a number; and the same one in the next run. */
  function nameOf({ id, resultName }: Photo): string {
    return records.get(id)?.resultName ?? claimName(id, resultName);
  }

  function claimName(id: string, wanted: string, isTaken = (_name: string) => false): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted}-${number}`;
      const owner = ownerOf.get(name) ?? id;
      if (owner !== id || isTaken(name)) continue;
      ownerOf.set(name, id);
      return name;
    }
  }

  function append(record: EditRecord): void {
    try {
      appendFileSync(journal, `${JSON.stringify(record)}\n`);
    } catch (error) {
      throw cannotWrite(path, error);
    }
    note(record);
  }

  function doneRecord({ id, fingerprint }: Pick<Photo, "id" | "fingerprint">, settings: string) {
    const record = records.get(id);
    const hasFile = record?.file !== undefined && existsSync(join(path, record.file));
    const isSame = record?.fingerprint === fingerprint && record.settings === settings;
    return hasFile && isSame ? record : undefined;
  }

  const isOfAnother = (file: string) => !ownFiles.has(file) && existsSync(join(path, file));

  return {
    path,
    stateOf(photo, settings) {
      const record = doneRecord(photo, settings);
      if (record !== undefined) return { kind: "done", record };
      const name = nameOf(photo);
      const file = resultExtensions.map((extension) => `${name}.${extension}`).find(isOfAnother);
      if (file !== undefined) return { kind: "occupied", file };
      return { kind: "wanted", failures: failures.get(editKey(photo, settings)) ?? 0 };
    },

    async save(photo, { contentType, stream }, companion) {
      const extension = extensionOf(contentType);
      const isTaken = (name: string) => isOfAnother(`${name}.${extension}`);
      const name =
        companion === undefined ? nameOf(photo) : claimName(photo.id, `${nameOf(photo)}.${companion}`, isTaken);
      const file = `${name}.${extension}`;
      if (!isInside(file)) throw new CommandError(`a result may not be named ${file}: that leads out of its folder.`);
      partNumber += 1;
      const part = join(parts, `${process.pid}-${partNumber}`);
      try {
        // On the disk before it has its name: a power failure must not leave an empty result.
        await pipeline(Readable.fromWeb(stream), createWriteStream(part, { flags: "wx", flush: true }));
        await makeFolderInside(path, dirname(file));
        await rename(part, join(path, file));
        if (companion !== undefined) ownFiles.add(file);
      } catch (error) {
        rmSync(part, { force: true });
        throw isFileFault(error) ? cannotWrite(path, error) : error;
      }
      return file;
    },

    keep(photo, settings, before) {
      const record = doneRecord({ id: photo.id, fingerprint: before }, settings);
      if (record === undefined) return false;
      append({ ...record, fingerprint: photo.fingerprint });
      return true;
    },

    record(photo, entry) {
      append({ photo: photo.id, fingerprint: photo.fingerprint, resultName: nameOf(photo), ...entry });
    },

    close() {
      if (!isLooking) removeLeftParts(parts, process.pid);
    },
  };
}

function editKey({ fingerprint }: { readonly fingerprint: string }, settings: string): string {
  return `${settings} ${fingerprint}`;
}

function readRecords(journal: string): EditRecord[] {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const record: unknown = JSON.parse(line);
        return isRecord(record) ? [record] : [];
      } catch {
        // The end of the file, or a line that a kill has cut.
        return [];
      }
    });
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);
const isInsideOrAbsent = (value: unknown) => value === undefined || isInside(value);

function isRecord(value: unknown): value is EditRecord {
  if (typeof value !== "object" || value === null) return false;
  const {
    photo,
    fingerprint,
    settings,
    resultName,
    file,
    shadow,
    further = [],
    failedFiles = [],
    jobId,
    quality,
    reasons,
    code,
  } = value as EditRecord;
  return (
    [photo, fingerprint, settings].every(isText) &&
    isInside(resultName) &&
    Array.isArray(further) &&
    [file, shadow, ...further].every(isInsideOrAbsent) &&
    Array.isArray(failedFiles) &&
    failedFiles.every(isFailedFile) &&
    [jobId, quality, code].every(isTextOrAbsent) &&
    (reasons === undefined || (Array.isArray(reasons) && reasons.every(isText)))
  );
}

function isFailedFile(file: unknown): boolean {
  if (typeof file !== "object" || file === null) return false;
  const { name, code, message } = file as FailedFile;
  return [name, code, message].every(isText);
}

/** Below the folder of results, and not in that of the journal. */
export function isInside(name: unknown): boolean {
  if (typeof name !== "string" || name.includes("\0") || isAbsolute(name)) return false;
  const [first] = normalize(name).split(sep);
  return first !== ".." && first !== "." && first !== ".packshot";
}

/**
 * Throws a CommandError where one of these names in the folder is a link: what it leads to is not the folder's, and could be any file
 * that whoever runs this may write.
 */
export function refuseLinks(path: string, names: readonly string[]): void {
  for (const name of names) {
    if (lstatSync(join(path, name), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new CommandError(`${join(path, name)} is a link, which is not followed; choose another folder.`);
  }
}

async function makeFolderInside(path: string, folder: string): Promise<void> {
  const names = folder.split(sep);
  refuseLinks(
    path,
    names.map((_, index) => names.slice(0, index + 1).join(sep)),
  );
  await mkdir(join(path, folder), { recursive: true });
}

/** After a line that a kill has cut, the next one begins anew. */
function endLastLine(journal: string): void {
  if (existsSync(journal) && !readFileSync(journal, "utf8").endsWith("\n")) appendFileSync(journal, "\n");
}

/** Those of processes that have ended, and of `own`. */
function removeLeftParts(parts: string, own?: number): void {
  for (const name of readdirSync(parts)) {
    if (!/^\d+-\d+$/.test(name)) continue;
    const pid = Number(name.split("-")[0]);
    if (pid === own || !isAlive(pid)) rmSync(join(parts, name), { force: true });
  }
}

/** A download that breaks off has another shape: its error comes from the connection. */
function isFileFault(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === "string";
}

function cannotWrite(path: string, error: unknown): Error {
  if (error instanceof CommandError || !isFileFault(error)) return error as Error;
  const { code } = error as NodeJS.ErrnoException;
  return new CommandError(`the folder ${path} cannot be written (${code}); choose another with --out.`);
}
