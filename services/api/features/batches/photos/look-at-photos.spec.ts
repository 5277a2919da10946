/** What a dry run asks workers for, and what it says where none answers. */
import type { Subscription } from "@nats-io/transport-node";
import type { LookAnswer, LookRequest, PhotoReport } from "@packshot/domain/batches/photo-look.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { afterEach, expect, test } from "vitest";
import { openAccount } from "../../../../../testing/api/accounts.ts";
import { startApis } from "../../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let worker: Subscription | undefined;
afterEach(async () => {
  worker?.unsubscribe();
  worker = undefined;
  await apis.log.connection.flush();
});

async function newClient(plan = "starter") {
  const { key } = await openAccount(apis.all[0]!, { plan });
  const client = apiClient(apis.all[0]!.url, key);
  const dryRun = (json: object) =>
    client.call("POST", "/v1/batches", { json: { tool: "mask", dryRun: true, ...json } });
  return { ...client, dryRun };
}

/** A worker that answers as the test says; `asked` has what it was asked for. */
async function startWorker(answer: (request: LookRequest) => LookAnswer | Promise<LookAnswer>) {
  const { connection } = apis.log;
  const asked: LookRequest[] = [];
  worker = connection.subscribe(subjects.look, {
    callback: (_error, message) => {
      const request = message.json<LookRequest>();
      asked.push(request);
      void Promise.resolve(answer(request)).then((given) => {
        connection.publish(subjects.lookAnswer(request.id), JSON.stringify(given));
      });
    },
  });
  await connection.flush();
  return asked;
}

const itemsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ ref: `K-${n}`, imageUrl: `https://shop.example/${n}.jpg`, ...more }));

const report = (sharpness: number): PhotoReport => ({
  quality: "ok",
  reasons: [],
  source: {
    sharpness,
    exposure: { lightness: 0.5, highlight: 0.9, clippedWhite: 0, clippedBlack: 0 },
    blocking: 1,
    productPixels: 500,
    things: 1,
    otherThings: 0,
    border: 0,
    overlay: 0,
    checks: [{ name: "sharpness", value: sharpness, limit: 0.3, passed: sharpness >= 0.3 }],
  },
});

test("ten photos of a larger batch are looked at, and what is poor is told by row and by check", async () => {
  const client = await newClient();
  const asked = await startWorker(({ source }) => {
    return { report: report(source.kind === "url" && source.imageUrl.endsWith("0.jpg") ? 0.1 : 0.7) };
  });
  const parameters = { point: { x: "10%" }, output: { width: 900 }, onPoorSource: "review" };
  const { status, body } = await client.dryRun({ items: itemsOf(200), parameters });
  expect([status, body.photos.sampled, body.photos.lookedAt]).toEqual([200, 10, 10]);
  const { rows, poor, verdicts, checks } = body.photos;
  const lines = rows.map(({ line }: { line: number }) => line);
  expect(lines).toEqual(lines.toSorted((a: number, b: number) => a - b));
  expect(new Set(lines.map((line: number) => Math.floor((line - 1) / 20))).size).toBeGreaterThanOrEqual(8);
  const isPoor = ({ ref }: { ref: string }) => ref.endsWith("0");
  expect(poor).toBe(rows.filter(isPoor).length);
  expect([checks.sharpness, checks.border]).toEqual([poor, 0]);
  expect(verdicts).toEqual({ edit: 10 - poor, review: poor, refuse: 0, fail: 0, unknown: 0 });
  expect(asked).toHaveLength(10);
  expect(asked[0]!.parameters).toEqual({ point: { x: "10%" } });
  expect(asked[0]!.bytesMax).toBeLessThanOrEqual(64 * 1024 * 1024);

  const again = await client.dryRun({ items: itemsOf(200), look: { photos: null, seed: 0 } });
  expect(again.body.photos.rows.map(({ line }: { line: number }) => line)).toEqual(lines);
  const other = await client.dryRun({ items: itemsOf(200), look: { seed: 1 } });
  expect(other.body.photos.rows.map(({ line }: { line: number }) => line)).not.toEqual(lines);
});

