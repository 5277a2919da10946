import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { openBatch } from "@packshot/domain/batches/batch-changes.ts";
import { type EngineRules, rendererOnly } from "@packshot/domain/edits/engine.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queuedJob } from "../../../../../testing/log/job-records.ts";
import { describeOnStorages, startStorages } from "../../../../../testing/storage/test-storages.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import type { PreparedRow, ValidRow } from "../rows/row.ts";
import { createDoneRows } from "./done-rows.ts";
import { createSkipDoneRows } from "./skip-done-rows.ts";

const storages = suiteFixture(startStorages);
const account = { limits: { maxFileSizeBytes: 1_000 } } as Account;
const logger = createLogger({ name: "skip-done-rows.spec", level: "fatal" });
const { signal } = new AbortController();
let shop: Server;
/** Requests for a photo that does not come. */
const slow: ServerResponse[] = [];

let pictures = 0;
let version = 1;

/** Photos are what their address says, without its query; a picture changes with `version`. */
beforeAll(async () => {
  shop = createServer((request, response) => {
    const photo = new URL(request.url!, "http://shop").pathname;
    if (photo === "/tarpit") slow.push(response);
    else if (photo === "/picture") {
      pictures += 1;
      response.end(`picture ${version}`);
    } else if (photo === "/gone") response.writeHead(404).end();
    else response.end(photo === "/large" ? Buffer.alloc(2_000) : photo);
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
});
afterAll(() => void shop.close());

function row(number: number, photo: string, parameters: ValidRow["parameters"] = {}): ValidRow {
  const imageUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/${photo}?${number}`;
  return {
    row: number,
    line: number + 1,
    ref: `K-${number}`,
    source: { kind: "url", imageUrl },
    tool: "mask",
    parameters,
  };
}

function imageUrlOf({ source }: ValidRow): string {
  return source.kind === "url" ? source.imageUrl : "";
}

/** As a link to the photo in a bucket. */
function bucketUrl(imageUrl: string): string {
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}/${imageUrl.split("/").at(-1)}?X-Amz-Signature=1`;
}

function newBatch(accountId: string, fields: object = {}): Batch {
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "skip" } as const;
  return openBatch({ ...given, destination: null, input: { kind: "inline" }, ...fields }, Date.now());
}

describeOnStorages("with files on %s", (adapter) => {
  /** Opens what one process has. */
  function open(records: ReadonlyMap<string, Job>, model = "u2netp 1", engines: EngineRules = rendererOnly) {
    const storage = storages[adapter];
    const log = {
      read: async <T>(subject: string) => ({ subject, value: records.get(subject) as T | undefined, sequence: 1 }),
    };
    const doneRows = createDoneRows({ log, storage, logger, nowMs: Date.now });
    const prepare = createSkipDoneRows({
      log: log as Log,
      storage,
      doneRows,
      nowMs: Date.now,
      sourceTimeoutMs: 10_000,
      modelIdentity: () => model,
      engines: () => engines,
      allowSources: parseAllowList("127.0.0.1:*"),
      allowConnections: parseAllowList("127.0.0.1:*"),
      links: { ofSource: async (_, imageUrl) => ({ method: "GET", url: bucketUrl(imageUrl), headers: {} }) },
      prepareRows: async (_, rows) =>
        rows.map((one) => ({ kind: "job", row: one, jobId: uuidv7(), source: { kind: "url", imageUrl: "" } })),
    });
    return {
      storage,
      doneRows,
      prepare: (batch: Batch, rows: ValidRow[]) => prepare({ batch, account }, rows, signal),
    };
  }

  const brief = (prepared: readonly PreparedRow[]) =>
    prepared.map((one) => {
      if (one.kind === "job") return `job ${one.row.row}`;
      const { outcome } = one;
      return outcome.status === "skipped" ? `same as ${outcome.sameAs.row}` : outcome.code;
    });

  test("equal photos make one job, in one hand-out and in later ones, also of another process", async () => {
    const accountId = uuidv7();
    const batch = newBatch(accountId);
    const records = new Map<string, Job>();
    const { prepare, storage } = open(records);
    const rows = [
      row(0, "mug"),
      row(1, "cup"),
      row(2, "mug"),
      row(3, "mug", { seed: 7 }),
      row(4, "gone"),
      row(5, "large"),
    ];
    const first = await prepare(batch, rows);
    expect(brief(first)).toEqual(["job 0", "job 1", "same as 0", "job 3", "source_unreachable", "file_too_large"]);
    const job = first[0]! as Extract<PreparedRow, { kind: "job" }>;
    expect(job.source).toMatchObject({
      kind: "file",
      file: { key: storageKeys.source(accountId, job.jobId), bytes: 4 },
    });
    expect((await storage.read(storageKeys.source(accountId, job.jobId), { bytesMax: 10 }))?.toString()).toBe("/mug");
    // Photos of rows that are skipped, or have failed, are kept nowhere.
    const kept = await Array.fromAsync(storage.list(`api/${accountId}/`), ({ key }) => key);
    expect(kept).toHaveLength(3);
    // The process was killed before it handed the rows out: none of them is done.
    expect(brief(await open(records).prepare(batch, rows)).slice(0, 4)).toEqual(brief(first).slice(0, 4));
    const again = (await open(records).prepare(batch, [row(0, "mug")]))[0]! as typeof job;
    const of = { id: batch.id, row: 0, try: 1, ref: "0", fingerprint: again.fingerprint! };
    records.set(subjects.job(accountId, again.jobId), queuedJob({ id: again.jobId, accountId, batch: of }));
    expect(brief(await open(records).prepare(batch, [row(9, "mug"), row(10, "hat")]))).toEqual(["same as 0", "job 10"]);
    expect(brief(await open(records).prepare(newBatch(accountId), [row(0, "mug")]))).toEqual(["job 0"]);
  });

  test("a row whose image model was late is none that a later one is the same as", async () => {
    const accountId = uuidv7();
    const batch = newBatch(accountId);
    const records = new Map<string, Job>();
    const [first] = (await open(records).prepare(batch, [row(0, "mug")])) as [Extract<PreparedRow, { kind: "job" }>];
    const completedAs = (engine: "generative" | "renderer", scene: object) => {
      const report = { scene: { engine, ...scene } };
      const of = { id: batch.id, row: 0, try: 1, ref: "0", fingerprint: first.fingerprint! };
      const job = { ...queuedJob({ id: first.jobId, accountId, batch: of }), status: "completed", report };
      records.set(subjects.job(accountId, first.jobId), job as never);
    };
    completedAs("generative", {});
    expect(brief(await open(records).prepare(batch, [row(1, "mug")]))).toEqual(["same as 0"]);
    completedAs("renderer", { rejections: ["timed_out"] });
    expect(brief(await open(records).prepare(batch, [row(2, "mug")]))).toEqual(["job 2"]);
  });

  test("a job for which the renderer stepped in before it was made stands for no later row", async () => {
    const accountId = uuidv7();
    const batch = newBatch(accountId);
    const records = new Map<string, Job>();
    const [first] = (await open(records).prepare(batch, [row(0, "mug")])) as [Extract<PreparedRow, { kind: "job" }>];
    const of = { id: batch.id, row: 0, try: 1, ref: "0" };
    records.set(subjects.job(accountId, first.jobId), queuedJob({ id: first.jobId, accountId, batch: of }));
    expect(brief(await open(records).prepare(batch, [row(1, "mug")]))).toEqual(["job 1"]);
  });

  test("photos in buckets are known by their bytes, and rows with other destinations are others", async () => {
    const accountId = uuidv7();
    const { prepare } = open(new Map());
    const inBucket = (number: number, key: string): ValidRow => {
      return { ...row(number, "none"), source: { kind: "connection", connection: "shop", key } };
    };
    const destination = { connection: "shop", key: "{ref}.{ext}" };
    const rows = [
      row(0, "mug"),
      inBucket(1, "in/mug"),
      inBucket(2, "in/gone"),
      { ...inBucket(3, "in/mug"), destination },
      { ...row(4, "mug"), destination },
      { ...row(5, "mug"), destination: { ...destination, key: "{tool}/{ref}.{ext}" } },
    ];
    const prepared = await prepare(newBatch(accountId), rows);
    expect(brief(prepared)).toEqual(["job 0", "same as 0", "source_unreachable", "job 3", "same as 3", "job 5"]);
  });

  test("a picture behind the product is known by its bytes, and fetched once for the rows that share it", async () => {
    const accountId = uuidv7();
    const batch = newBatch(accountId);
    const { prepare, doneRows, storage } = open(new Map());
    const picture = (path: string) => ({
      backgroundImage: { imageUrl: new URL(path, imageUrlOf(row(0, "mug"))).href },
    });
    [pictures, version] = [0, 1];
    const rows = [
      row(0, "mug", picture("/picture")),
      row(1, "cup", picture("/picture")),
      row(2, "mug", picture("/picture")),
      row(3, "mug", picture("/gone")),
    ];
    const first = await prepare(batch, rows);
    expect(brief(first)).toEqual(["job 0", "job 1", "same as 0", "background_unusable"]);
    expect(pictures).toBe(1);
    const jobs = first.filter((one) => one.kind === "job");
    for (const { jobId, background } of jobs) {
      const key = storageKeys.picture(accountId, jobId, "background");
      expect(background).toMatchObject({ kind: "file", file: { key, bytes: 9 } });
      expect((await storage.read(key, { bytesMax: 10 }))?.toString()).toBe("picture 1");
    }
    expect(await Array.fromAsync(storage.list(`api/${accountId}/`))).toHaveLength(4);
    const ref = { id: batch.id, row: 0, try: 1, ref: "K-0" };
    const done = { fingerprint: jobs[0]!.fingerprint!, batch: ref, at: isoTime(Date.now()) };
    await doneRows.note(accountId, `${batch.id}-1-1`, [done]);
    expect(brief(await prepare(newBatch(accountId), [rows[0]!]))).toEqual(["same as 0"]);
    version = 2;
    expect(brief(await prepare(newBatch(accountId), [rows[0]!]))).toEqual(["job 0"]);
  });

  test("a job whose light is matched is known by the bytes of its picture, not by its id", async () => {
    const accountId = uuidv7();
    const records = new Map<string, Job>();
    const { prepare, storage } = open(records);
    const toneOf = async (picture: string) => {
      const id = uuidv7();
      const key = storageKeys.source(accountId, id);
      await storage.write(key, Readable.from([Buffer.from(picture)]), { bytesMax: 100 });
      const file = { key, contentType: "image/png", bytes: picture.length };
      records.set(subjects.job(accountId, id), queuedJob({ id, accountId, source: { kind: "file", file } }));
      return { tone: "match", toneImage: { jobId: id } } as const;
    };
    const one = await toneOf("gray");
    const same = await toneOf("gray");
    const other = await toneOf("blue");
    const address = { kind: "url", imageUrl: imageUrlOf(row(0, "picture")) } as const;
    const atAddress = queuedJob({ accountId, source: address });
    records.set(subjects.job(accountId, atAddress.id), atAddress);
    const fromAddress = { tone: "match", toneImage: { jobId: atAddress.id } } as const;
    const neutral = { ...queuedJob({ accountId, source: address, parameters: { seed: 1, tone: "neutral" } }) };
    const gains = { red: 0.8, green: 1.1, blue: 1.9 };
    const completed = { ...neutral, status: "completed", report: { tone: { gains } }, expiresAt: "2100-01-01" };
    records.set(subjects.job(accountId, neutral.id), completed as never);
    const fromNeutral = { tone: "match", toneImage: { jobId: neutral.id } } as const;
    const prepared = await prepare(newBatch(accountId), [
      row(0, "mug", one),
      row(1, "mug", same),
      row(2, "mug", other),
      row(3, "mug", fromAddress),
      row(4, "mug", { tone: "match", toneImage: { jobId: uuidv7() } }),
      row(5, "cup", one),
      row(6, "mug", fromNeutral),
    ]);
    expect(brief(prepared)).toEqual(["job 0", "same as 0", "job 2", "job 3", "tone_unusable", "job 5", "job 6"]);
    expect(prepared[3]).not.toHaveProperty("tone.gains");
    expect(prepared[6]).toHaveProperty("tone.gains", gains);
    const jobs = prepared.filter((row) => row.kind === "job");
    const tones = jobs.map(async ({ jobId, tone }) => {
      const key = storageKeys.picture(accountId, jobId, "tone");
      expect(tone).toMatchObject({ kind: "file", file: { key } });
      return (await storage.read(key, { bytesMax: 100 }))?.toString();
    });
    expect(await Promise.all(tones)).toEqual(["gray", "blue", `picture ${version}`, "gray", `picture ${version}`]);
  });

  test("an image model's scene is done again by the renderer, and the other way round, whoever chose the engine", async () => {
    const accountId = uuidv7();
    const painted = { auto: "generative", hasImageModel: true } as const;
    const fingerprint = async (engines: EngineRules, parameters: ValidRow["parameters"] = {}) => {
      const scene = { ...row(0, "lamp", parameters), tool: "ai-bg" } as const;
      const [job] = await open(new Map(), undefined, engines).prepare(newBatch(accountId), [scene]);
      return (job as Extract<PreparedRow, { kind: "job" }>).fingerprint;
    };
    const byRenderer = await fingerprint(rendererOnly);
    const byModel = await fingerprint(painted);
    expect(byModel).not.toBe(byRenderer);
    expect(await fingerprint(painted, { engine: "generative" })).toBe(byModel);
    expect(await fingerprint({ ...painted, hasImageModel: false })).toBe(byRenderer);
  });

  test("what has completed is skipped in later batches, unless something of it differs", async () => {
    const accountId = uuidv7();
    const batch = newBatch(accountId);
    const { prepare, doneRows } = open(new Map());
    const [done] = (await prepare(batch, [row(3, "shoe")])) as [Extract<PreparedRow, { kind: "job" }>];
    const ref = { id: batch.id, row: 3, try: 1, ref: "K-3" };
    const at = isoTime(Date.now());
    await doneRows.note(accountId, `${batch.id}-1-1`, [{ fingerprint: done.fingerprint!, batch: ref, at }]);
    const later = newBatch(accountId);
    const process = open(new Map());
    expect(await process.prepare(later, [row(0, "shoe")])).toEqual([
      { kind: "outcome", outcome: { row: 0, status: "skipped", sameAs: { batchId: batch.id, row: 3 } } },
    ]);
    expect(brief(await process.prepare(later, [row(1, "shoe", { alphaOnly: true })]))).toEqual(["job 1"]);
    expect(brief(await open(new Map(), "u2netp 2").prepare(later, [row(2, "shoe")]))).toEqual(["job 2"]);
    expect(brief(await process.prepare(newBatch(uuidv7()), [row(0, "shoe")]))).toEqual(["job 0"]);
    expect(brief(await process.prepare(newBatch(accountId, { onExisting: "redo" }), [row(0, "shoe")]))).toEqual([
      "job 0",
    ]);
    expect(brief(await process.prepare(newBatch(accountId, { live: false }), [row(0, "shoe")]))).toEqual(["job 0"]);
    // A row that completed is not the same as itself, when a retry looks at it.
    expect(brief(await process.prepare(batch, [row(3, "shoe")]))).toEqual(["job 3"]);
  });

  test("photos of one account that do not come keep no other account's waiting", async () => {
    const { prepare } = open(new Map());
    slow.length = 0;
    const stuck = Array.from({ length: 60 }, (_, number) => row(number, "tarpit"));
    const ofSlow = prepare(newBatch(uuidv7()), stuck);
    await expect.poll(() => slow.length).toBe(16);
    expect(brief(await prepare(newBatch(uuidv7()), [row(0, "mug"), row(1, "cup")]))).toEqual(["job 0", "job 1"]);
    // None of the first ones has timed out meanwhile: others would have taken their places.
    expect(slow).toHaveLength(16);
    // Also those that still come, when the first ones are answered.
    const answering = setInterval(() => slow.splice(0).forEach((response) => void response.writeHead(404).end()), 5);
    expect(new Set(brief(await ofSlow))).toEqual(new Set(["source_unreachable"]));
    clearInterval(answering);
  });
});
