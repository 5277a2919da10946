/** Batches: the photos of a catalog, from a few items to a file of a million rows. */
import { type Download, download } from "./download.ts";
import { paginate } from "./paginate.ts";
import { type PhotoSource, readSource } from "./photo-source.ts";
import { readRows } from "./read-rows.ts";
import type { Batch, BatchDryRun, BatchItem, BatchOptions, BatchRow, PageSize } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";
import { waitForBatch, type WaitForBatchOptions } from "./wait-for-batch.ts";
import { withUpload } from "./with-upload.ts";

/** Rows as they are, at most 1,000; or a file of at most 1,000,000. */
export type NewBatch = BatchOptions & (BatchItems | BatchFile);

interface BatchItems {
  readonly items: readonly BatchItem[];
  readonly file?: never;
}

interface BatchFile {
  readonly items?: never;
  /** A file or bytes with the rows; a stream of them, which is collected; or an upload session that has them. */
  readonly file: Exclude<PhotoSource, string | URL>;
  /** Absent: what the type or the name of a File says. */
  readonly format?: "csv" | "ndjson";
}

interface Creation extends Waiting {
  /** One of your own makes a program that was restarted repeat its batch, within 24 hours. */
  readonly idempotencyKey?: string;
}

/** A part of a batch's archive. */
export interface ArchivePart extends Download {
  readonly part: number;
  /** Results of further rows; absent in the last part. */
  readonly nextPart: number | undefined;
}

const contentTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
/** A million rows are checked and counted. */
const dryRunTimeoutMs = 300_000;

export function createBatches(transport: Transport) {
  const all = "/v1/batches";
  const path = (id: string, rest = "") => `${all}/${encodeURIComponent(id)}${rest}`;
  const change =
    (verb: string) =>
    (id: string, waiting: Waiting = {}): Promise<Batch> =>
      transport.json({ method: "POST", path: path(id, `/${verb}`), ...waiting });

  async function send<T>(batch: NewBatch, more: object, options: Creation): Promise<T> {
    const { idempotencyKey = crypto.randomUUID(), ...waiting } = options;
    const { file, format, ...fields } = batch as BatchOptions & BatchFile;
    const post = (json: object) =>
      transport.json<T>({ method: "POST", path: all, json: { ...json, ...more }, idempotencyKey, ...waiting });
    if (file === undefined) return await post(fields);
    if ("uploadSessionId" in file) return await post({ ...fields, uploadSessionId: file.uploadSessionId });
    const rows = await rowsFile(file, format, waiting.signal);
    return await withUpload(transport, rows, { signal: waiting.signal, idempotencyKey }, (uploadSessionId) =>
      post({ ...fields, uploadSessionId }),
    );
  }

  return {
    /** Newest first. */
    list: (page: PageSize = {}, waiting: Waiting = {}): AsyncIterable<Batch> =>
      paginate((cursor) =>
        transport.json<{ data: readonly Batch[]; nextCursor?: string }>({
          ...{ method: "GET", path: all, query: { ...page, cursor } },
          ...waiting,
        }),
      ),
    /** Each row becomes a job as the account has room for it; `wait` tells how far it is. */
    create: (batch: NewBatch, options: Creation = {}): Promise<Batch> => send(batch, {}, options),
    /** Checks and counts the rows, and makes nothing. */
    dryRun: (batch: NewBatch, waiting: Waiting = {}): Promise<BatchDryRun> =>
      send(batch, { dryRun: true }, { timeoutMs: dryRunTimeoutMs, ...waiting }),
    get: (id: string, waiting: Waiting = {}): Promise<Batch> =>
      transport.json({ method: "GET", path: path(id), ...waiting }),
    /** Resolves when the batch has ended, and when it is paused: nothing goes on then until it is resumed. */
    wait: (id: string, options: WaitForBatchOptions = {}): Promise<Batch> => waitForBatch(transport, id, options),
    pause: change("pause"),
    resume: change("resume"),
    cancel: change("cancel"),
    /** The failed rows of a completed batch. */
    retry: change("retry"),
    /** What became of each row, in the order of the file, also while the batch runs. */
    report: (id: string, waiting: Waiting = {}): AsyncIterable<BatchRow> =>
      readRows(transport, path(id, "/report"), waiting),
    /** The report as a file. */
    reportFile: (id: string, format: "csv" | "ndjson", waiting: Waiting = {}): Promise<Download> =>
      download(transport, path(id, "/report"), { query: { format }, ...waiting }),
    /** The results as a ZIP file; each part has those of 10,000 rows. */
    async archive(
      id: string,
      { part = 1, ...waiting }: Waiting & { readonly part?: number } = {},
    ): Promise<ArchivePart> {
      const file = await download(transport, path(id, "/archive"), { query: { part }, ...waiting });
      const next = /[?&]part=(\d+)>; rel="next"/.exec(file.headers.get("Link") ?? "");
      return { ...file, part, nextPart: next === null ? undefined : Number(next[1]) };
    },
  };
}

export type Batches = ReturnType<typeof createBatches>;

async function rowsFile(file: BatchFile["file"], format: BatchFile["format"], signal: AbortSignal | undefined) {
  const read = await readSource(file, signal);
  if (read.kind !== "file") throw new TypeError("The rows are a file, bytes, a stream or an upload session.");
  const known = format ?? formatOf(read.file.type, read.filename);
  if (known === undefined) throw new TypeError('Say the format of the rows: "csv" or "ndjson".');
  return { ...read, contentType: contentTypes[known], filename: `rows.${known}` };
}

function formatOf(type: string, name: string): BatchFile["format"] {
  if (type.startsWith(contentTypes.csv) || /\.csv$/i.test(name)) return "csv";
  return type.startsWith(contentTypes.ndjson) || /\.(ndjson|jsonl)$/i.test(name) ? "ndjson" : undefined;
}
