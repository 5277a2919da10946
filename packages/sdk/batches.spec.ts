/**
 * Batches through the SDK, against a running stack: from items and from a file, their progress, report and archive.
 * @module-tag long
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import AdmZip from "adm-zip";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { type Batch, type BatchRow, Packshot } from "./packshot.ts";

const stack = jointStack();
const parameters = { output: { format: "webp" as const, width: 64 } };
const shop = createServer(async (request, response) => {
  const color = `#${/\/([0-9a-f]{6})\.jpg$/.exec(request.url!)?.[1] ?? ""}`;
  if (color.length !== 7) return void response.writeHead(404).end();
  const mug = Buffer.from(
    `<svg width="90" height="90"><rect width="100%" height="100%" rx="9" fill="${color}"/></svg>`,
  );
  const ground = { create: { width: 200, height: 160, channels: 3 as const, background: "#f4f2ee" } };
  response.end(
    await sharp(ground)
      .composite([{ input: mug }])
      .jpeg()
      .toBuffer(),
  );
});
let packshot: Packshot;
let photoAt: (color: string) => string;

beforeAll(async () => {
  const { apiUrl, apiKey } = stack.file;
  packshot = new Packshot({ baseUrl: apiUrl, apiKey });
  await once(shop.listen(0, "127.0.0.1"), "listening");
  photoAt = (color) => `http://127.0.0.1:${(shop.address() as AddressInfo).port}/${color}.jpg`;
});
afterAll(() => void shop.close());

test("items become a batch whose progress is told, with a typed report and an archive", async () => {
  const items = [
    { ref: "BLUE", imageUrl: photoAt("204060"), parameters: { output: { width: 32 } } },
    { ref: "RED", imageUrl: photoAt("602040") },
    { ref: "GONE", imageUrl: photoAt("gone") },
  ];
  const progress: Batch[] = [];
  const { id } = await packshot.batches.create({ tool: "mask", parameters, items });
  const ended = await packshot.batches.wait(id, { onProgress: (batch) => void progress.push(batch) });
  expect(ended).toMatchObject({ status: "completed", rows: 3, counts: { completed: 2, failed: 1 } });
  expect(progress.at(-1)).toEqual(ended);

  const rows = await Array.fromAsync(packshot.batches.report(id));
  expect(rows.map(({ ref, status, code }) => [ref, status, code])).toEqual([
    ["BLUE", "completed", null],
    ["RED", "completed", null],
    ["GONE", "failed", "source_unreachable"],
  ]);
  const known: Required<{ [field in keyof BatchRow]: true }> = {
    ref: true,
    line: true,
    status: true,
    code: true,
    message: true,
    tool: true,
    jobId: true,
    resultUrl: true,
    expiresAt: true,
    destination: true,
    sameAs: true,
    quality: true,
    review: true,
    checks: true,
    credits: true,
    milliseconds: true,
    delivery: true,
    results: true,
  };
  expect(Object.keys(rows[0]!).sort()).toEqual(Object.keys(known).sort());
  const blue = Buffer.from(await (await fetch(rows[0]!.resultUrl!)).arrayBuffer());
  expect(await sharp(blue).metadata()).toMatchObject({ format: "webp", width: 32 });
  const csv = await packshot.batches.reportFile(id, "csv");
  expect(await (await csv.blob()).text()).toMatch(/^ref,line,status,/);
  const archive = await packshot.batches.archive(id);
  expect([archive.part, archive.nextPart]).toEqual([1, undefined]);
  const zip = new AdmZip(Buffer.from(await (await archive.blob()).arrayBuffer()));
  expect(zip.getEntries().map(({ entryName }) => entryName)).toEqual(["BLUE.webp", "RED.webp", "missing.csv"]);

  const retried = await packshot.batches.retry(id);
  expect(retried).toMatchObject({ id, try: 2 });
  expect((await packshot.batches.wait(id)).counts).toMatchObject({ completed: 2, failed: 1 });
  const jobs = await Array.fromAsync(packshot.jobs.list({ batch: id, status: "completed" }));
  expect(jobs.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect((await Array.fromAsync(packshot.batches.list({ limit: 1 }))).map((batch) => batch.id)).toContain(id);
});

test("a file of rows is checked, sent once, and what was done before is skipped", async () => {
  const csv = `ref,imageUrl,output.width\nA,${photoAt("206040")},48\nB,nowhere,48\nC,${photoAt("206040")},48\n`;
  const file = new File([csv], "rows.csv");
  expect(await packshot.batches.dryRun({ tool: "mask", file })).toMatchObject({
    dryRun: true,
    rows: 3,
    faulty: 1,
    faults: [{ line: 3, ref: "B", code: "invalid_request" }],
  });
  const idempotencyKey = "catalog-of-monday";
  const { id } = await packshot.batches.create({ tool: "mask", file }, { idempotencyKey });
  const { counts, creditsCharged } = await packshot.batches.wait(id);
  expect(counts).toMatchObject({ completed: 1, failed: 1, skipped: 1 });
  expect(creditsCharged).toBe(1);
  const rows = await Array.fromAsync(packshot.batches.report(id));
  expect(rows.find(({ status }) => status === "skipped")).toMatchObject({ sameAs: { batchId: id }, credits: 0 });
  expect((await packshot.batches.create({ tool: "mask", file }, { idempotencyKey })).id).toBe(id);

  const ndjson = new TextEncoder().encode(csv.split("\n").map(rowOf).filter(Boolean).join("\n"));
  await expect(packshot.batches.create({ tool: "mask", file: ndjson })).rejects.toThrow(/format of the rows/);
  const again = await packshot.batches.create({ tool: "mask", file: ndjson, format: "ndjson" });
  expect((await packshot.batches.wait(again.id)).counts).toMatchObject({ completed: 0, failed: 1, skipped: 2 });
});

/** A line of the CSV file as NDJSON; undefined for the header and the end. */
function rowOf(line: string): string | undefined {
  const [ref, imageUrl, width] = line.split(",");
  if (imageUrl === undefined || ref === "ref") return undefined;
  return JSON.stringify({ ref, imageUrl, parameters: { output: { width: Number(width) } } });
}

