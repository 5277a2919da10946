import fc from "fast-check";
import { expect, test } from "vitest";
import type { RowRules } from "./check-row.ts";
import { checkItems, createRowsReader, type RowFormat } from "./read-rows.ts";

const rules: RowRules = {
  tool: "mask",
  parameters: { output: { format: "webp", width: 800 } },
  tools: ["mask", "ai-bg"],
  models: ["u2netp"],
  connections: ["main"],
};
const url = "https://shop.example/1.jpg";

async function read(format: RowFormat, chunks: readonly (string | Uint8Array)[], given: Partial<RowRules> = {}) {
  const reader = createRowsReader({ format, rules: { ...rules, ...given }, keepsRows: true });
  const segments = chunks.flatMap((chunk) => reader.write(Buffer.from(chunk)));
  segments.push(...(await reader.end()));
  const lines = segments.map(({ text }) => Buffer.from(text).toString().trimEnd().split("\n"));
  return { ...reader.summary(), segments: lines, all: lines.flat().map((line) => JSON.parse(line)) };
}

const faultsOf = async (format: RowFormat, text: string, given: Partial<RowRules> = {}) =>
  (await read(format, [text], given)).faults.map(({ line, message }) => `${line}: ${message}`);

test("a CSV file has a header, quotes, a byte order mark, CRLF and empty lines", async () => {
  const text = [
    '\ufeffref,imageUrl,tool,output.format,theme,seed\r\n"A ""1"", red",',
    `${url},,png,,7\r\n\r\nTV 55",${url},ai-bg,,"two\nlines",\r\n,,,,,\r\nC,${url}`,
  ];
  const { all, faulty, broken, rowsOfTool } = await read("csv", text);
  const source = { kind: "url", imageUrl: url };
  expect(all).toEqual([
    {
      row: 0,
      line: 2,
      ref: 'A "1", red',
      source,
      tool: "mask",
      parameters: { output: { format: "png", width: 800 }, seed: 7 },
    },
    // The batch's parameters are those of its tool.
    { row: 1, line: 4, ref: 'TV 55"', source, tool: "ai-bg", parameters: { theme: "two\nlines" } },
    { row: 2, line: 7, ref: "C", source, tool: "mask", parameters: rules.parameters },
  ]);
  expect([faulty, broken, rowsOfTool]).toEqual([0, null, { mask: 2, "ai-shadows": 0, "ai-bg": 1 }]);
});

test.each([";", "\t"])("a spreadsheet may write %j between cells", async (delimiter) => {
  const text = `ref,imageUrl,seed\n"a;b",${url},3\n`.replaceAll(/,/g, delimiter);
  expect((await read("csv", [text])).all).toMatchObject([{ ref: "a;b", parameters: { seed: 3 } }]);
});

test("an NDJSON file has an object a line, and a row may name a preset and parameters", async () => {
  const lines = [
    { ref: "A", imageUrl: url, tool: null, parameters: { seed: 1, output: { width: null } } },
    { ref: "B", imageUrl: "s3://main/shoes/1.png", preset: "amazon-main" },
    { ref: "C", uploadSessionId: "0193", tool: "ai-bg" },
  ];
  const { all, faulty } = await read("ndjson", [`\n${lines.map((line) => JSON.stringify(line)).join("\r\n")}`]);
  expect(faulty).toBe(0);
  expect(all).toMatchObject([
    { row: 0, line: 2, ref: "A", parameters: { seed: 1, output: { format: "webp" } } },
    {
      row: 1,
      source: { kind: "connection", connection: "main", key: "shoes/1.png" },
      parameters: { preset: "amazon-main" },
    },
    { row: 2, line: 4, source: { kind: "upload", uploadId: "0193" }, tool: "ai-bg", parameters: {} },
  ]);
  expect(all[0].parameters.output).toEqual({ format: "webp" });
});

