/**
 * Dry runs of a large catalog, through the API: how long they take, the most memory that the API's process has, and how long
 * other requests of the process wait meanwhile. Writes bench/results/<date>/batch-dry-run.md:
 *
 *   node bench/batches/dry-run.ts [--rows 1000000]
 */
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { quantile } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";

const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
const rowsCount = Number(values.rows);
const rowsPerPiece = 1_000;
const probeEveryMs = 20;
const MB = 1_000_000;

type Format = "csv" | "ndjson";
const contentTypes: Readonly<Record<Format, string>> = { csv: "text/csv", ndjson: "application/x-ndjson" };

function rowText(format: Format, row: number): string {
  const ref = `SKU-${row}`;
  const imageUrl = `https://images.shop.example/catalog/2026/product-${row}-front.jpg`;
  // One row in a thousand has a fault.
  const width = row % 1_000 === 999 ? 9_999 : 1_200;
  if (format === "csv") return `${ref},${imageUrl},mask,png,${width},${row}\n`;
  return `${JSON.stringify({ ref, imageUrl, tool: "mask", parameters: { output: { format: "png", width }, seed: row } })}\n`;
}

function* pieces(format: Format): Generator<Buffer> {
  if (format === "csv") yield Buffer.from("ref,imageUrl,tool,output.format,output.width,seed\n");
  for (let row = 0; row < rowsCount; row += rowsPerPiece) {
    const length = Math.min(rowsPerPiece, rowsCount - row);
    yield Buffer.from(Array.from({ length }, (_, i) => rowText(format, row + i)).join(""));
  }
}

/** Memory of the process: its peak since it started, or now. */
function residentMB(pid: number, field: "VmHWM" | "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return (1_024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1])) / MB;
}

/** How long small requests take, one after another, until `signal`. */
async function probe(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  while (!signal.aborted) {
    const startedAtMs = performance.now();
    await (await fetch(`${url}/v1/account`, { headers })).arrayBuffer();
    took.push(performance.now() - startedAtMs);
    await setTimeout(probeEveryMs);
  }
  return took;
}

function inMs(took: number[]): string {
  const sorted = took.sort((a, b) => a - b);
  const of = (share: number) => quantile(sorted, share).toFixed(1);
  return `${of(0.5)} / ${of(0.99)} / ${of(1)}`;
}

async function measure(format: Format): Promise<string[]> {
  const apis = await startApis();
  try {
    const { key } = await openAccount(apis.all[0]!);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    // The file goes to another process, whose memory is not of interest.
    let url = () => apis.all[0]!.url;
    const post = (path: string, json: object) =>
      fetch(url() + path, { method: "POST", headers, body: JSON.stringify(json) });
    let sizeBytes = 0;
    for (const piece of pieces(format)) sizeBytes += piece.length;
    const contentType = contentTypes[format];
    const opened = await post("/v1/uploads", { contentType, filename: `rows.${format}`, sizeBytes });
    const upload = (await opened.json()) as { uploadUrl: string; uploadSessionId: string };
    const body = Readable.toWeb(Readable.from(pieces(format)));
    const putHeaders = { "Content-Type": contentType, "Content-Length": String(sizeBytes) };
    const put = await fetch(upload.uploadUrl, {
      method: "PUT",
      headers: putHeaders,
      body,
      duplex: "half",
    } as RequestInit);
    if (!put.ok) throw new Error(`the upload got ${put.status}`);

    const { pid, ...started } = await apis.start();
    url = () => started.url;
    const idleMs = await probe(url(), headers, AbortSignal.timeout(3_000));
    const before = residentMB(pid, "VmRSS");
    const over = new AbortController();
    const probing = probe(url(), headers, over.signal);
    const startedAtMs = performance.now();
    const answer = await post("/v1/batches", { dryRun: true, tool: "mask", uploadSessionId: upload.uploadSessionId });
    const dryRun = (await answer.json()) as { rows: number; faulty: number; credits: number };
    const seconds = (performance.now() - startedAtMs) / 1_000;
    over.abort();
    const busyMs = await probing;
    if (dryRun.rows !== rowsCount || dryRun.credits !== rowsCount - dryRun.faulty)
      throw new Error(JSON.stringify(dryRun));
    const peak = residentMB(pid, "VmHWM");
    return [
      format,
      (sizeBytes / MB).toFixed(0),
      seconds.toFixed(1),
      before.toFixed(0),
      peak.toFixed(0),
      inMs(idleMs),
      inMs(busyMs),
    ];
  } finally {
    await apis.stop();
  }
}

const table = createTable([
  ...["rows as", "MB", "seconds", "MB of the process before", "at its peak"],
  ...["another request, idle: ms, p50 / p99 / longest", "meanwhile"],
]);
for (const format of ["csv", "ndjson"] as const) table.add(...(await measure(format)));
writeResults({
  name: "batch-dry-run",
  title: `A dry run of ${rowsCount.toLocaleString("en")} rows`,
  setting: "one API process on disk storage, with its nats-server, and the client that probes it",
  sections: [
    table.toString(),
    "The process's memory is its resident set, with the thread that reads. One row in a thousand has a fault. Other requests are `GET /v1/account`, one after another.",
  ],
});
