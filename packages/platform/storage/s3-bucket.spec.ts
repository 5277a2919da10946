/**
 * What `packshot migrate` does to a bucket, and what `packshot doctor` finds there.
 * @module-tag versitygw
 */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { GetBucketCorsCommand, PutBucketCorsCommand } from "@aws-sdk/client-s3";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startS3 } from "../../../testing/servers/versitygw.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { applyBucketRules, corsRule, daysKept, lifecycleRules } from "./bucket-rules.ts";
import { clockFinding, examineBucket } from "./examine-bucket.ts";
import { createS3Access, type S3Access } from "./s3-client.ts";

const s3 = suiteFixture(startS3);
let access: S3Access;
beforeAll(() => {
  access = createS3Access(s3.settings);
});
afterAll(() => access.client.destroy());

const hourMs = 3_600_000;
const lives = { queueDeadlineMs: 24 * hourMs, retentionMs: hourMs };

test("files are kept for a day longer than anything of ours may need them", () => {
  expect(daysKept(lives)).toBe(3);
  expect(daysKept({ queueDeadlineMs: 60_000, retentionMs: 60_000 })).toBe(2);
  expect(daysKept({ queueDeadlineMs: 7 * 24 * hourMs, retentionMs: 7 * 24 * hourMs })).toBe(16);
});

test("no rule removes the ledger, and each is limited to the prefix", () => {
  const rules = lifecycleRules("shop/", 3);
  expect(rules.map(({ Filter }) => Filter?.Prefix)).toEqual(["shop/api/", "shop/batches/", "shop/"]);
  expect(rules.filter(({ Expiration }) => Expiration !== undefined).map(({ ID }) => ID)).toEqual(["packshot shop/api"]);
});

test("where the bucket keeps versions, those of everything that an erasure removes go after a day", () => {
  const rules = lifecycleRules("shop/", 3).filter((rule) => rule.NoncurrentVersionExpiration?.NoncurrentDays === 1);
  const account = uuidv7();
  for (const erased of [storageKeys.account(account), storageKeys.batches(account)]) {
    expect(rules.some(({ Filter }) => `shop/${erased}`.startsWith(Filter!.Prefix!))).toBe(true);
  }
  expect(rules.some(({ Filter }) => `shop/${storageKeys.ledger}`.startsWith(Filter!.Prefix!))).toBe(false);
});

test("what a server does not offer is said and survived, and rules of others stay", async () => {
  const theirs = { ID: "theirs", AllowedMethods: ["GET"], AllowedOrigins: ["https://shop.example"] };
  const { client, bucket: Bucket } = access;
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [theirs] } }));
  const said = await applyBucketRules(access, { prefix: "", lives });
  expect(said).toEqual([
    expect.stringMatching(/missed stay, unless.*GetBucketLifecycleConfiguration: 501 NotImplemented/),
    expect.stringContaining("lets web pages use links"),
  ]);
  const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket }));
  expect(CORSRules).toMatchObject([theirs, corsRule("")]);
  expect(await applyBucketRules(access, { prefix: "", lives })).toHaveLength(1);
  const origins = ["https://shop.example", "https://admin.shop.example"];
  expect(await applyBucketRules(access, { prefix: "", lives, origins })).toHaveLength(2);
  const renewed = await client.send(new GetBucketCorsCommand({ Bucket }));
  expect(renewed.CORSRules).toMatchObject([theirs, { AllowedOrigins: origins }]);
});

test("rights that are missing are said and survived", async () => {
  const credentials = await s3.addUser(["s3:PutObject", "s3:GetObject", "s3:ListBucket"]);
  const said = await applyBucketRules(createS3Access({ ...s3.settings, credentials }), { prefix: "", lives });
  expect(said).toHaveLength(2);
  for (const line of said) expect(line).toMatch(/unless the bucket's owner.*(AccessDenied|NotImplemented)/);
});

/** The two requests for lifecycle rules, as Amazon answers them: versitygw has none. */
async function startLifecycleServer(): Promise<{ server: Server; url: string; documents: string[] }> {
  const documents: string[] = [];
  const none = "<Error><Code>NoSuchLifecycleConfiguration</Code><Message>none</Message></Error>";
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    const isOfLifecycle = new URL(request.url!, "http://x").searchParams.has("lifecycle");
    if (!isOfLifecycle) {
      response.writeHead(403).end("<Error><Code>AccessDenied</Code><Message>no</Message></Error>");
    } else if (request.method === "PUT") {
      documents.push(body);
      response.end();
    } else response.writeHead(documents.length === 0 ? 404 : 200).end(documents.at(-1) ?? none);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, documents };
}