test("each faulty row is told with its line, and stays in its place among the rows", async () => {
  const csv = [
    "ref,imageUrl,tool,output.width,seed,model",
    `,${url}`,
    `A,${url},,wide`,
    `B,${url},,9000`,
    `C,${url},paint`,
    `D,${url},ai-shadows`,
    "E,ftp://shop.example/1.jpg",
    "F,",
    "G,s3://main",
    `H,${url},,,,other`,
    `I,${url},,,,,more`,
    `J,${url}`,
    `J,${url}`,
    `${"x".repeat(201)},${url}`,
    "K,https://test.packshot.invalid/failed/lost",
  ].join("\n");
  const { all, faulty, rows } = await read("csv", [csv], { live: false });
  expect([rows, faulty, all.length]).toEqual([14, 13, 14]);
  expect(all.map((row) => row.line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  expect(all[2]).toEqual({ row: 2, line: 4, ref: "B", fault: expect.objectContaining({ code: "invalid_request" }) });
  expect(await faultsOf("csv", csv, { live: false })).toEqual([
    '2: "ref" is missing.',
    '3: "parameters.output.width" must be of type integer or null.',
    '4: "parameters.output.width" must be <= 8192.',
    '5: "tool" must be one of "mask", "ai-shadows", "ai-bg".',
    `6: The account's plan does not include the tool "ai-shadows": ask the operator for one that does.`,
    '7: "imageUrl" must begin with https://, http:// or s3://.',
    '8: "imageUrl" or "uploadSessionId" is missing.',
    '9: "imageUrl" must be s3://<connection>/<key>.',
    '10: Model "other" not found; available: u2netp.',
    "11: The row has more cells than the header has columns, 6: quote a cell that has a delimiter in it.",
    '13: The ref "J" is that of line 12: give each row a ref of its own.',
    '14: "ref" has more than 200 characters.',
    expect.stringMatching(/^15: "imageUrl": no job fails with "lost"; the codes are file_too_large, /),
  ]);
});

test("a photo that stands for an outcome is one like any other for live rows", async () => {
  const csv = "ref,imageUrl\nA,https://test.packshot.invalid/failed/lost";
  const faults = await Promise.all([true, false].map((live) => faultsOf("csv", csv, { live })));
  expect(faults).toEqual([[], [expect.stringContaining('no job fails with "lost"')]]);
});

test("a ref's letters are counted as JSON Schema counts them: one for an emoji", async () => {
  const refs = ["📷".repeat(200), "📷".repeat(201)];
  const { all } = await read("csv", [["ref,imageUrl", ...refs.map((ref) => `${ref},${url}`)].join("\n")]);
  const fault = { code: "invalid_request", message: '"ref" has more than 200 characters.' };
  expect(all).toEqual([
    expect.not.objectContaining({ fault: expect.anything() }),
    // What is kept of it ends with a whole letter.
    { row: 1, line: 3, ref: refs[0], fault },
  ]);
});

test("of an NDJSON file, too", async () => {
  const ndjson = [
    "{",
    "[]",
    "null",
    '{"ref":5}',
    `{"ref":"a\\u0007","imageUrl":"${url}"}`,
    `{"ref":"A","imageUrl":"${url}","size":1}`,
    `{"ref":"B","imageUrl":"${url}","uploadSessionId":"1"}`,
    `{"ref":"C","imageUrl":"${url}","parameters":[]}`,
    `{"ref":"D","imageUrl":"${url}","parameters":{"__proto__":1}}`,
    `{"ref":"E","imageUrl":"${url}"}`,
  ].join("\n");
  const faults = await faultsOf("ndjson", ndjson, { tool: null });
  expect(faults[0]).toMatch(/^1: The line is not valid JSON/);
  expect(faults.slice(1)).toEqual([
    "2: The row is not a JSON object.",
    "3: The row is not a JSON object.",
    '4: "ref" must be of type string.',
    '5: "ref" has a control character or a line break.',
    '6: "tool" is missing, in the row and in the batch.',
    "7: Give one source: imageUrl or uploadSessionId.",
    '8: "tool" is missing, in the row and in the batch.',
    '9: "tool" is missing, in the row and in the batch.',
    '10: "tool" is missing, in the row and in the batch.',
  ]);
  const [unknown, list, proto] = (await read("ndjson", [ndjson])).faults.filter(({ line }) => [6, 8, 9].includes(line));
  expect([unknown!.message, list!.message, proto!.message]).toEqual([
    'Unknown field "size".',
    '"parameters" must be of type object.',
    'Unknown parameter "parameters.__proto__".',
  ]);
});

test("text that is no UTF-8 is a fault of its row", async () => {
  const latin1 = Buffer.from(`ref,imageUrl\nBl\xfcte,${url}\nB,${url}\n`, "latin1");
  expect((await read("csv", [latin1])).faults).toMatchObject([{ line: 2, message: expect.stringContaining("UTF-8") }]);
  const line = Buffer.from(`{"ref":"Bl\xfcte","imageUrl":"${url}"}\n`, "latin1");
  expect((await read("ndjson", [line])).faults).toMatchObject([{ line: 1, message: expect.stringContaining("UTF-8") }]);
});

test("a delimiter that is no UTF-8 is a fault of the file, in whatever pieces it arrives", async () => {
  const latin1 = Buffer.from(`sep=\xa6\nref\xa6imageUrl\nA\xa6${url}\n`, "latin1");
  const bytewise = Array.from(latin1, (byte) => Buffer.of(byte));
  for (const pieces of [[latin1], bytewise]) {
    const { broken } = await read("csv", pieces);
    expect(broken).toEqual({ line: 1, message: expect.stringContaining("The header is not valid UTF-8") });
  }
});

const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const csvText = `ref;imageUrl;tool;theme\nBlüte 花;${url};ai-bg;"zwei\nZeilen 🪴"\nB;${url}\n`;
const ndjsonText = `{"ref":"Blüte 花","imageUrl":"${url}","tool":"ai-bg","parameters":{"theme":"zwei\\nZeilen 🪴"}}\n{"ref":"B","imageUrl":"${url}"}`;
const encodings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ["UTF-8", (text) => Buffer.from(text)],
  ["UTF-8 with a mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["UTF-16 LE with a mark", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["UTF-16 LE", (text) => Buffer.from(text, "utf16le")],
  ["UTF-16 BE with a mark", (text) => utf16be(`\ufeff${text}`)],
  ["UTF-16 BE", utf16be],
];
test.each(encodings)(
  "a file in %s is read, with any line end, and with a line that names its delimiter",
  async (_, encode) => {
    const rows = [
      { ref: "Blüte 花", tool: "ai-bg", parameters: { theme: expect.stringMatching(/^zwei\s+Zeilen 🪴$/) } },
      { ref: "B", source: { imageUrl: url } },
    ];
    const files = ["\n", "\r\n", "\r"].flatMap((end) =>
      [csvText, `sep=;\n${csvText}`].map((text) => text.replaceAll("\n", end)),
    );
    for (const [format, text] of [...files.map((file) => ["csv", file] as const), ["ndjson", ndjsonText] as const]) {
      const bytes = encode(text);
      for (const pieceBytes of [1, 3, 1_000]) {
        const count = Math.ceil(bytes.length / pieceBytes);
        const pieces = Array.from({ length: count }, (_, i) => bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes));
        const { all, broken, faulty } = await read(format, pieces);
        expect([broken, faulty, all]).toMatchObject([null, 0, rows]);
      }
    }
  },
);

test("an encoding that is not read is named, wherever its bytes are", async () => {
  const header = Buffer.from(`ref,imageUrl,Größe\nA,${url},1\n`, "latin1");
  expect((await read("csv", [header])).broken).toMatchObject({
    line: 1,
    message: expect.stringContaining("Windows-1252"),
  });
  const photo = Buffer.from(`ref,imageUrl\nA,https://shop.example/gr\xfcn.jpg\nB,${url}\n`, "latin1");
  const { faults, faulty } = await read("csv", [photo]);
  expect([faulty, faults]).toMatchObject([1, [{ line: 2, message: expect.stringContaining("Windows-1252") }]]);
  const wide = Buffer.from(Array.from(`\ufeffref,imageUrl\n`, (char) => [...utf16be(char).reverse(), 0, 0]).flat());
  expect((await read("csv", [wide])).broken?.message).toContain("UTF-32");
});

test.each([
  ["csv", `sku,imageUrl\nA,${url}`, 1, 'The column "ref" is missing'],
  ["csv", `ref,imageUrl,price\nA,${url},3`, 1, 'Unknown column "price"'],
  ["csv", `ref,imageUrl,imageUrl\nA,${url},`, 1, 'The column "imageUrl" stands twice'],
  ["csv", `ref,,imageUrl\nA,,${url}`, 1, "Column 2 has no name"],
  ["csv", `ref,imageUrl\nA,${url}\nB,"${url}\nC,${url}`, 4, "A quote is opened here or above"],
  ["csv", `ref,imageUrl\nA,"${"x\n".repeat(40_000)}`, 32_000, "a quote may be open"],
  ["ndjson", `{"ref":"${"x".repeat(70_000)}"`, 1, "longer than 65536 bytes"],
] as const)("a file is broken: %s %.60j", async (format, text, line, message) => {
  const { broken } = await read(format, [text]);
  expect(broken?.message).toContain(message);
  expect(broken!.line).toBeGreaterThanOrEqual(line);
});

test("rows are the same however the file arrives, and each thousand is a segment", async () => {
  const csv = `ref,imageUrl,theme\n${Array.from({ length: 2_500 }, (_, i) => `"é${i}",${url},"a ""b"""\r\n`).join("")}`;
  const ndjson = Array.from({ length: 1_500 }, (_, i) => `${JSON.stringify({ ref: `é${i}`, imageUrl: url })}\n`).join(
    "",
  );
  for (const [format, text] of [
    ["csv", csv],
    ["ndjson", ndjson],
  ] as const) {
    const bytes = Buffer.from(text);
    const whole = await read(format, [bytes], { tool: "ai-bg" });
    expect([whole.faulty, whole.broken]).toEqual([0, null]);
    expect(whole.segments.map((lines) => lines.length)).toEqual(format === "csv" ? [1000, 1000, 500] : [1000, 500]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const chunks = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end));
        expect(await read(format, chunks, { tool: "ai-bg" })).toEqual(whole);
      }),
      { numRuns: 8 },
    );
  }
});

