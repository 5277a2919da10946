/** A batch's report and archive: long responses, made while they are sent. */
import { Readable } from "node:stream";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import accepts from "accepts";
import { realmOf } from "../../access/caller.ts";
import { archiveRowsMax, openArchive } from "./archive.ts";
import type { OutcomeFiles } from "./outcome-files.ts";
import { type ReportFormat, reportText, reportTypes } from "./report-line.ts";
import { createReportLines } from "./report-line.ts";
import { createResolveRows } from "./resolve-rows.ts";
import type { RowSegments } from "./row-segments.ts";
import type { Call, Handlers } from "../../http/call.ts";
import { sendStream } from "../../http/send-stream.ts";
import { createStreamSlots } from "../../http/stream-slots.ts";
import { readBatch } from "./batch-actions.ts";

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
    throw new PackshotError("batch_status_conflict", "The rows of the batch are still being read.");
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
