import { expect, test } from "vitest";
import { createCsvReader } from "./csv-rows.ts";
import type { RawRow } from "./raw-row.ts";

const pieceLengths = [1, 2, 3, 7, 1_000];

/** The rows of a file, and where it is broken, however it arrives. */
async function read(text: string | Buffer, pieceLength: number) {
  const rows: RawRow[] = [];
  const broken: [number, string][] = [];
  const reader = createCsvReader(
    { onRow: (row) => rows.push(row), onBroken: (line, message) => broken.push([line, message]) },
    () => undefined,
  );
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += pieceLength) {
    const piece = Uint8Array.from(bytes.subarray(from, from + pieceLength));
    reader.write(piece);
    // As the reading thread does: what is kept of a piece must be a copy.
    piece.fill(0);
  }
  await reader.end();
  return { rows: rows.map((row) => [row.line, ...(row.kind === "cells" ? row.fields.flat() : [])]), broken };
}

test.each([
  ["line feeds", "ref,imageUrl\na,b\n\nc,d\n", [2, 4]],
  ["carriage returns and line feeds", "ref,imageUrl\r\na,b\r\n\r\nc,d", [2, 4]],
  ["carriage returns", "ref,imageUrl\ra,b\r\rc,d\r", undefined],
  ["a quote in the middle", 'ref,imageUrl\na,b\n"c",d\n', [2, 3]],
  ["a quote over two lines", 'ref,imageUrl,note\na,b,"1\n2"\nc,d,\n', [2, 4]],
  ["semicolons", "ref;imageUrl\na;b\nc;d\n", [2, 3]],
  ["tabs", "ref\timageUrl\r\na\tb\r\nc\td", [2, 3]],
  ["a line that names semicolons", "sep=;\r\nref;imageUrl\r\na;b\r\n\r\nc;d\r\n", [3, 5]],
  ["a line that names commas, and line feeds", '"sep=,"\nref,imageUrl\na,b\nc,d', [3, 4]],
  ["a line that names tabs", "SEP=\t\nref\timageUrl\na\tb\nc\td", [3, 4]],
  ["a line that names bars, and quotes", 'sep=|\r\nref|imageUrl\r\n"a"|b\r\nc|"d"\r\n', [3, 4]],
  ["a line that names semicolons, and carriage returns", "sep=;\rref;imageUrl\ra;b\rc;d\r", undefined],
  ["a line that names semicolons, saved again", "sep=;;\nref;imageUrl\na;b\nc;d\n", [3, 4]],
])("a file with %s", async (_what, text, lines) => {
  for (const pieceLength of pieceLengths) {
    const { rows, broken } = await read(text, pieceLength);
    expect(rows.map((row) => row.slice(1, 5))).toEqual([
      ["ref", "a", "imageUrl", "b"],
      ["ref", "c", "imageUrl", "d"],
    ]);
    if (lines !== undefined) expect(rows.map(([line]) => line)).toEqual(lines);
    expect(broken).toEqual([]);
  }
});

test("a record that is too long breaks a file, with and without quotes", async () => {
  const long = "x".repeat(70_000);
  for (const start of ["", '"q",r\n']) {
    const { broken } = await read(`ref,imageUrl\n${start}a,${long}\nb,c\n`, 1_000);
    expect(broken).toEqual([[start === "" ? 2 : 3, expect.stringContaining("more than 65536 characters")]]);
  }
});