test("a thousand faults are told and all are counted; a ref is known among many", async () => {
  const lines = Array.from({ length: 12_000 }, (_, i) => `r${i % 10_000},${url}`);
  const { faults, faulty, rows } = await read("csv", [`ref,imageUrl\n${lines.join("\n")}`]);
  expect([rows, faulty, faults.length]).toEqual([12_000, 2_000, 1_000]);
  expect(faults[0]).toMatchObject({ line: 10_002, message: expect.stringContaining("line 2:") });
});

test.each([
  ["of two kinds", '\n\r\n\r\nTV 55",nowhere\n', 4],
  ["in quotes", '\r\n"A\r\nB",x\r\n\r\nC,nowhere', 5],
  ["of old Macs in quotes", '\r"A\rB",x\r\rC,nowhere', 5],
])("lines are counted by line ends %s", async (_, rows, line) => {
  const { faults } = await read("csv", [`ref,imageUrl${rows}`]);
  expect(faults.at(-1)).toMatchObject({ line });
});

test("a request's own items are checked alike, and their lines are their positions", () => {
  const items = [{ ref: "A", imageUrl: url }, { ref: "A", imageUrl: url }, 7];
  const { rows, summary } = checkItems(items, rules);
  expect(rows).toMatchObject([
    { row: 0, line: 1, ref: "A", tool: "mask", parameters: rules.parameters },
    { row: 1, line: 2, fault: { code: "invalid_request" } },
    { row: 2, line: 3, ref: "", fault: { message: "The row is not a JSON object." } },
  ]);
  expect(summary).toMatchObject({ rows: 3, faulty: 2, broken: null });
});

