/**
 * What became of the rows of a batch, in storage: each settlement adds a file to the folder of each segment that it has
 * outcomes for, and the files of an ended segment are made into one. The order of files means nothing: of the lines of a row
 * the newest holds, so a file that is written twice, or is there beside the one made of it, changes nothing.
 */
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { RowOutcome } from "./row.ts";
import { type BatchFolder, parseLines } from "./row-segments.ts";

export interface OutcomeFileName {
  /** Sequences of the events that it was made from. */
  readonly first: number;
  readonly last: number;
}

export interface OutcomeFiles {
  /** The same name with the same outcomes may be written again after a kill. */
  add(batch: BatchFolder, segment: number, name: OutcomeFileName, outcomes: readonly RowOutcome[]): Promise<void>;
  /** The outcome that holds of each row that has one. */
  read(batch: BatchFolder, segment: number): Promise<ReadonlyMap<number, RowOutcome>>;
  /** Makes one file of those that there are. It may be killed at any time, and run in several processes. */
  compact(batch: BatchFolder, segment: number): Promise<void>;
}

type OutcomeStorage = Pick<Storage, "read" | "write" | "list" | "deletePrefix">;

/** A file holds a thousand outcomes, mostly of a kilobyte each. */
const fileBytesMax = 64 * 1024 * 1024;
const readsMax = 8;
/** Each time another process has compacted the segment meanwhile. */
const attemptsMax = 10;
const fileName = /^(?:compact|\d+)-(\d+)\.ndjson$/;

interface OutcomeFile {
  readonly key: string;
  readonly last: number;
}

export function createOutcomeFiles(storage: OutcomeStorage): OutcomeFiles {
  const folderOf = ({ accountId, id }: BatchFolder, segment: number) =>
    storageKeys.batchOutcomes(accountId, id, segment);
  const limit = createLimiter(readsMax);

  async function write(key: string, outcomes: Iterable<RowOutcome>): Promise<void> {
    const text = Array.from(outcomes, (outcome) => `${JSON.stringify(outcome)}\n`).join("");
    await storage.write(key, Buffer.from(text), { bytesMax: fileBytesMax });
  }

  async function list(folder: string): Promise<OutcomeFile[]> {
    const files: OutcomeFile[] = [];
    for await (const { key } of storage.list(folder)) {
      const last = fileName.exec(key.slice(folder.length))?.[1];
      if (last !== undefined) files.push({ key, last: Number(last) });
    }
    return files;
  }

  async function readFolder(folder: string) {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const files = await list(folder);
      const texts = await Promise.all(
        files.map(({ key }) => limit(() => storage.read(key, { bytesMax: fileBytesMax }))),
      );
      if (texts.some((text) => text === undefined)) continue;
      const outcomes = new Map<number, RowOutcome>();
      for (const text of texts) for (const outcome of parseLines<RowOutcome>(text!)) keepNewest(outcomes, outcome);
      return { files, outcomes };
    }
    throw new Error(`the files of ${folder} vanish again and again while they are read`);
  }

  return {
    async add(batch, segment, { first, last }, outcomes) {
      await write(`${folderOf(batch, segment)}${first}-${last}.ndjson`, outcomes);
    },
    async read(batch, segment) {
      return (await readFolder(folderOf(batch, segment))).outcomes;
    },
    async compact(batch, segment) {
      const folder = folderOf(batch, segment);
      const { files, outcomes } = await readFolder(folder);
      if (files.length < 2) return;
      const key = `${folder}compact-${Math.max(...files.map(({ last }) => last))}.ndjson`;
      failpoint("compact-outcomes:before-write");
      await write(key, outcomes.values());
      for (const file of files) {
        if (file.key === key) continue;
        failpoint("compact-outcomes:before-delete");
        await storage.deletePrefix(file.key);
      }
    },
  };
}

function keepNewest(outcomes: Map<number, RowOutcome>, outcome: RowOutcome): void {
  const known = outcomes.get(outcome.row);
  const isNewer =
    known === undefined || outcome.try > known.try || (outcome.try === known.try && outcome.sequence >= known.sequence);
  if (isNewer) outcomes.set(outcome.row, outcome);
}