test("of the rows of a file, too", async () => {
  const client = await newClient();
  await startWorker(() => ({ report: report(0.7) }));
  const csv = ["ref,imageUrl", ...itemsOf(3_000).map(({ ref, imageUrl }) => `${ref},${imageUrl}`), "bad,"].join("\n");
  const upload = { filename: "rows.csv", contentType: "text/csv", sizeBytes: csv.length };
  const { body: session } = await client.call("POST", "/v1/uploads", { json: upload });
  await fetch(session.uploadUrl, { method: "PUT", body: csv, headers: { "Content-Type": "text/csv" } });
  const { body } = await client.dryRun({ uploadSessionId: session.uploadSessionId, look: { photos: 20 } });
  expect(body).toMatchObject({ rows: 3_001, faulty: 1, photos: { sampled: 20, lookedAt: 20 } });
  expect(body.photos.rows.at(-1).line).toBeGreaterThan(2_850);
});

test("without a worker it is said at once that nothing was looked at, and the rows are counted all the same", async () => {
  const client = await newClient();
  const { body } = await client.dryRun({ items: itemsOf(3) });
  expect(body).toMatchObject({ rows: 3, credits: 3, photos: { sampled: 3, lookedAt: 0, verdicts: { unknown: 3 } } });
  expect(body.photos.rows[0]).toMatchObject({
    verdict: "unknown",
    source: null,
    error: { code: "unavailable", message: "No worker runs that could look at the photo." },
  });
});

test("an account has four photos looked at once, and 200 in an hour", async () => {
  const client = await newClient();
  let running = 0;
  let runningMax = 0;
  await startWorker(async () => {
    running += 1;
    runningMax = Math.max(runningMax, running);
    await apis.log.connection.flush();
    running -= 1;
    return { report: report(0.7) };
  });
  for (let run = 0; run < 3; run++) await client.dryRun({ items: itemsOf(60), look: { photos: 50 } });
  expect(runningMax).toBe(4);
  await client.dryRun({ items: itemsOf(60), look: { photos: 40 } });
  const { body } = await client.dryRun({ items: itemsOf(60), look: { photos: 20 } });
  expect(body.photos).toMatchObject({ sampled: 20, lookedAt: 10, verdicts: { edit: 10, unknown: 10 } });
  // Those that are looked at are spread over the sample.
  const half = body.photos.rows.slice(0, 10).filter(({ verdict }: { verdict: string }) => verdict === "edit");
  expect(half).toHaveLength(5);
  const refused = body.photos.rows.flatMap(({ error }: { error: object | null }) => error ?? []);
  expect(refused[0]).toMatchObject({ code: "rate_limit_exceeded", message: expect.stringContaining("in this hour") });
  const { body: last } = await client.dryRun({ items: itemsOf(1) });
  expect(last.photos.rows[0].error.message).toContain("looks at 200 photos of dry runs an hour");
});

test("a photo of a bucket is looked at by a link", async () => {
  const client = await newClient();
  const address = { endpoint: "https://s3.shop.example", region: "us-east-1", bucket: "photos" };
  const keys = { accessKeyId: "AKIAEXAMPLE1", secretAccessKey: uuidv7() };
  await client.call("POST", "/v1/connections", { json: { name: "shop", ...address, ...keys } });
  const asked = await startWorker(() => ({ error: { code: "file_too_large", message: "It has more." } }));
  const { body } = await client.dryRun({ items: [{ ref: "bucket", imageUrl: "s3://shop/in/mug.jpg" }] });
  expect(asked.map(({ source }) => source)).toEqual([
    { kind: "link", url: expect.stringMatching(/^https:\/\/.*s3\.shop\.example\/.*in\/mug\.jpg\?.*X-Amz-Signature=/) },
  ]);
  expect(body.photos.rows).toMatchObject([{ verdict: "fail", error: { code: "file_too_large" } }]);
  expect(JSON.stringify(body)).not.toContain("X-Amz");
});

test("a look is for a dry run, of 50 photos at most", async () => {
  const client = await newClient();
  const create = { tool: "mask", items: itemsOf(1), look: { photos: 3 } };
  const { status, body } = await client.call("POST", "/v1/batches", { json: create });
  expect([status, body.message]).toEqual([400, expect.stringContaining('"look" is for a dry run')]);
  expect((await client.dryRun({ items: itemsOf(1), look: { photos: 51 } })).status).toBe(400);
});
