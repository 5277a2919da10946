/** A report of NDJSON, a line at a time. */
import { PackshotError } from "./packshot-error.ts";
import type { BatchRow } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

/** How often a report that breaks off is read again from its beginning, which is the only way to go on. */
const readsMax = 4;

/** Rows come in the order of the batch's file, so those that were given before are passed over in the next reading. */
export async function* readRows(transport: Transport, path: string, waiting: Waiting): AsyncGenerator<BatchRow, void> {
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
