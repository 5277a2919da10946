/**
 * Links to S3: a client needs no credentials, and can do nothing but what the link says.
 * @module-tag versitygw
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startS3Proxy } from "../../../testing/servers/s3-proxy.ts";
import { startS3 } from "../../../testing/servers/versitygw.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createS3Access, type S3Access } from "./s3-client.ts";
import { validityUntil } from "./s3-links.ts";
import { createS3Storage } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

const hourMs = 3_600_000;
/** Two addresses of one server: the service uses one, clients the other. */
const fixture = suiteFixture(async () => {
  const s3 = await startS3();
  const outside = await startS3Proxy(s3.url);
  return {
    s3,
    outside,
    async stop() {
      await outside.stop();
      await s3.stop();
    },
  };
});
let storage: Storage;
let access: S3Access;
const photo = Buffer.from("a photo of a mug");

beforeAll(async () => {
  const settings = { ...fixture.s3.settings, publicEndpoint: fixture.outside.url, prefix: "shop/" };
  access = createS3Access(settings);
  storage = createS3Storage(settings, access);
});
afterAll(() => access.client.destroy());

const inAnHour = () => Date.now() + hourMs;
const put = (url: string, contentType: string, body: Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: "PUT", headers: { "Content-Type": contentType }, body });

async function signPut(key: string) {
  return await storage.signPut(key, {
    expiresAtMs: inAnHour(),
    contentType: "image/png",
    sizeBytes: photo.length,
  });
}

test("bytes are PUT by a link of the public address, without credentials", async () => {
  const { url, method, headers } = await signPut("api/a/uploads/1/source");
  expect(new URL(url).origin).toBe(fixture.outside.url);
  expect([method, headers]).toEqual(["PUT", { "Content-Type": "image/png" }]);
  expect((await fetch(url, { method, headers, body: photo })).status).toBe(200);
  expect(await storage.read("api/a/uploads/1/source", { bytesMax: 100 })).toEqual(photo);
  // A client that lost the response sends the bytes again.
  expect((await fetch(url, { method, headers, body: photo })).status).toBe(200);
});

test.each([
  ["another type", "image/jpeg", photo],
  ["a byte too few", "image/png", photo.subarray(1)],
  ["a byte too many", "image/png", Buffer.concat([photo, Buffer.from("!")])],
])("a PUT of %s is refused and leaves nothing behind", async (_what, contentType, body) => {
  const { url } = await signPut("api/a/uploads/2/source");
  expect((await put(url, contentType, new Uint8Array(body))).status).toBe(403);
  expect(await storage.stat("api/a/uploads/2/source")).toBeUndefined();
});

test("a PUT of unknown length is refused, and so is one that announces the right length and sends less", async () => {
  const { url } = await signPut("api/a/uploads/3/source");
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(photo));
      controller.close();
    },
  });
  const chunked = { method: "PUT", headers: { "Content-Type": "image/png" }, body, duplex: "half" } as RequestInit;
  expect((await fetch(url, chunked)).status).toBeGreaterThanOrEqual(400);
  expect(await storage.stat("api/a/uploads/3/source")).toBeUndefined();
});

test("a changed link, or one for another method, is refused", async () => {
  const { url } = await signPut("api/a/uploads/4/source");
  for (const changed of [
    url.replace("uploads/4", "uploads/5"),
    url.replace(/X-Amz-Expires=\d+/, "X-Amz-Expires=604800"),
  ]) {
    expect((await put(changed, "image/png", new Uint8Array(photo))).status).toBe(403);
  }
  expect((await fetch(url)).status).toBe(403);
  expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
});

test("a link gives the file with the type and the name of the link, also a part of it", async () => {
  await storage.write("api/a/1/result.png", photo, { bytesMax: 100 });
  const expiresAtMs = inAnHour();
  const url = await storage.signGet("api/a/1/result.png", {
    expiresAtMs,
    contentType: "image/png",
    filename: 'mug "1".png',
  });
  expect(new URL(url).origin).toBe(fixture.outside.url);
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(photo);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("content-disposition")).toBe('inline; filename="mug__1_.png"');
  expect(response.headers.get("cache-control")).toBe("private");
  expect(Date.parse(response.headers.get("expires")!)).toBe(Math.floor(expiresAtMs / 1000) * 1000);
  const part = await fetch(url, { headers: { Range: "bytes=2-6" } });
  expect([part.status, await part.text()]).toEqual([206, "photo"]);
});

test("a link works until its end, and no longer", async () => {
  await storage.write("api/a/2/result.png", photo, { bytesMax: 100 });
  const link = { contentType: "image/png" };
  const statusOf = async (expiresAtMs: number) =>
    (await fetch(await storage.signGet("api/a/2/result.png", { ...link, expiresAtMs }))).status;
  expect(await statusOf(Date.now() + 30_000)).toBe(200);
  expect(await statusOf(Date.now() + 7 * 24 * hourMs)).toBe(200);
  expect(await statusOf(Date.now() - 2_000)).toBe(403);
});

test.each([
  [{ forcePathStyle: false }, "https://photos.s3.eu-central-1.amazonaws.com/shop/api/a/1/result.png"],
  [{ forcePathStyle: true }, "https://s3.eu-central-1.amazonaws.com/photos/shop/api/a/1/result.png"],
  [
    { forcePathStyle: false, publicEndpoint: "https://files.shop.example:9000" },
    "https://photos.files.shop.example:9000/shop/api/a/1/result.png",
  ],
])("with %j links begin with %s", async (addressing, address) => {
  const { bucket, credentials } = fixture.s3.settings;
  const settings = { bucket, credentials: credentials!, region: "eu-central-1", prefix: "shop/", ...addressing };
  const there = createS3Storage(settings, createS3Access(settings));
  const link = await there.signGet("api/a/1/result.png", { expiresAtMs: inAnHour(), contentType: "image/png" });
  const { origin, pathname, searchParams } = new URL(link);
  expect(origin + pathname).toBe(address);
  expect(searchParams.get("X-Amz-Credential")).toMatch(/\/eu-central-1\/s3\/aws4_request$/);
});

test("the validity ends with the link, begins in the past, and does not move with the clock", () => {
  const end = Date.UTC(2026, 0, 2, 3, 4, 5, 250);
  const endSeconds = Math.ceil(end / 1000);
  for (const beforeMs of [1, hourMs, 2 * hourMs, 24 * hourMs, 25 * hourMs, 7 * 24 * hourMs - 1_000]) {
    const { signingDate, expiresIn } = validityUntil(end, end - beforeMs);
    expect(signingDate.getTime() / 1000 + expiresIn).toBe(endSeconds);
    expect(signingDate.getTime()).toBeLessThanOrEqual(end - beforeMs + 1_000);
  }
  expect(validityUntil(end, end - 1)).toEqual(validityUntil(end, end - hourMs + 1_000));
  expect(() => validityUntil(end, end - 8 * 24 * hourMs)).toThrow(RangeError);
});
