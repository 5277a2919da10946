/**
 * Newcomers beside a large batch: how many other edits begin between the moment when the log has a newcomer's edit and the
 * moment when it begins, and how long that takes.
 *
 *   node bench/batches/newcomers.ts [newcomers]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { subjects } from "@packshot/domain/subjects.ts";
import { isJobEndedEvent, type PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { readAllOf } from "../../test/failures/read-streams.ts";
import { openAccount } from "../../testing/api/accounts.ts";
import { apiEnvironment, startApi } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { startInstantWorker } from "../../testing/worker/instant-worker.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";

const newcomers = Number(process.argv[2] ?? 40);
const rows = 1_000;
/** Workers, their slots, milliseconds of an edit. */
const settings = [
  [1, 2, 100],
  [2, 8, 100],
  [2, 8, 0],
] as const;

type TestLog = Awaited<ReturnType<typeof startLog>>;

/** When each job began, as the events of their ends tell. */
async function beginnings(log: TestLog): Promise<Map<string, number>> {
  const events = await readAllOf<PackshotEvent>(log.connection, log.stateStreams, (stream) => stream.events);
  return new Map(
    events.flatMap(({ value }) =>
      value !== undefined && isJobEndedEvent(value) && value.startedAt !== null
        ? [[value.jobId, Date.parse(value.startedAt)] as const]
        : [],
    ),
  );
}

/** When the log had it: its debit is of the same atomic batch, and is not written again. */
async function acceptedMs(log: TestLog, accountId: string, jobId: string): Promise<number> {
  const manager = await jetstreamManager(log.connection);
  const query = { last_by_subj: subjects.ledger(accountId, 1, jobId, "debit") };
  return (await manager.streams.getMessage(log.stateStreams[0]!.state, query))!.time.getTime();
}

async function measure([workerCount, slots, editMs]: (typeof settings)[number]): Promise<(string | number)[]> {
  const log = await startLog();
  const storageDir = await mkdtemp(join(tmpdir(), "packshot-newcomers-"));
  const environment = apiEnvironment({ natsUrl: log.nats.url, storageDir });
  const api = await startApi({ ...environment, PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: "http://127.0.0.1" });
  const connections = await Promise.all(
    Array.from({ length: workerCount }, () => connectNats({ url: log.nats.url, name: "worker" })),
  );
  const edit = () => (editMs === 0 ? Promise.resolve() : delay(editMs));
  const workers = await Promise.all(
    connections.map((connection) =>
      startInstantWorker({ log: createLog(connection, { stateStreamCount: 1 }), storageDir, slots, edit }),
    ),
  );
  const clientOf = async (limits: object) => {
    const { accountId, key } = await openAccount(api, { plan: "dev", limits });
    return { accountId, ...apiClient(api.url, key) };
  };
  const catalog = await clientOf({ concurrentJobs: 64 });
  const items = Array.from({ length: rows }, (_, i) => ({ ref: `R-${i}`, imageUrl: "https://shop.example/1.jpg" }));
  const others = await Promise.all(Array.from({ length: newcomers }, () => clientOf({})));
  let batchId: string | undefined;
  const jobs: { readonly accountId: string; readonly id: string }[] = [];
  for (const newcomer of others) {
    // A batch runs all the time.
    const ended =
      batchId === undefined || (await catalog.call("GET", `/v1/batches/${batchId}`)).body.counts.pending < 200;
    if (ended) {
      const json = { tool: "mask", onExisting: "redo", items };
      batchId = (await catalog.call("POST", "/v1/batches", { json })).body.id;
      while ((await catalog.call("GET", `/v1/batches/${batchId}`)).body.counts.open < 64) await delay(5);
    }
    const json = { imageUrl: "https://shop.example/2.jpg" };
    const headers = { Prefer: "wait=30" };
    const { body } = await newcomer.call("POST", "/v1/tools/mask/edit", { json, headers });
    jobs.push({ accountId: newcomer.accountId, id: body.id });
    await delay(Math.random() * 200);
  }
  const begun = await beginnings(log);
  const accepted = await Promise.all(jobs.map(({ accountId, id }) => acceptedMs(log, accountId, id)));
  const places = jobs.map(({ id }, i) => {
    const isBetween = (ms: number) => ms >= accepted[i]! && ms <= begun.get(id)!;
    return [...begun].filter(([other, ms]) => other !== id && isBetween(ms)).length;
  });
  const waits = jobs.map(({ id }, i) => begun.get(id)! - accepted[i]!);
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.stop();
  await Promise.all(connections.map((connection) => connection.close()));
  await log.stop();
  await rm(storageDir, { recursive: true, force: true });
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return [
    `${workerCount} × ${slots}`,
    editMs,
    newcomers,
    middle(places),
    Math.max(...places),
    places.filter((place) => place > 3).length,
    Math.round(middle(waits)),
    Math.round(Math.max(...waits)),
  ];
}

const measured: (string | number)[][] = [];
for (const setting of settings) measured.push(await measure(setting));
const table = formatTable(
  ["workers × slots", "edit, ms", "newcomers", "place, median", "largest", "above 3", "wait, median, ms", "longest"],
  measured,
);
writeResults({
  name: "batch-newcomers",
  title: "Edits of newcomers beside a batch",
  setting: "one API process, one nats-server, a batch with a window of 64",
  sections: [
    table,
    "Place: other edits that began after the log had the newcomer's, and not later than it, in the same millisecond too.",
  ],
});
process.exit(0);
