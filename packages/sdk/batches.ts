/** Batches: the photos of a catalog, from a few items to a file of a million rows. */
import { type Download, download } from "./download.ts";
import { PackshotError } from "./packshot-error.ts";
import { type PhotoSource, readSource } from "./photo-source.ts";
import type { Batch, BatchDryRun, BatchItem, BatchOptions, BatchRow, PageSize, ReviewItem } from "./schemas.ts";
import { paginate, pause, type Transport, type Waiting } from "./transport.ts";
import { withUpload } from "./uploads.ts";

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

interface ReviewFilter extends PageSize {
  /** true: rows that were approved or rejected; otherwise only the others. */
  readonly reviewed?: boolean;
}

/** A part of a batch's archive. */
export interface ArchivePart extends Download {
  readonly part: number;
  /** Results of further rows; absent in the last part. */
  readonly nextPart: number | undefined;
}

export interface DryRunOptions extends Waiting {
  /** How many photos are looked at, from 0 to 50 (default 10), and a seed that chooses others. */
  readonly look?: { readonly photos?: number; readonly seed?: number };
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
          method: "GET",
          path: all,
          query: { ...page, cursor },
          ...waiting,
        }),
      ),
    /** Each row becomes a job as the account has room for it; `wait` tells how far it is. */
    create: (batch: NewBatch, options: Creation = {}): Promise<Batch> => send(batch, {}, options),
    /** Checks and counts the rows, has some of their photos looked at, and makes nothing. */
    dryRun: (batch: NewBatch, { look, ...waiting }: DryRunOptions = {}): Promise<BatchDryRun> =>
      send(batch, { dryRun: true, look }, { timeoutMs: dryRunTimeoutMs, ...waiting }),
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
    /** Doubtful rows, in the order of the file, as long as the batch keeps its results; `jobs.approve` and `jobs.reject` decide. */
    review: (id: string, filter: ReviewFilter = {}, waiting: Waiting = {}): AsyncIterable<ReviewItem> =>
      paginate((cursor) =>
        transport.json<{ data: readonly ReviewItem[]; nextCursor?: string }>({
          method: "GET",
          path: path(id, "/review"),
          query: { ...filter, cursor },
          ...waiting,
        }),
      ),
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

/** How often a report that breaks off is read again from its beginning, which is the only way to go on. */
const readsMax = 4;

/** Reads a report of NDJSON, a line at a time. Rows come in the order of the batch's file, so those that were given before are passed over in the next reading. */
async function* readRows(transport: Transport, path: string, waiting: Waiting): AsyncGenerator<BatchRow, void> {
  const headers = { Accept: "application/x-ndjson" };
  let given = 0;
  for (let reads = 1; ; reads += 1) {
    const { body } = await transport.stream({ method: "GET", path, headers, ...waiting });
    if (body === null) throw new PackshotError("invalid_response", "The report has no lines.");
    let read = 0;
    const lines = linesOf(body);
    for (;;) {
      let line: IteratorResult<string, void>;
      try {
        line = await lines.next();
      } catch (cause) {
        waiting.signal?.throwIfAborted();
        if (reads >= readsMax)
          throw new PackshotError("connection_failed", `The report broke off after ${given} rows.`, { cause });
        break;
      }
      if (line.done) return;
      read += 1;
      if (read <= given) continue;
      given = read;
      // Outside of the try: what the reader of the rows throws is not ours to mend.
      yield JSON.parse(line.value) as BatchRow;
    }
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    // Also when the reader of the rows has seen enough.
    await reader.cancel().catch(() => {});
  }
}

/** Waits until a batch has ended or is paused, by asking for it: seldom when it has long to go. */
export interface WaitForBatchOptions extends Waiting {
  /** The whole wait; without it, until the batch ends. */
  readonly waitTimeoutMs?: number;
  /** The batch, at first and whenever its status or counts have changed. */
  readonly onProgress?: (batch: Batch) => void;
}

const pollMsMin = 500;
const pollMsMax = 10_000;
/** A batch is asked for about so often until its end. */
const pollsWanted = 50;

async function waitForBatch(transport: Transport, id: string, options: WaitForBatchOptions): Promise<Batch> {
  const { waitTimeoutMs, onProgress = () => {}, timeoutMs } = options;
  const deadline = waitTimeoutMs === undefined ? undefined : AbortSignal.timeout(waitTimeoutMs);
  const signals = [options.signal, deadline].filter((signal) => signal !== undefined);
  const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
  const path = `/v1/batches/${encodeURIComponent(id)}`;
  let told = "";
  try {
    for (;;) {
      const batch = await transport.json<Batch>({ method: "GET", path, signal, timeoutMs });
      const state = JSON.stringify([batch.status, batch.counts]);
      if (state !== told) onProgress(batch);
      told = state;
      if (!isGoingOn(batch)) return batch;
      await pause(pollDelayMs(batch), signal);
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!deadline?.aborted) throw error;
    throw new PackshotError("timed_out", `The batch has not ended within ${waitTimeoutMs} ms.`);
  }
}

/** A cancelled batch goes on until its last job has ended. */
function isGoingOn({ status, finishedAt }: Batch): boolean {
  return status === "validating" || status === "running" || (status === "cancelled" && finishedAt === null);
}

function pollDelayMs({ secondsLeft }: Batch): number {
  const wantedMs = ((secondsLeft ?? 0) * 1000) / pollsWanted;
  return Math.min(pollMsMax, Math.max(pollMsMin, wantedMs));
}
