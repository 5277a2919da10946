/** `packshot batches`: the batches of an account, from the first row to the report. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type Batch,
  type BatchDryRun,
  type BatchRow,
  type Download,
  type NewBatch,
  type Packshot,
  PackshotError,
} from "@packshot/sdk/packshot.ts";
import { describeBatch, endedRows, followBatch, timeText } from "./batches/follow-batch.ts";
import { readRows } from "./batches/read-rows.ts";
import { showDryRun } from "./batches/show-dry-run.ts";
import { readEditSettings, settingsFlags } from "./client/edit-settings.ts";
import { listFlags, listHelp, showList } from "./client/read-list.ts";
import { accessFlags, accessHelp, explained, openClient, serviceOf } from "./client/service-access.ts";
import {
  type Command,
  CommandError,
  calledFrom,
  readArguments,
  stopSignal,
  wholeNumber,
} from "./command-line/command.ts";
import { printJson, printLine, printNote, printTable, printText, writeVisibly } from "./command-line/print.ts";

const help = `packshot batches: the photos of a catalog, which the service edits by itself.

  packshot batches create ROWS  of a .csv or .ndjson file; or of addresses, as
                                arguments, in a .txt file, or on stdin (-)
  packshot batches list|show|pause|resume|cancel|retry|deliver [ID…]
  packshot batches report|archive ID --out FILE   a line each; or a ZIP file

  --tool T, --theme W, --preset P, --output N=P, --set NAME=VALUE   as of edit
  --dry-run         check and count the rows, look at --look N of their photos
                    (10; 0: none), which costs nothing, and make nothing
  --wait            show how far it is until it ends (create, show, retry)
  --to s3://C/KEY   results go to the connected bucket C: s3://C/web/{ref}.{ext}
  --redo            edit also what a batch has done before
  --again           another batch of rows that were sent in the last 24 hours
${listHelp}
  --json            print JSON
${accessHelp}

  packshot batches create rows.csv --preset amazon-main --wait
  packshot batches report BATCH --out report.csv

Status: 0 done, 1 could not go on, 3 rows or deliveries failed, 130 Ctrl-C.`;

const flags = {
  ...accessFlags,
  ...settingsFlags,
  "dry-run": { type: "boolean", default: false },
  look: { type: "string" },
  wait: { type: "boolean", default: false },
  to: { type: "string" },
  redo: { type: "boolean", default: false },
  again: { type: "boolean", default: false },
  ...listFlags,
  out: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];
type Verb = (client: Packshot, args: readonly string[], values: Values) => Promise<number>;

const statuses = { done: 0, rowsFailed: 3, interrupted: 130, terminated: 143 } as const;
/** So many may a dry run look at. */
const photosMax = 50;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, { list: 0, report: 1, archive: 1 });
  const [verb = "list", ...rest] = positionals;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb]! : undefined;
  if (act === undefined)
    throw new CommandError(`unknown subcommand of batches: "${verb}"; use ${Object.keys(verbs).join(", ")}.`);
  if (verb !== "list" && verb !== "create" && rest.length === 0)
    throw new CommandError(`batches ${verb} needs a batch's id; "packshot batches list" shows them.`);
  return await explained(act(openClient(await serviceOf(values)), rest, values));
}

const verbs: Readonly<Record<string, Verb>> = {
  create,
  list,
  show: (client, ids, values) => printAll(client, ids, values, (id) => client.batches.get(id)),
  pause: changeAll((client) => client.batches.pause),
  resume: changeAll((client) => client.batches.resume),
  cancel: changeAll((client) => client.batches.cancel),
  retry: (client, ids, values) => printAll(client, ids, values, (id) => client.batches.retry(id)),
  deliver,
  report,
  archive,
};

function changeAll(changeOf: (client: Packshot) => (id: string) => Promise<Batch>): Verb {
  return async (client, ids) => {
    for (const id of ids) printLine(`${id} ${(await changeOf(client)(id)).status}`);
    return statuses.done;
  };
}

async function create(client: Packshot, given: readonly string[], values: Values): Promise<number> {
  const { file, format } = await readRows(given, calledFrom(), process.stdin);
  const { tool, options } = await readEditSettings(client, values);
  const destination = values.to === undefined ? {} : { destination: destinationOf(values.to) };
  const about = { tool, ...options, ...destination, onExisting: values.redo ? "redo" : "skip" } as const;
  const batch = { ...about, file, format } as NewBatch;
  if (values["dry-run"]) {
    const look = values.look && { photos: wholeNumber("--look", values.look, 0, photosMax) };
    return printDryRun(await client.batches.dryRun(batch, look ? { look } : {}), values.json);
  }
  // The same command again, after it was broken off, finds the batch that it made.
  const idempotencyKey = values.again ? crypto.randomUUID() : `cli-batch-${await hashOf(file, about)}`;
  const created = await client.batches.create(batch, { idempotencyKey });
  return await printAll(client, [created.id], values, () => client.batches.get(created.id));
}

