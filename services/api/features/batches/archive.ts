/** A batch's results as one ZIP file, made while it is sent: one file is open at a time, and nothing is kept on disk. */
import { Readable } from "node:stream";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { makeZip } from "client-zip";
import { formatCsv } from "./report-line.ts";
import { createEntryNames } from "./entry-names.ts";
import { bucketPlaceOf, type ResolvedRow, type ResolveRows, type RowRange } from "./resolve-rows.ts";

export interface ArchiveDeps {
  readonly resolveRows: ResolveRows;
  readonly storage: Pick<Storage, "open">;
}

/** What a ZIP file has of each entry stands at its end and is in memory until then: 2 KB. */
export const archiveRowsMax = 10_000;
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
      const { row, outcome, same, file, status } = resolved;
      const opened = file === undefined || !isDone(resolved) ? undefined : await storage.open(file.key);
      if (opened === undefined) {
        missing.push(formatCsv([[row.line, status, bucketPlaceOf(resolved)]]));
        continue;
      }
      const { stream } = opened;
      // Whoever reads it learns of an error; until then the event needs a listener.
      stream.on("error", () => {});
      try {
        const lastModified = new Date((same ?? outcome)!.at);
        yield { name: names.next(row.ref, file!.contentType), lastModified, input: stream };
      } finally {
        // The client may have gone in the middle of it.
        stream.destroy();
      }
    }
  }
  if (missing.length === 0) return;
  const text = formatCsv([["line", "status", "destination"]]) + missing.join("");
  yield { name: missingName, lastModified: new Date(batch.finishedAt ?? batch.createdAt), input: text };
}

function isDone({ status }: ResolvedRow): boolean {
  return status === "completed" || status === "skipped";
}
