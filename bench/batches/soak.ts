/**
 * A large batch while each kind of process is killed in turn: each row once, money exact, the report complete; and how long
 * newcomers wait beside it. Edits do nothing, or with --real they are masks of small photos, of which ten come twice.
 *
 *   node bench/batches/soak.ts [rows] [kills of each kind] [--real]
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type BatchFindings, gatherBatchFindings } from "../../test/failures/batch-findings.ts";
import { openAccount } from "../../testing/api/accounts.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";
import { openShop, startNoOpFleet, startRealFleet } from "./soak-fleet.ts";
import { type Answer, startNewcomers } from "./soak-newcomers.ts";

const { values: flags, positionals } = parseArgs({
  options: { real: { type: "boolean", default: false } },
  allowPositionals: true,
});
const isReal = flags.real;
const rows = Number(positionals[0] ?? 100_000);
const kills = Number(positionals[1] ?? 3);
/** One in so many edits that do nothing fails. */
const failEvery = 97;
/** With real edits, the last rows have the photos of the first. */
const twice = isReal ? 10 : 0;
const window = isReal ? 8 : 256;
const askTimeoutMs = 15_000;
const reportTimeoutMs = 300_000;
const asksMax = 400;
const sayEveryMs = 10_000;
const stalledMs = 240_000;
const credits = 1_000_000;

const fleet = await (isReal ? startRealFleet() : startNoOpFleet());
const shop = await openShop();
const receiver = await startReceiver();

/** Asks the API's processes in turn, until one answers. */
async function call(key: string, method: string, path: string, json?: unknown, headers: object = {}): Promise<Answer> {
  const idempotency = method === "POST" ? { "Idempotency-Key": randomUUID() } : {};
  const authorized = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...idempotency, ...headers };
  for (let attempt = 1; attempt <= asksMax; attempt++) {
    const urls = fleet.apis();
    const url = urls[attempt % Math.max(1, urls.length)];
    const signal = AbortSignal.timeout(path.endsWith("/report") ? reportTimeoutMs : askTimeoutMs);
    const request = { method, signal, headers: authorized, ...(json !== undefined && { body: JSON.stringify(json) }) };
    const response = await fetch(url + path, request).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response !== undefined && text !== undefined && response.status < 500) {
      return response.headers.get("content-type")?.includes("ndjson") ? text : JSON.parse(text);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${method} ${path}: no answer`);
}

function catalog(): Buffer {
  const lines = Array.from({ length: rows }, (_, row) => {
    if (isReal) return `sku-${row},${shop.urlOf(row < rows - twice ? row : row - (rows - twice))}\n`;
    return `${row % failEvery === 5 ? "fail" : "complete"}-${row},https://shop.example/${row}.jpg\n`;
  });
  return Buffer.from(`ref,imageUrl\n${lines.join("")}`);
}

async function uploadCatalog(key: string): Promise<string> {
  const csv = catalog();
  const order = { contentType: "text/csv", filename: "rows.csv", sizeBytes: csv.length };
  const upload = await call(key, "POST", "/v1/uploads", order);
  const { pathname, search } = new URL(upload.uploadUrl);
  const put = { method: "PUT", headers: upload.headers, body: new Uint8Array(csv) };
  const { ok, status } = await fetch(`${fleet.apis()[0]}${pathname}${search}`, put);
  if (!ok) throw new Error(`the upload got ${status}`);
  return upload.uploadSessionId;
}

const adminUrl = fleet.adminUrl();
const limits = { concurrentJobs: window };
const { accountId, key } = await openAccount({ adminUrl }, { plan: "dev", limits });
const { key: newcomerKey } = await openAccount({ adminUrl }, { plan: "dev" });
if (isReal) await call(key, "POST", "/v1/webhooks", { url: receiver.url });
const uploadSessionId = await uploadCatalog(key);
const startedMs = performance.now();
const order = { tool: "mask", onExisting: isReal ? "skip" : "redo", uploadSessionId };
const { id: batchId } = await call(key, "POST", "/v1/batches", order);
const newcomers = startNewcomers({
  call,
  key: newcomerKey,
  owner: { key, batchId },
  imageUrl: isReal ? shop.urlOf(rows) : "https://shop.example/new.jpg",
});

const seconds = () => Math.round((performance.now() - startedMs) / 1000);
const killed: Record<string, number> = Object.fromEntries(Object.keys(fleet.killers).map((kind) => [kind, 0]));