const longName = "n".repeat(30_000);
test.each([
  ["a field", { imageUrl: url, [longName]: 1 }],
  ["a parameter", { imageUrl: url, parameters: { [longName]: 1 } }],
  ["a nested parameter", { imageUrl: url, parameters: { output: { [longName]: 1 } } }],
  ["a parameter's value", { imageUrl: url, parameters: { output: { background: longName } } }],
  ["a model", { imageUrl: url, parameters: { model: longName } }],
  ["a tool", { imageUrl: url, tool: longName }],
  ["a preset", { imageUrl: url, preset: longName }],
  ["another preset", { imageUrl: url, preset: "amazon-main", parameters: { preset: longName } }],
  ["an upload session", { uploadSessionId: longName }],
  ["an upload session that is none", { uploadSessionId: { [longName]: 1 } }],
  ["a destination", { imageUrl: url, destination: { [longName]: 1 } }],
  ["a connection", { imageUrl: url, destination: { connection: longName, key: "x" } }],
  ["a key", { imageUrl: url, destination: { connection: "main", key: longName } }],
  ["a placeholder", { imageUrl: url, destination: { connection: "main", key: `{${longName}}` } }],
  ["a ref", { imageUrl: url, ref: longName }],
])("what a row names at length is cut in its fault: %s", (_what, fields) => {
  const { rows, summary } = checkItems([{ ref: "A", ...fields }], rules);
  expect(summary.faulty).toBe(1);
  expect(JSON.stringify(rows[0]).length).toBeLessThan(1_000);
});

