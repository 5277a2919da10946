/**
 * A large batch whose edits do nothing, while API processes, workers and nats-server are killed in turn: each row once,
 * money exact, the report complete; and how long newcomers wait beside it.
 *
 *   node bench/batches/soak.ts [rows] [kills of each kind]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@packshot/domain/account.ts";
import { isBatchNewsEvent, type PackshotEvent } from "@packshot/domain/event.ts";
import type { LedgerEntry } from "@packshot/domain/ledger.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createOutcomeFiles } from "../../services/api/batches/outcome-files.ts";
import { readAllOf, readWhole } from "../../test/failures/read-streams.ts";
import { openAccount, operator } from "../../testing/api/accounts.ts";
import { type ApiProcess, apiEnvironment, startApi } from "../../testing/api/api-processes.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { startNoOpWorker } from "../../testing/worker/no-op-worker.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";

const rows = Number(process.argv[2] ?? 100_000);
const kills = Number(process.argv[3] ?? 3);
const failEvery = 97;
const log = await startLog();
const storageDir = await mkdtemp(join(tmpdir(), "packshot-soak-"));
const environment = { ...apiEnvironment({ natsUrl: log.nats.url, storageDir }), PACKSHOT_RETENTION_SECONDS: "3600" };
const start = () => startApi({ ...environment, PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: "http://127.0.0.1" });
const apis = await Promise.all([start(), start()]);
const newWorker = () => startNoOpWorker({ natsUrl: log.nats.url, storageDir, slots: 8 });
const workers = await Promise.all([newWorker(), newWorker()]);

type Api = Pick<ApiProcess, "url">;
async function call(key: string, method: string, path: string, json?: unknown, headers: object = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      const api: Api = apis[attempt % apis.length]!;
      const response = await fetch(api.url + path, {
        method,
        signal: AbortSignal.timeout(15_000),
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      if (response.status < 500) return JSON.parse(text);
    } catch {}
    if (attempt > 200) throw new Error(`${method} ${path}: no answer`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const limits = { concurrentJobs: 64 };
const { accountId, key } = await openAccount(apis[0]!, { plan: "dev", limits });
const lines = Array.from(
  { length: rows },
  (_, i) => `${i % failEvery === 5 ? "fail" : "complete"}-${i},https://shop.example/${i}.jpg\n`,
);
const csv = Buffer.from(`ref,imageUrl\n${lines.join("")}`);
const upload = await call(key, "POST", "/v1/uploads", {
  contentType: "text/csv",
  filename: "rows.csv",
  sizeBytes: csv.length,
});
await fetch(`${apis[0]!.url}${new URL(upload.uploadUrl).pathname}${new URL(upload.uploadUrl).search}`, {
  method: "PUT",
  headers: upload.headers,
  body: new Uint8Array(csv),
});
const startedMs = performance.now();
const { id } = await call(key, "POST", "/v1/batches", {
  tool: "mask",
  onExisting: "redo",
  uploadSessionId: upload.uploadSessionId,
});
const progress = () => call(key, "GET", `/v1/batches/${id}`);

const places: number[] = [];
const { key: newcomer } = await openAccount(apis[0]!, { plan: "dev" });
async function tryNewcomer(): Promise<void> {
  const edit = await call(newcomer, "POST", "/v1/tools/mask/edit", { imageUrl: "https://shop.example/new.jpg" });
  let job = edit;
  for (let tries = 0; !job.finishedAt; tries++) {
    if (tries > 30) return console.info(`a newcomer's job does not end: ${JSON.stringify([edit, job])}`);
    job = await call(newcomer, "GET", `/v1/jobs/${edit.id}`, undefined, { Prefer: "wait=10" });
  }
  const others: { startedAt: string | null }[] = [];
  let cursor = "";
  for (let page = 0; page < 4; page++) {
    const list = await call(key, "GET", `/v1/jobs?batch=${id}&limit=100${cursor}`);
    others.push(...list.data);
    if (list.nextCursor === undefined) break;
    cursor = `&cursor=${list.nextCursor}`;
  }
  places.push(
    others.filter(({ startedAt }) => startedAt !== null && startedAt > job.createdAt && startedAt < job.startedAt)
      .length,
  );
}

const killed: Record<string, number> = { api: 0, worker: 0, "nats-server": 0 };
const killers: Record<string, () => Promise<void>> = {
  async api() {
    const at = killed.api! % apis.length;
    await apis[at]!.kill();
    apis[at] = await start();
  },
  async worker() {
    const at = killed.worker! % workers.length;
    await workers[at]!.kill();
    workers[at] = await newWorker();
  },
  async "nats-server"() {
    await log.nats.kill();
    await log.nats.restart();
  },
};
const kinds = Object.keys(killers);
const steps = kinds.length * kills + 1;
let step = 1;
for (;;) {
  const batch = await progress();
  const done = Object.entries(batch.counts as Record<string, number>).reduce(
    (sum, [name, n]) => sum + (name === "pending" || name === "open" ? 0 : n),
    0,
  );
  if (batch.finishedAt !== null) break;
  if (Math.floor(performance.now() / 1000) % 5 === 0)
    console.info(Math.round((performance.now() - startedMs) / 1000), JSON.stringify(batch.counts));
  if (performance.now() - startedMs > 1_000 * (60 + rows / 20)) {
    console.info("stalled", JSON.stringify(batch), JSON.stringify(await log.read(subjects.account(accountId))));
    console.info(
      [...apis]
        .flatMap(({ logLines }) => logLines)
        .slice(-40)
        .join("\n"),
    );
    break;
  }
  if (step < steps && batch.rows > 0 && done > (rows * step) / steps) {
    const kind = kinds[(step - 1) % kinds.length]!;
    step += 1;
    await killers[kind]!();
    killed[kind]! += 1;
    console.info(`${Math.round((performance.now() - startedMs) / 1000)} s: killed ${kind} at ${done} of ${rows}`);
  } else if (batch.rows > 0) await tryNewcomer();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}
const seconds = (performance.now() - startedMs) / 1000;
const batch = await progress();
const expectedFailed = lines.filter((line) => line.startsWith("fail")).length;
const account = async () => (await log.read<Account>(subjects.account(accountId))).value!;
for (let i = 0; i < 120 && (await account()).running + (await account()).waiting > 0; i++)
  await new Promise((resolve) => setTimeout(resolve, 500));
const storage = createDiskStorage({ dir: storageDir });
const files = createOutcomeFiles(storage);
const seen = new Set<number>();
let results = 0;
let outcomeFailed = 0;
for (let segment = 0; segment * 1000 < rows; segment++) {
  for (const outcome of (await files.read({ accountId, id }, segment)).values()) {
    seen.add(outcome.row);
    if (outcome.status === "failed") outcomeFailed += 1;
    if (outcome.result !== null && (await storage.stat(outcome.result.key)) !== undefined) results += 1;
  }
}
await new Promise((resolve) => setTimeout(resolve, 3_000));
const entries = (await readWhole<LedgerEntry>(log.connection, streams.ledger)).flatMap(({ value }) =>
  value?.accountId === accountId ? [value] : [],
);
const events = await readAllOf<PackshotEvent>(log.connection, log.stateStreams, (stream) => stream.events);
const debits = new Set(entries.filter(({ kind }) => kind === "debit").map(({ entryId }) => entryId));
const ofRows = new Map<number, number>();
for (const { value } of events)
  if (value !== undefined && "batch" in value && !isBatchNewsEvent(value) && value.batch?.id === id)
    ofRows.set(value.batch.row, (ofRows.get(value.batch.row) ?? 0) + 1);
const ends = events.filter(
  ({ value }) => value?.kind === "batchcompleted" && isBatchNewsEvent(value) && value.batch.id === id,
).length;
const { credits } = await account();
const balance = entries.reduce((sum, { amount }) => sum + amount, 0);
places.sort((a, b) => a - b);
const table = formatTable(
  ["", "expected", "found"],
  [
    ["rows with one outcome", rows, seen.size],
    ["rows with one ended job", rows, [...ofRows.values()].filter((n) => n === 1).length],
    ["rows with several", 0, [...ofRows.values()].filter((n) => n > 1).length],
    ["completed", rows - expectedFailed, batch.counts.completed],
    ["failed (outcomes)", expectedFailed, `${batch.counts.failed} (${outcomeFailed})`],
    ["results kept", rows - expectedFailed, results],
    ["debits", rows, debits.size],
    ["refunds", expectedFailed, entries.filter(({ kind }) => kind === "refund").length],
    ["balance, and that of the ledger", 1_000_000 - rows + expectedFailed, `${credits.remaining}, ${balance}`],
    ["ends told", 1, ends],
    [`newcomers' place, largest of ${places.length}`, "≤ 3", places.at(-1) ?? "–"],
  ],
);
writeResults({
  name: `batch-${rows}`,
  title: `A batch of ${rows} rows with ${kills} kill -9 of every kind of process`,
  setting: "two API processes, two workers that edit nothing, one nats-server, a window of 64",
  sections: [
    table,
    `${Math.round(seconds)} s, ${Math.round(rows / seconds)} rows a second; killed: ${JSON.stringify(killed)}.`,
  ],
});
void operator;
await Promise.all([...apis, ...workers].map((process) => process.stop()));
await log.stop();
await rm(storageDir, { recursive: true, force: true });
process.exit(0);