async function hashOf(file: Blob, about: object): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(about));
  for await (const chunk of file.stream()) hash.update(chunk);
  return hash.digest("hex").slice(0, 40);
}

function destinationOf(text: string): { connection: string; key: string } {
  const [, connection, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(text) ?? [];
  if (connection === undefined || key === undefined)
    throw new CommandError(`--to takes a connection and a key, as in s3://shop/web/{ref}.{ext}, not "${text}".`);
  return { connection, key };
}

function printDryRun(dryRun: BatchDryRun, json: boolean): number {
  if (json) printJson(dryRun);
  else showDryRun(dryRun);
  return dryRun.faulty > 0 || dryRun.error !== null ? statuses.rowsFailed : statuses.done;
}

/** With --wait each is followed to its end, and its failed rows tell in the status. */
async function printAll(
  client: Packshot,
  ids: readonly string[],
  { wait, json }: Values,
  open: (id: string) => Promise<Batch>,
): Promise<number> {
  const signal = wait ? stopSignal() : new AbortController().signal;
  let hasFailed = false;
  for (const id of ids) {
    let batch = await open(id);
    try {
      if (wait) printNote(`Batch ${id}`);
      if (wait) batch = await followBatch(client, id, process.stderr, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      printNote(`The batch goes on without this command; "packshot batches show ${id} --wait" follows it.`);
      return signal.reason === "SIGTERM" ? statuses.terminated : statuses.interrupted;
    }
    if (json) printJson(batch);
    else printText(describeBatch(batch));
    hasFailed ||= wait && (batch.counts.failed + batch.deliveriesFailed > 0 || batch.error !== null);
  }
  return hasFailed ? statuses.rowsFailed : statuses.done;
}

/** Results that their buckets did not take, once more each. Those of jobs that have expired are in the report alone. */
async function deliver(client: Packshot, ids: readonly string[]): Promise<number> {
  let hasFailed = false;
  for (const id of ids) {
    const counts = { stored: 0, failed: 0, expired: 0 };
    for await (const row of client.batches.report(id)) {
      if (row.status !== "completed" || row.delivery !== "failed") continue;
      const outcome = await deliverRow(client, row);
      counts[outcome] += 1;
      if (outcome !== "stored") printNote(`${row.ref}: ${outcome}`);
    }
    printLine(`${id} ${counts.stored} stored, ${counts.failed} failed, ${counts.expired} expired`);
    hasFailed ||= counts.failed + counts.expired > 0;
  }
  return hasFailed ? statuses.rowsFailed : statuses.done;
}

async function deliverRow(client: Packshot, { jobId }: BatchRow): Promise<"stored" | "failed" | "expired"> {
  try {
    const { destination } = await client.jobs.deliver(jobId!);
    return destination?.status === "stored" ? "stored" : "failed";
  } catch (error) {
    if (!(error instanceof PackshotError)) throw error;
    if (error.code === "not_found") return "expired";
    if (error.status === 409) return "failed";
    throw error;
  }
}

async function list(client: Packshot, _ids: readonly string[], values: Values): Promise<number> {
  await showList(client.batches.list, values, (batches) => {
    if (values.json) return printJson(batches);
    if (batches.length === 0) return printLine("no batches");
    printTable(["id", "created", "status", "ended", "failed"], batches.map(rowOf));
  });
  return statuses.done;
}

function rowOf(batch: Batch): string[] {
  const { id, createdAt, status, counts } = batch;
  return [id, timeText(createdAt), status, `${endedRows(batch)} of ${batch.rows}`, String(counts.failed)];
}

async function report(client: Packshot, [id]: readonly string[], { out, json }: Values): Promise<number> {
  const isCsv = out === undefined ? !json : extname(out).toLowerCase() === ".csv";
  const file = await client.batches.reportFile(id!, isCsv ? "csv" : "ndjson");
  if (out === undefined) await writeVisibly(Readable.fromWeb(file.stream as never), process.stdout);
  else await save(file, out);
  return statuses.done;
}

/** Each part has the results of 10,000 rows; all but the first have their number in their name. */
async function archive(client: Packshot, [id]: readonly string[], { out = "results.zip" }: Values): Promise<number> {
  for (let part: number | undefined = 1; part !== undefined; ) {
    const file = await client.batches.archive(id!, { part });
    await save(file, part === 1 ? out : out.replace(/(\.zip)?$/i, `-${part}$1`));
    part = file.nextPart;
  }
  return statuses.done;
}

/** Under another name until it is whole. */
async function save({ stream }: Download, out: string): Promise<void> {
  const path = resolve(calledFrom(), out);
  try {
    await pipeline(Readable.fromWeb(stream as never), createWriteStream(`${path}.part`));
    await rename(`${path}.part`, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new CommandError(`${out} cannot be written (${code}).`);
  }
  printLine(out);
}

export const batches: Command = { summary: "create, follow and fetch batches of a catalog's photos", help, run };