test("what a file names at length is cut where it is broken", async () => {
  for (const header of [`ref,${longName}`, `ref,imageUrl,${longName},${longName}`]) {
    expect((await read("csv", [header])).broken!.message.length).toBeLessThan(400);
  }
});

test("faults are listed up to 256 KiB, and all are counted", async () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `${i}${"花".repeat(196)},nowhere`);
  const { faults, faulty } = await read("csv", [`ref,imageUrl\n${lines.join("\n")}`]);
  expect(faulty).toBe(1_000);
  expect(Buffer.byteLength(JSON.stringify(faults))).toBeGreaterThan(250 * 1024);
  expect(Buffer.byteLength(JSON.stringify(faults))).toBeLessThan(257 * 1024);
  expect(faults.at(-1)!.line).toBe(faults.length + 1);
});

test("upload sessions are named once each, 5,000 of them, and all are counted; without a sample none is", () => {
  const items = Array.from({ length: 6_000 }, (_, n) => ({ ref: `K-${n}`, uploadSessionId: `session-${n % 5_500}` }));
  const { uploads } = checkItems(items, rules, { photos: 0, seed: 0 }).summary;
  expect([uploads.count, uploads.ids.size, uploads.ids.has("session-4999")]).toEqual([5_500, 5_000, true]);
  expect(checkItems(items, rules).summary.uploads).toEqual({ count: 0, ids: new Set() });
});

test("a row whose upload session is of no use keeps its ref and its place, so that later rows have the same faults", () => {
  const destination = { connection: "main", key: "x.png" };
  const items = [
    { ref: "A", uploadSessionId: "gone", destination },
    { ref: "B", imageUrl: url, destination },
    { ref: "A", imageUrl: url },
  ];
  const sample = { photos: 0, seed: 0 };
  const first = checkItems(items, rules, sample).summary;
  const uploadFaults = { gone: { code: "not_found", message: "gone" } } as const;
  const second = checkItems(items, { ...rules, uploadFaults }, sample).summary;
  expect(first.faults.map(({ line }) => line)).toEqual([2, 3]);
  expect(second.faults).toEqual([{ line: 1, ref: "A", ...uploadFaults.gone }, ...first.faults]);
  expect(second.uploads).toEqual(first.uploads);
});
