/**
 * Reads CSV as long as nothing in it is quoted, as most catalogs are: a line is a record. It takes a fraction of a parser's
 * time, and leaves nothing to collect but the cells. The first quote ends that: who knows quotes reads on.
 */

export interface PlainCsv {
  /**
   * Takes the records of a piece. Returns what it does not read, from the beginning of a line on, when it meets a quote or a
   * line end of its own kind; nothing is written to it then.
   */
  write(bytes: Buffer): Buffer | undefined;
  /** Takes the last record, which may have no line end; returns what `write` would. */
  end(): Buffer | undefined;
  /** That were taken, and those before. */
  lines(): number;
}

export interface PlainCsvOptions {
  readonly delimiter: string;
  readonly recordCharactersMax: number;
  /** Lines of the file that were read already. */
  readonly linesBefore: number;
  /** `line` is from 1. */
  readonly onRecord: (cells: string[], line: number) => void;
  readonly onTooLong: (line: number) => void;
}

const lineFeed = 0x0a;
const quote = 0x22;
const characterBytesMax = 4;

export function createPlainCsv(options: PlainCsvOptions): PlainCsv {
  const { delimiter, recordCharactersMax, onRecord, onTooLong } = options;
  /** The beginning of a line whose end has not come. */
  let rest: Buffer = Buffer.alloc(0);
  let lines = options.linesBefore;

  /** False: it has a line end in it that is none of ours. */
  function take(bytes: Buffer): boolean {
    const text = bytes.toString("utf8");
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (line.includes("\r")) return false;
    lines += 1;
    if (line.length > recordCharactersMax) onTooLong(lines);
    else if (line !== "") onRecord(line.split(delimiter), lines);
    return true;
  }

  return {
    write(bytes) {
      if (bytes.includes(quote)) return Buffer.concat([rest, bytes]);
      let from = 0;
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
        const line = bytes.subarray(from, at);
        const whole = rest.length === 0 ? line : Buffer.concat([rest, line]);
        if (!take(whole)) return Buffer.concat([rest, bytes.subarray(from)]);
        rest = Buffer.alloc(0);
        from = at + 1;
      }
      // A copy: the piece is given back.
      rest = Buffer.concat([rest, bytes.subarray(from)]);
      if (rest.length > recordCharactersMax * characterBytesMax) onTooLong(lines + 1);
      return undefined;
    },
    end() {
      return rest.length === 0 || take(rest) ? undefined : rest;
    },
    lines: () => lines,
  };
}
