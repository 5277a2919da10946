/** Reads the rows of an NDJSON file as it arrives: one JSON object a line. Empty lines are skipped. */
import { clipName } from "@packshot/domain/errors.ts";
import { notUtf8 } from "./file-encoding.ts";
import type { RawRow, RowReader, RowSink } from "./raw-row.ts";

const lineBytesMax = 64 * 1024;
const lineFeed = 0x0a;

export function createNdjsonReader(sink: RowSink): RowReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest: Uint8Array = new Uint8Array(0);
  let line = 0;
  let isBroken = false;

  function readLine(bytes: Uint8Array): void {
    line += 1;
    const row = parseLine(bytes);
    if (row !== undefined) sink.onRow(row);
  }

  function parseLine(bytes: Uint8Array): RawRow | undefined {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      return { kind: "value", line, value: undefined, fault: `The line ${notUtf8}` };
    }
    if (text.trim() === "") return undefined;
    try {
      return { kind: "value", line, value: JSON.parse(text) as unknown };
    } catch (error) {
      return {
        kind: "value",
        line,
        value: undefined,
        fault: `The line is not valid JSON: ${clipName((error as Error).message)}.`,
      };
    }
  }

  function assertLength(bytes: Uint8Array): boolean {
    if (bytes.length <= lineBytesMax) return true;
    isBroken = true;
    sink.onBroken(line + 1, `The line is longer than ${lineBytesMax} bytes.`);
    return false;
  }

  return {
    write(chunk) {
      if (isBroken) return;
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        const end = chunk.subarray(from, at);
        const one = rest.length === 0 ? end : Buffer.concat([rest, end]);
        if (!assertLength(one)) return;
        readLine(one);
        rest = new Uint8Array(0);
        from = at + 1;
      }
      // A copy: the piece is given back.
      rest = Buffer.concat([rest, chunk.subarray(from)]);
      assertLength(rest);
    },
    async end() {
      if (!isBroken && rest.length > 0) readLine(rest);
    },
  };
}
