/** What a file, or an account with many of them, may take of the threads that read rows. */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { RowSegment } from "../rows/row-segments.ts";
import { createCheckFile } from "./check-file.ts";
import type { RowRules } from "./check-row.ts";

const rules: RowRules = { tool: "mask", parameters: {}, tools: ["mask"], models: [] };
const url = "https://shop.example/1.jpg";

test("files of one account take one thread, and no more requests wait for it than may", async () => {
  const opened: string[] = [];
  const open = async (key: string) => {
    opened.push(key);
    const stream = key === "slow" ? new Readable({ read() {} }) : Readable.from([Buffer.from("ref,imageUrl\nA,x\n")]);
    return { stream, bytes: 9 };
  };
  const checkFile = createCheckFile({ storage: { open } });
  const stopping = new AbortController();
  const input = { format: "csv", rules, signal: stopping.signal } as const;
  const slow = Array.from({ length: 4 }, () => checkFile({ ...input, key: "slow", accountId: "slow" }));
  const ofBatch = checkFile({ ...input, key: "slow", accountId: "slow", writeSegment: async () => {} });
  const fifth = checkFile({ ...input, key: "slow", accountId: "slow" });
  await expect(fifth).rejects.toMatchObject({ code: "rate_limit_exceeded", retryAfterSeconds: expect.any(Number) });
  expect(await checkFile({ ...input, key: "other", accountId: "other" })).toMatchObject({ rows: 1 });
  expect(opened).toEqual(["slow", "other"]);
  stopping.abort();
  const ended = await Promise.allSettled([...slow, ofBatch]);
  expect(ended.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
  const again = checkFile({ ...input, signal: AbortSignal.abort(new Error("late")), key: "slow", accountId: "slow" });
  await expect(again).rejects.toThrow("late");
});

test("a file that is read once more by other rules is not refused for requests that came meanwhile, and holds no thread", async () => {
  const row = JSON.stringify({ ref: "A", uploadSessionId: "gone" });
  const open = async () => ({ stream: Readable.from([Buffer.from(row)]), bytes: row.length });
  const checkFile = createCheckFile({ storage: { open } });
  const { signal } = new AbortController();
  const input = { key: "rows", accountId: "a", format: "ndjson", rules, signal } as const;
  const sound = { rows: 1, faulty: 0 };
  const uploadFaults = { gone: { code: "not_found", message: "gone" } } as const;
  const rulesAfter = async (first: object) => {
    expect(first).toMatchObject(sound);
    const meanwhile = await Promise.allSettled([1, 2, 3, 4].map(() => checkFile(input)));
    expect(meanwhile).toMatchObject([...Array(3).fill({ value: sound }), { reason: { code: "rate_limit_exceeded" } }]);
    return { ...rules, uploadFaults };
  };
  expect(await checkFile({ ...input, rulesAfter })).toMatchObject({ faulty: 1, faults: [uploadFaults.gone] });
  await expect(checkFile({ ...input, rulesAfter: () => Promise.reject(new Error("gone")) })).rejects.toThrow("gone");
  const late = { ...input, signal: AbortSignal.abort(new Error("late")) };
  const after = await Promise.allSettled([1, 2, 3, 4].map(() => checkFile(late)));
  expect(after).toMatchObject(Array(4).fill({ reason: { message: "late" } }));
});

test("a file of 30 MB whose rows name an unknown field of 30 KB is read to its end", async () => {
  const line = (row: number) => JSON.stringify({ ref: `K-${row}`, imageUrl: url, ["n".repeat(30_000)]: 1 });
  const lines = Array.from({ length: 1_000 }, (_, row) => Buffer.from(`${line(row)}\n`));
  const checkFile = createCheckFile({
    storage: { open: async () => ({ stream: Readable.from(lines), bytes: 30_000_000 }) },
  });
  let bytes = 0;
  const writeSegment = async ({ text }: RowSegment) => {
    bytes += text.length;
  };
  const { signal } = new AbortController();
  const summary = await checkFile({ key: "poison", accountId: "a", format: "ndjson", rules, signal, writeSegment });
  expect(summary).toMatchObject({ rows: 1_000, faulty: 1_000, broken: null });
  expect(bytes).toBeLessThan(1_000_000);
});

test.each([
  ["dies of its code", "throw new Error('no such module')"],
  ["ends at once", "process.exit(1)"],
  ["has no memory for its code", "const all = []; for (;;) all.push(new Array(1e5).fill(0))"],
  ["does not get ready", "setInterval(() => {}, 1e5)"],
])("a thread that %s is not the file's fault", async (_what, code) => {
  const open = async () => ({ stream: Readable.from([Buffer.from(`ref,imageUrl\nA,${url}\n`)]), bytes: 1_000_000 });
  const threadModule = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const checkFile = createCheckFile({ storage: { open }, threadModule, stallTimeoutMs: 2_000 });
  const { signal } = new AbortController();
  const input = { key: "rows", accountId: "a", format: "csv", rules, signal } as const;
  await expect(checkFile(input)).rejects.toMatchObject({ code: "unavailable" });
  await expect(checkFile({ ...input, writeSegment: async () => {} })).rejects.toMatchObject({ code: "unavailable" });
});

test("a small file needs no thread, and is read to the same", async () => {
  const text = `ref,imageUrl\nA,${url}\nB,\n`;
  const read = async (bytes: number, threadModule?: URL) => {
    const open = async () => ({ stream: Readable.from([Buffer.from(text)]), bytes });
    const segments: string[] = [];
    const checkFile = createCheckFile({ storage: { open }, ...(threadModule && { threadModule }) });
    const summary = await checkFile({
      key: "rows",
      accountId: "a",
      format: "csv",
      rules,
      signal: new AbortController().signal,
      writeSegment: async (segment) => void segments.push(Buffer.from(segment.text).toString()),
    });
    return { summary, segments };
  };
  const small = await read(text.length, new URL("data:text/javascript,process.exit(1)"));
  expect(small).toMatchObject({ summary: { rows: 2, faulty: 1 }, segments: [expect.stringContaining('"ref":"A"')] });
  expect(await read(1_000_000)).toEqual(small);
});
