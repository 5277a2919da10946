/**
 * What becomes of an operation when S3 refuses, breaks off or does not answer.
 * @module-tag versitygw
 */
import { Readable } from "node:stream";
import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { createS3Access, type S3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { StorageFault } from "@packshot/platform/storage/storage-fault.ts";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startProxiedS3 } from "../../testing/servers/proxied-s3.ts";
import type { S3Fault } from "../../testing/servers/s3-proxy.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { toInfrastructureFault } from "./infrastructure-fault.ts";

const megabyte = 1024 * 1024;
const bytesMax = 64 * megabyte;
const fixture = suiteFixture(startProxiedS3);
let access: S3Access;
let storage: Storage;

beforeAll(async () => {
  const { s3, proxy } = fixture;
  const settings = { ...s3.settings, endpoint: proxy.url };
  access = createS3Access(settings);
  storage = createS3Storage(settings, access);
  await storage.write("api/a/1/source", Buffer.alloc(4 * megabyte, "photo"), { bytesMax });
});
afterEach(() => fixture.proxy.setFault(() => undefined));

async function storageFault(acting: Promise<unknown>): Promise<StorageFault> {
  const error = await acting.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(StorageFault);
  return error as StorageFault;
}

async function unfinishedUploads(): Promise<number> {
  const found = await access.client.send(new ListMultipartUploadsCommand({ Bucket: access.bucket }));
  return found.Uploads?.length ?? 0;
}

/** The first `times` requests that `matches` get `fault`. */
function failFirst(times: number, matches: RegExp, fault: S3Fault): void {
  let left = times;
  fixture.proxy.setFault((request) => (matches.test(request) && left-- > 0 ? fault : undefined));
}

test.each<[string, S3Fault]>([
  ["SlowDown", { status: 503, code: "SlowDown" }],
  ["an error of its own", { status: 500, code: "InternalError" }],
  ["a connection that breaks", "break"],
])("%s that passes is not noticed", async (_what, fault) => {
  const keys = [["api/b/1/source", Buffer.from("photo")] as const];
  failFirst(2, /./, fault);
  for (const [key, bytes] of keys) expect(await storage.write(key, bytes, { bytesMax })).toEqual({ bytes: 5 });
  failFirst(2, /./, fault);
  expect((await storage.read("api/b/1/source", { bytesMax }))?.toString()).toBe("photo");
  failFirst(2, /./, fault);
  await storage.deletePrefix("api/b/");
  expect(await storage.stat("api/b/1/source")).toBeUndefined();
});

test("a file that breaks off while it is read is read again", async () => {
  failFirst(2, /^GET/, "break-body");
  expect((await storage.read("api/a/1/source", { bytesMax }))?.length).toBe(4 * megabyte);
});

test.each([
  [{ status: 503, code: "SlowDown" }, true, false],
  [{ status: 503, code: "ServiceUnavailable" }, true, false],
  [{ status: 507, code: "InsufficientStorage" }, true, true],
  [{ status: 403, code: "QuotaExceeded" }, true, true],
  [{ status: 403, code: "AccessDenied" }, true, false],
  [{ status: 404, code: "NoSuchBucket" }, true, false],
  [{ status: 400, code: "InvalidRequest" }, false, false],
])("a write that S3 refuses with %j is a fault of storage", async (fault, isCertain, isFull) => {
  fixture.proxy.setFault(() => fault);
  const found = await storageFault(storage.write("api/c/1/source", Buffer.from("x"), { bytesMax }));
  expect(found).toMatchObject({ isCertain, isFull, code: fault.code });
  expect(toInfrastructureFault(found)).toEqual({ part: "storage", isCertain });
  expect(found.message).toContain(`PutObject: ${fault.status} ${fault.code}`);
});

test("files from outside are refused while S3 is full, and those of the service still find their last byte", async () => {
  const { settings } = fixture.s3;
  const full = createS3Storage(settings, createS3Access({ ...settings, endpoint: fixture.proxy.url }));
  await full.assertRoom(1);
  fixture.proxy.setFault(() => ({ status: 507, code: "InsufficientStorage" }));
  await storageFault(full.write("api/d/1/source", Buffer.from("x"), { bytesMax }));
  await expect(full.assertRoom(1)).rejects.toMatchObject({ code: "unavailable" });
  fixture.proxy.setFault(() => undefined);
  await full.write("api/d/1/source", Buffer.from("x"), { bytesMax });
});

