/** A batch's report and archive: long responses, made while they are sent. */

import { Readable } from "node:stream";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import accepts from "accepts";
import { makeZip } from "client-zip";
import { realmOf } from "../../access/caller.ts";
import type { Call, Handlers } from "../../http/call.ts";
import { sendStream } from "../../http/send-stream.ts";
import { createStreamSlots } from "../../http/slots.ts";
import { readBatch } from "./batch-actions.ts";
import { createEntryNames } from "./report/entry-names.ts";
import { createReportLines, formatCsv, type ReportFormat, reportText, reportTypes } from "./report/report-line.ts";
import {
  bucketPlaceOf,
  createResolveRows,
  type ResolvedRow,
  type ResolveRows,
  type RowRange,
} from "./report/resolve-rows.ts";
import type { OutcomeFiles } from "./rows/outcome-files.ts";
import type { RowSegments } from "./rows/row-segments.ts";

export interface BatchFileDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly segments: Pick<RowSegments, "read">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
  readonly nowMs: () => number;
}

/** Each holds some megabytes: a segment of rows, or what a ZIP file has of its entries. */
const slotLimits = { what: "reports and archives", streamsMax: 32, streamsPerAccountMax: 4 };
const formats: readonly ReportFormat[] = ["ndjson", "csv"];

export function batchFileHandlers(deps: BatchFileDeps): Handlers {
  const { log, storage, nowMs } = deps;
  const slots = createStreamSlots(slotLimits);
  const resolveRows = createResolveRows(deps);
  const createLines = createReportLines(storage, nowMs);

  async function findBatch({ caller, path }: Call): Promise<Batch> {
    const batch = await readBatch({ log, nowMs }, { realm: realmOf(caller), batchId: path.id! });
    if (batch.status !== "validating") return batch;
    throw new PackshotError(
      "batch_status_conflict",
      "The rows of the batch are still being read: wait until its status is no longer validating.",
    );
  }

  async function send(call: Call, batch: Batch, stream: () => Readable, sent: Parameters<typeof sendStream>[2]) {
    const release = slots.acquire(realmOf(call.caller));
    try {
      const opened = stream();
      call.signal.addEventListener("abort", () => opened.destroy(), { once: true });
      await sendStream(call.response, opened, { ...sent, filename: `batch-${batch.id}${sent.filename}` });
      return "sent" as const;
    } finally {
      release();
    }
  }

  return {
    async getBatchReport(call) {
      const batch = await findBatch(call);
      const format = (call.query.format as ReportFormat | undefined) ?? acceptedFormat(call);
      const text = () => Readable.from(reportText({ resolveRows, createLines }, batch, format));
      return await send(call, batch, text, { contentType: reportTypes[format], filename: `.${format}` });
    },

    async getBatchArchive(call) {
      const batch = await findBatch(call);
      const part = call.query.part as number;
      const parts = Math.max(1, Math.ceil(batch.rows / archiveRowsMax));
      if (part > parts) throw new PackshotError("not_found", `The batch's archive has ${parts} parts.`);
      const range = { firstRow: (part - 1) * archiveRowsMax, rowsMax: archiveRowsMax };
      const next = `</v1/batches/${batch.id}/archive?part=${part + 1}>; rel="next"`;
      return await send(call, batch, () => openArchive({ resolveRows, storage }, batch, range), {
        contentType: "application/zip",
        filename: parts === 1 ? ".zip" : `-${part}-of-${parts}.zip`,
        headers: part < parts ? { Link: next } : {},
      });
    },
  };
}

function acceptedFormat({ request }: Call): ReportFormat {
  const [type] = [accepts(request).type(formats.map((format) => reportTypes[format].split(";")[0]!))].flat();
  return formats.find((format) => reportTypes[format].startsWith(String(type))) ?? "ndjson";
}

/** A batch's results as one ZIP file, made while it is sent: one file is open at a time, and nothing is kept on disk. */
export interface ArchiveDeps {
  readonly resolveRows: ResolveRows;
  readonly storage: Pick<Storage, "open">;
}

/** What a ZIP file has of each entry stands at its end and is in memory until then: 2 KB, also for each further file of a row. */
const archiveRowsMax = 10_000;
const missingName = "missing.csv";

interface ZipEntry {
  readonly name: string;
  readonly lastModified: Date;
  readonly input: AsyncIterable<Uint8Array> | string;
}

/** Images are stored as they are: they are compressed already. Destroy the stream to stop. */
export function openArchive(deps: ArchiveDeps, batch: Batch, range: RowRange): Readable {
  const zip = makeZip(entriesOf(deps, batch, range), { buffersAreUTF8: true });
  return Readable.fromWeb(zip as Parameters<typeof Readable.fromWeb>[0]);
}

async function* entriesOf(
  { resolveRows, storage }: ArchiveDeps,
  batch: Batch,
  range: RowRange,
): AsyncGenerator<ZipEntry> {
  const names = createEntryNames();
  const missing: string[] = [];
  for await (const rows of resolveRows(batch, range)) {
    for (const resolved of rows) {
      const { row, outcome, same } = resolved;
      for (const { key, contentType, name, status, destination, file } of filesOf(resolved)) {
        const opened = key === null ? undefined : await storage.open(key);
        if (opened === undefined) {
          missing.push(formatCsv([[row.line, status, destination, file, row.ref]]));
          continue;
        }
        const { stream } = opened;
        // Whoever reads it learns of an error; until then the event needs a listener.
        stream.on("error", () => {});
        try {
          const lastModified = new Date((same ?? outcome)!.at);
          yield { name: names.next(name, contentType), lastModified, input: stream };
        } finally {
          // The client may have gone in the middle of it.
          stream.destroy();
        }
      }
    }
  }
  if (missing.length === 0) return;
  const text = formatCsv([["line", "status", "destination", "file", "ref"]]) + missing.join("");
  yield { name: missingName, lastModified: new Date(batch.finishedAt ?? batch.createdAt), input: text };
}

interface ArchivedFile {
  /** null: there is none here. */
  readonly key: string | null;
  readonly contentType: string;
  /** Without its extension. */
  readonly name: string;
  /** The row's, or `failed` where only this file could not be made. */
  readonly status: ResolvedRow["status"];
  /** Where the customer's bucket has it. */
  readonly destination: string | null;
  /** Its name in the edit, if it has one. */
  readonly file: string | null;
}

/** The result, and the further files of an edit with `outputs`, which have their names after the row's. */
function filesOf(resolved: ResolvedRow): ArchivedFile[] {
  const { status, outcome, same, file } = resolved;
  const { ref } = resolved.row;
  const isDone = status === "completed" || status === "skipped";
  const [named, ...outputs] = (isDone ? (same ?? outcome)?.outputs : undefined) ?? [];
  const first = {
    key: isDone ? (file?.key ?? null) : null,
    contentType: file?.contentType ?? "",
    name: ref,
    status,
    destination: bucketPlaceOf(resolved),
    file: named?.name ?? null,
  };
  const further = outputs.map((output): ArchivedFile => {
    const own = { name: `${ref}-${output.name}`, file: output.name };
    if ("error" in output) return { ...own, key: null, contentType: "", status: "failed", destination: null };
    const { key, contentType, destination } = output;
    return { ...own, key: first.key === null ? null : key, contentType, status, destination };
  });
  return [first, ...further];
}
