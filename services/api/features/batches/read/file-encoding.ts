/**
 * Hands a file's text on as UTF-8, without a byte order mark, whether it is UTF-8 or UTF-16. UTF-16 without a mark is told by its
 * zeros: a row file begins with ASCII. An 8-bit encoding is not guessed, since a wrong guess would make wrong names of refs:
 * `notUtf8` says so where its bytes are met.
 */
import type { RowReader, RowSink } from "./raw-row.ts";

export const notUtf8 =
  'is not valid UTF-8: save the file as UTF-8 (a spreadsheet\'s "CSV" is Windows-1252, "CSV UTF-8" is right).';

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32";

interface FileEncoding {
  readonly encoding: Encoding;
  readonly markBytes: number;
}

const headBytes = 4;
const marks: readonly (readonly [mark: readonly number[], encoding: Encoding])[] = [
  // Before UTF-16, whose mark begins like it.
  [[0xff, 0xfe, 0, 0], "utf-32"],
  [[0, 0, 0xfe, 0xff], "utf-32"],
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** `sink` is told of a file that cannot be read. */
export function createUtf8Reader(reader: RowReader, sink: RowSink): RowReader {
  let head: Buffer = Buffer.alloc(0);
  let pass: ((bytes: Uint8Array) => void) | undefined;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isBroken = false;

  function begin(): void {
    const { encoding, markBytes } = encodingOf(head);
    if (encoding === "utf-32") {
      isBroken = true;
      sink.onBroken(1, "The file is UTF-32: save it as UTF-8.");
    } else if (encoding !== "utf-8") decoder = new TextDecoder(encoding, { ignoreBOM: true });
    pass = (bytes) => {
      if (isBroken || bytes.length === 0) return;
      reader.write(decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true })));
    };
    pass(head.subarray(markBytes));
  }

  return {
    write(chunk) {
      if (pass !== undefined) return pass(chunk);
      head = Buffer.concat([head, chunk]);
      if (head.length >= headBytes) begin();
    },
    async end() {
      if (pass === undefined) begin();
      if (isBroken) return;
      // Half a character at the end.
      const rest = decoder?.decode() ?? "";
      if (rest !== "") reader.write(Buffer.from(rest));
      await reader.end();
    },
  };
}

function encodingOf(head: Uint8Array): FileEncoding {
  for (const [mark, encoding] of marks) {
    if (head.length >= mark.length && mark.every((byte, at) => head[at] === byte)) {
      return { encoding, markBytes: mark.length };
    }
  }
  const [first, second, third, fourth] = head;
  if (first !== 0 && second === 0 && third !== 0) return { encoding: "utf-16le", markBytes: 0 };
  if (first === 0 && second !== 0 && (fourth === undefined || fourth !== 0))
    return { encoding: "utf-16be", markBytes: 0 };
  return { encoding: "utf-8", markBytes: 0 };
}