/** Kills the kinds in turn, evenly over the rows. False: nothing has got ahead for minutes. */
async function killWhileItRuns(): Promise<boolean> {
  const kinds = Object.entries(fleet.killers);
  const steps = kinds.length * kills + 1;
  let step = 1;
  let done = 0;
  let aheadMs = performance.now();
  let saidMs = 0;
  for (;;) {
    const batch = await call(key, "GET", `/v1/batches/${batchId}`);
    if (batch.finishedAt !== null) return true;
    const { completed, failed, skipped, cancelled } = batch.counts;
    const now = performance.now();
    if (completed + failed + skipped + cancelled > done) aheadMs = now;
    done = completed + failed + skipped + cancelled;
    if (now - saidMs > sayEveryMs) console.info(`${seconds()} s: ${JSON.stringify(batch.counts)}`);
    if (now - saidMs > sayEveryMs) saidMs = now;
    if (now - aheadMs > stalledMs) return false;
    if (step < steps && batch.rows > 0 && done > (rows * step) / steps) {
      const [kind, kill] = kinds[(step - 1) % kinds.length]!;
      step += 1;
      newcomers.noteDisturbance();
      await kill();
      newcomers.noteDisturbance();
      killed[kind]! += 1;
      console.info(`${seconds()} s: killed ${kind} at ${done} of ${rows}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function accountWhenSettled(): Promise<Account> {
  for (let i = 0; ; i++) {
    const { value } = await fleet.log.read<Account>(subjects.account(accountId));
    if (value!.running + value!.waiting === 0 || i === 240) return value!;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const toldOf = (kind: string) =>
  new Set(receiver.received.filter(({ body }) => body.includes(kind)).map(({ id }) => id)).size;

function table(batch: Answer, report: string, found: BatchFindings): string {
  const lines = report.trimEnd().split("\n");
  const links = lines.filter((line) => JSON.parse(line).resultUrl !== null).length;
  const failing = isReal ? 0 : Math.floor((rows - 1 - 5) / failEvery) + 1;
  const completing = rows - failing - twice;
  const made = completing + failing;
  const balance = credits - completing;
  const places = newcomers.places.toSorted((a, b) => a - b);
  const { outcomes } = found;
  return formatTable(
    ["", "expected", "found"],
    [
      ["rows with one outcome", rows, Object.values(outcomes).reduce((sum, count) => sum + count, 0)],
      ["rows with one ended job", made, found.rowsWithOneJob],
      ["rows with several", 0, found.rowsWithSeveralJobs],
      ["completed (outcomes)", completing, `${batch.counts.completed} (${outcomes.completed})`],
      ["failed (outcomes)", failing, `${batch.counts.failed} (${outcomes.failed})`],
      ["skipped (outcomes)", twice, `${batch.counts.skipped} (${outcomes.skipped})`],
      ["results kept", completing, found.results],
      ["lines of the report, and links", `${rows}, ${rows - failing}`, `${lines.length}, ${links}`],
      ["debits", made, found.debits],
      ["refunds", failing, found.refunds],
      ["balance, and that of the ledger", `${balance}, ${balance}`, found.balances.join(", ")],
      ["ends told", 1, found.endsTold],
      ...(isReal
        ? [
            ["webhooks of ended jobs", completing, toldOf("job.completed")],
            ["webhooks of the batch's end", 1, toldOf("batch.completed")],
          ]
        : []),
      [`newcomers' place, largest of ${places.length}`, "≤ 3", places.at(-1) ?? "–"],
      ["newcomers who waited for a minute", 0, newcomers.late],
    ],
  );
}

const hasEnded = await killWhileItRuns();
const took = seconds();
await newcomers.stop();
const batch = await call(key, "GET", `/v1/batches/${batchId}`);
if (!hasEnded) console.info(["stalled", JSON.stringify(batch), ...fleet.lines()].join("\n"));
const account = await accountWhenSettled();
if (account.running + account.waiting > 0) console.info("not settled", JSON.stringify(account));
const report = await call(key, "GET", `/v1/batches/${batchId}/report`);
for (let i = 0; isReal && i < 120 && toldOf("batch.completed") === 0; i++) {
  await new Promise((resolve) => setTimeout(resolve, 500));
}
const found = await gatherBatchFindings({ log: fleet.log, storageDir: fleet.storageDir, accountId, batchId, rows });
writeResults({
  name: isReal ? `batch-real-${rows}` : `batch-${rows}`,
  title: `A batch of ${rows} ${isReal ? "real edits" : "rows"} with ${kills} kill -9 of every kind of process`,
  setting: `${fleet.setting}, a window of ${window}`,
  sections: [
    table(batch, report, found),
    `${took} s, ${Math.round(rows / took)} rows a second; killed: ${JSON.stringify(killed)}.${hasEnded ? "" : " **It stalled.**"}`,
  ],
});
shop.close();
await receiver.close();
await fleet.stop();
process.exit(hasEnded ? 0 : 1);