test.each<[string, RegExp]>([
  ["a part", /^PUT.*partNumber=2/],
  ["the end", /^POST.*uploadId=/],
])("an upload of which %s fails leaves nothing behind, and its source is closed", async (_what, matches) => {
  fixture.proxy.setFault((request) => (matches.test(request) ? { status: 403, code: "AccessDenied" } : undefined));
  const source = Readable.from(Array.from({ length: 24 }, () => Buffer.alloc(megabyte)));
  expect((await storageFault(storage.write("api/e/1/source", source, { bytesMax }))).code).toBe("AccessDenied");
  expect(source.destroyed).toBe(true);
  expect(await unfinishedUploads()).toBe(0);
  expect(await storage.stat("api/e/1/source")).toBeUndefined();
});

test("parts that could not be removed are removed later", async () => {
  fixture.proxy.setFault((request) =>
    /^PUT.*partNumber=2|^DELETE/.test(request) ? { status: 403, code: "AccessDenied" } : undefined,
  );
  await storageFault(storage.write("api/f/1/source", Buffer.alloc(20 * megabyte), { bytesMax }));
  fixture.proxy.setFault(() => undefined);
  expect(await unfinishedUploads()).toBe(1);
  expect(await storage.discardUnfinished(Date.now() - 60_000)).toBe(0);
  expect(await storage.discardUnfinished(Date.now() + 60_000)).toBe(1);
  expect(await unfinishedUploads()).toBe(0);
});

test("a server that does not answer is given up after the time that an operation has", async () => {
  const settings = {
    ...fixture.s3.settings,
    endpoint: fixture.proxy.url,
    times: { requestTimeoutMs: 300, transferTimeoutMs: 300 },
  };
  const impatient = createS3Storage(settings, createS3Access(settings));
  fixture.proxy.setFault(() => "hang");
  expect((await storageFault(impatient.stat("api/a/1/source"))).code).toBe("ETIMEDOUT");
  expect((await storageFault(impatient.read("api/a/1/source", { bytesMax }))).code).toBe("ETIMEDOUT");
  expect((await storageFault(impatient.write("api/a/2/source", Buffer.from("x"), { bytesMax }))).code).toBe(
    "ETIMEDOUT",
  );
});

test("a server that is away and a wrong secret are faults whose text names no secret", async () => {
  const { settings } = fixture.s3;
  const away = { ...settings, endpoint: "http://127.0.0.1:1" };
  const nobody = await storageFault(createS3Storage(away, createS3Access(away)).stat("api/a/1/source"));
  expect([nobody.code, nobody.isCertain]).toEqual(["ECONNREFUSED", true]);
  const wrong = { ...settings, credentials: { ...settings.credentials!, secretAccessKey: "not-the-secret" } };
  const refused = await storageFault(
    createS3Storage(wrong, createS3Access(wrong)).read("api/a/1/source", { bytesMax }),
  );
  expect([refused.code, refused.isCertain]).toEqual(["SignatureDoesNotMatch", true]);
  expect(JSON.stringify({ ...refused, text: String(refused), stack: refused.stack, cause: refused.cause })).not.toMatch(
    new RegExp(`not-the-secret|${settings.credentials!.accessKeyId}|Signature=`),
  );
});

test("a server that was killed is used again once it is back, with connections of before", async () => {
  const { s3 } = fixture;
  const direct = createS3Storage(s3.settings, createS3Access(s3.settings));
  await direct.write("api/k/1/source", Buffer.from("photo"), { bytesMax });
  await s3.kill();
  expect((await storageFault(direct.stat("api/k/1/source"))).isCertain).toBe(true);
  await s3.restart();
  expect((await direct.read("api/k/1/source", { bytesMax }))?.toString()).toBe("photo");
});

test("listing and deleting go by pages", async () => {
  const keys = Array.from({ length: 1_100 }, (_, i) => `api/p/${String(i).padStart(4, "0")}/source`);
  for (let i = 0; i < keys.length; i += 50) {
    const some = keys.slice(i, i + 50);
    await Promise.all(some.map((key) => storage.write(key, Buffer.from("x"), { bytesMax })));
  }
  const listed = () => Array.fromAsync(storage.list("api/p/"), ({ key }) => key);
  expect(await listed()).toEqual(keys);
  const before = fixture.proxy.requests.length;
  await storage.deletePrefix("api/p/");
  expect(await listed()).toEqual([]);
  expect(fixture.proxy.requests.slice(before).length).toBe(5);
});