test("a batch is paused, resumed and cancelled, and a wait ends where nothing goes on", async () => {
  const { key } = await packshot.account.keys.create({ name: "tests", live: false });
  const testing = new Packshot({ baseUrl: stack.file.apiUrl, apiKey: key });
  const items = Array.from({ length: 300 }, (_, row) => ({
    ref: `Q-${row}`,
    imageUrl: "https://test.packshot.invalid/queued",
  }));
  const { id } = await testing.batches.create({ tool: "mask", items });
  expect(await testing.batches.pause(id)).toMatchObject({ status: "paused", pausedBy: "requested" });
  expect((await testing.batches.wait(id)).status).toBe("paused");
  expect((await testing.batches.resume(id)).status).toBe("running");
  await expect(testing.batches.wait(id, { waitTimeoutMs: 30 })).rejects.toMatchObject({ code: "timed_out" });
  const abort = new AbortController();
  const reason = new Error("left");
  const left = testing.batches.wait(id, { signal: abort.signal, onProgress: () => abort.abort(reason) });
  await expect(left).rejects.toBe(reason);
  await testing.batches.cancel(id);
  const { status, counts } = await testing.batches.wait(id);
  expect([status, counts.cancelled]).toEqual(["cancelled", 300]);
  await expect(testing.batches.pause(id)).rejects.toMatchObject({ code: "batch_status_conflict", status: 409 });
  await expect(testing.batches.get("none")).rejects.toMatchObject({ code: "not_found" });
});

test("a report that breaks off is read again, and gives each row once", async () => {
  const row = (ref: number) => `${JSON.stringify({ ref: String(ref) })}\n`;
  let reads = 0;
  const breaking = new Packshot({
    baseUrl: stack.file.apiUrl,
    apiKey: stack.file.apiKey,
    async fetch() {
      reads += 1;
      const text = row(1) + row(2) + row(3);
      const isWhole = reads > 2;
      let sent = false;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent && !isWhole) return controller.error(new TypeError("terminated"));
          if (sent) return controller.close();
          sent = true;
          controller.enqueue(new TextEncoder().encode(isWhole ? text : text.slice(0, 16 * reads)));
        },
      });
      return new Response(body);
    },
  });
  const refs = await Array.fromAsync(breaking.batches.report("x"), ({ ref }) => ref);
  expect([refs, reads]).toEqual([["1", "2", "3"], 3]);
});

test("what keys changed is in the audit log, and the account can be exported", async () => {
  const created = await packshot.account.keys.create({ name: "audited" });
  const find = async () => {
    for await (const entry of packshot.audit.list({ limit: 5 })) if (entry.created === created.id) return entry;
    return undefined;
  };
  await expect.poll(find).toMatchObject({ operation: "createKey", status: 201 });
  const lines = (await (await (await packshot.account.export()).blob()).text()).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1)!)).toEqual({ type: "end", lines: lines.length - 1 });
  await expect(packshot.account.delete("another")).rejects.toMatchObject({ code: "invalid_request" });
});