test("a lifecycle rule is made once, and made anew when files are to be kept for longer", async () => {
  const { server, url, documents } = await startLifecycleServer();
  const there = createS3Access({ ...s3.settings, endpoint: url });
  const lifecycleLine = async (retentionMs: number) =>
    (await applyBucketRules(there, { prefix: "", lives: { ...lives, retentionMs } })).filter((line) =>
      /days/.test(line),
    );
  expect(await lifecycleLine(hourMs)).toEqual([
    "the bucket photos removes what is left of jobs and uploads after 3 days",
  ]);
  expect(documents.at(-1)).toMatch(/<Days>3<\/Days>.*<DaysAfterInitiation>1</s);
  expect(await lifecycleLine(hourMs)).toEqual([]);
  expect(await lifecycleLine(48 * hourMs)).toHaveLength(1);
  expect(documents).toHaveLength(2);
  expect(documents.at(-1)).toMatch(/<Days>5<\/Days>/);
  expect(documents.at(-1)!.match(/<Rule>/g)).toHaveLength(3);
  there.client.destroy();
  server.close();
});

const stateOf = async (settings: Parameters<typeof examineBucket>[0]) =>
  Object.fromEntries((await examineBucket(settings)).map(({ check, state }) => [check, state]));

test("a bucket with all rights passes every check, and nothing is left in it", async () => {
  expect(await stateOf({ ...s3.settings, prefix: "shop/" })).toEqual({
    "S3 access key": "ok",
    "S3 put": "ok",
    "S3 get": "ok",
    "S3 list": "ok",
    "S3 uploads in parts": "ok",
    "S3 delete": "ok",
    "S3 links": "ok",
    "S3 clock": "ok",
  });
});

test.each([
  ["s3:GetObject", "S3 get"],
  ["s3:ListBucket", "S3 list"],
  ["s3:DeleteObject", "S3 delete"],
])("without %s the check %s fails and names the right", async (right, check) => {
  const all = [
    "s3:PutObject",
    "s3:GetObject",
    "s3:DeleteObject",
    "s3:ListBucket",
    "s3:AbortMultipartUpload",
    "s3:ListBucketMultipartUploads",
  ];
  const credentials = await s3.addUser(all.filter((action) => action !== right));
  const findings = await examineBucket({ ...s3.settings, credentials });
  const faults = findings.filter(({ state }) => state === "fault");
  expect(faults.map((fault) => fault.check)).toContain(check);
  const fault = faults.find((found) => found.check === check)!;
  expect(fault.message).toMatch(/AccessDenied/);
  expect(fault.message).toContain(right);
});

test("where nothing can be put the rest is not tried, and the clock is still read", async () => {
  const credentials = await s3.addUser(["s3:GetObject", "s3:ListBucket"]);
  expect(await stateOf({ ...s3.settings, credentials })).toEqual({
    "S3 access key": "ok",
    "S3 put": "fault",
    "S3 clock": "ok",
  });
  const away = await examineBucket({ ...s3.settings, endpoint: "http://127.0.0.1:1" });
  expect(away.map(({ check, state }) => [check, state])).toEqual([
    ["S3 access key", "ok"],
    ["S3 put", "fault"],
  ]);
});

test("a public address that is not that of the server is found", async () => {
  const wrong = await examineBucket({ ...s3.settings, publicEndpoint: `${s3.url.replace("127.0.0.1", "localhost")}` });
  expect(wrong.find(({ check }) => check === "S3 links")?.state).toBe("ok");
  const away = await examineBucket({ ...s3.settings, publicEndpoint: "http://127.0.0.1:1" });
  expect(away.find(({ check }) => check === "S3 links")?.state).toBe("warning");
});

test.each([
  [0, "ok"],
  [-20_000, "ok"],
  [45_000, "warning"],
  [-45_000, "warning"],
  [16 * 60_000, "fault"],
])("a clock that is off by %d ms is %s", (skewMs, state) => {
  expect(clockFinding(skewMs).state).toBe(state);
});
