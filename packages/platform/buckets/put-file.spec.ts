/**
 * Results on their way into customers' buckets: a real S3 server, and one that refuses, breaks off and hangs.
 * @module-tag versitygw
 */
import { Readable } from "node:stream";
import type { BucketConnection } from "@packshot/domain/connections/bucket-connection.ts";
import { afterEach, describe, expect, it } from "vitest";
import { startProxiedS3 } from "../../../testing/servers/proxied-s3.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { parseAllowList } from "../outbound/address-guard.ts";
import { fetchSource } from "../outbound/fetch-source.ts";
import { type BucketSigner, createBucketSigner } from "./bucket-signer.ts";
import { callBucket } from "./call-bucket.ts";
import { type PutLimits, putFile } from "./put-file.ts";

const fixture = suiteFixture(startProxiedS3);
afterEach(() => fixture.proxy.setFault(() => undefined));

const photo = Buffer.from("a photo of a mug");
const file = { contentType: "image/png", bytes: photo.length };
const allow = parseAllowList("127.0.0.1:*");
const patience: PutLimits = { allow, timeoutMs: 60_000, firstPauseMs: 1, signal: new AbortController().signal };

function signer(change: Partial<BucketConnection> = {}, secretAccessKey?: string): BucketSigner {
  const { region, bucket, credentials } = fixture.s3.settings;
  const address = { endpoint: fixture.proxy.url, region, bucket, prefix: "catalog/", forcePathStyle: true, ...change };
  return createBucketSigner(address, { ...credentials!, ...(secretAccessKey && { secretAccessKey }) });
}

/** Resolves with how often the file was opened. */
async function put(key: string, from = signer(), limits: Partial<PutLimits> = {}, body = photo): Promise<number> {
  let opened = 0;
  const link = await from.signPut(key, file);
  const open = async () => {
    opened += 1;
    return Readable.from([body], { objectMode: false });
  };
  await putFile({ link, connection: "shop", open }, { ...patience, ...limits });
  return opened;
}

async function get(key: string): Promise<string> {
  const { url } = await signer().signGet(key);
  const { stream } = await fetchSource(url, { allow, bytesMax: 100, timeoutMs: 60_000 });
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString();
}

const failed = (message: RegExp) =>
  expect.objectContaining({ code: "destination_failed", message: expect.stringMatching(message) });
const putsOf = (key: string) => fixture.proxy.requests.filter((line) => line.startsWith(`PUT /photos/catalog/${key}`));

it("puts a file below the prefix, whatever characters its key has, and gets it again", async () => {
  for (const key of ["K-17/mask.png", "rød & grün/100% (1)+*'!.png", "a?b#c.png", "s p a c e"]) {
    expect(await put(key)).toBe(1);
    expect(await get(key)).toBe("a photo of a mug");
  }
});

it("takes a region's own names of hosts where the bucket stands before them", async () => {
  const { url } = await signer({ endpoint: "https://s3.eu-central-1.amazonaws.com", forcePathStyle: false }).signGet(
    "k",
  );
  expect(url.split("?")[0]).toBe("https://photos.s3.eu-central-1.amazonaws.com/catalog/k");
  const { url: below } = await signer({ endpoint: "https://shop.example:9000/storage/s3/", prefix: "" }).signGet("k");
  expect(below.split("?")[0]).toBe("https://shop.example:9000/storage/s3/photos/k");
});

it("has type and length signed: the bucket takes no other bytes", async () => {
  const link = await signer().signPut("bound.png", file);
  const other = { ...link, headers: { ...link.headers, "content-type": "text/html" } };
  expect((await callBucket(other, patience, photo)).status).toBe(403);
  const longer = Buffer.concat([photo, photo]);
  const asLong = { ...link, headers: { ...link.headers, "content-length": String(longer.length) } };
  expect((await callBucket(asLong, patience, longer)).status).toBe(403);
});

describe("a bucket that does not take it", () => {
  it("fails at once with S3's code where the keys are wrong, and says nothing of them", async () => {
    const error = await put("wrong.png", signer({}, "not the secret")).catch((thrown: unknown) => thrown);
    expect(error).toEqual(failed(/^The bucket of the connection "shop" answered 403 SignatureDoesNotMatch\.$/));
    const told = JSON.stringify(error) + (error as Error).stack;
    expect(told).not.toContain(fixture.s3.settings.credentials!.accessKeyId);
    expect(told).not.toContain("X-Amz");
    expect(putsOf("wrong.png")).toHaveLength(1);
  });

  it("fails at once where the bucket has vanished", async () => {
    await expect(put("k.png", signer({ bucket: "vanished" }))).rejects.toEqual(failed(/answered 404 NoSuchBucket\./));
  });

  it("is tried again after 503, SlowDown and a broken connection, from the file's beginning", async () => {
    let answered = 0;
    const faults = [{ status: 503, code: "SlowDown" }, "break", undefined] as const;
    fixture.proxy.setFault((line) => (line.startsWith("PUT") ? faults[answered++] : undefined));
    expect(await put("again.png")).toBe(3);
    expect(await get("again.png")).toBe("a photo of a mug");
  });

  it("fails after three tries", async () => {
    fixture.proxy.setFault(() => ({ status: 500, code: "InternalError" }));
    await expect(put("never.png")).rejects.toEqual(failed(/answered 500 InternalError\./));
    expect(putsOf("never.png")).toHaveLength(3);
  });

  it("fails when nothing is answered in time", async () => {
    fixture.proxy.setFault(() => "hang");
    await expect(put("slow.png", signer(), { timeoutMs: 200 })).rejects.toEqual(
      failed(/did not answer within 200 ms\./),
    );
  });

  it("ends with the job's signal, between tries too", async () => {
    const abort = new AbortController();
    fixture.proxy.setFault(() => {
      abort.abort("cancelled");
      return { status: 503, code: "SlowDown" };
    });
    await expect(put("k.png", signer(), { signal: abort.signal, firstPauseMs: 600_000 })).rejects.toBe("cancelled");
  });
});

it("calls no private address, by its number or by a name that leads there, and tries once", async () => {
  const none = parseAllowList([]);
  let resolved = 0;
  const resolver = async () => {
    resolved += 1;
    return [{ address: "127.0.0.1", family: 4 }];
  };
  const forbidden = failed(/^The bucket of the connection "shop" leads to an address that may not be called\.$/);
  await expect(put("k.png", signer(), { allow: none })).rejects.toEqual(forbidden);
  const named = signer({ endpoint: "https://bucket.shop.example" });
  await expect(put("k.png", named, { allow: none, resolver })).rejects.toEqual(forbidden);
  expect(resolved).toBe(1);
  const { url } = await named.signGet("k.png");
  await expect(fetchSource(url, { allow: none, resolver, bytesMax: 100, timeoutMs: 60_000 })).rejects.toMatchObject({
    code: "source_forbidden",
  });
});

it("follows no redirect", async () => {
  fixture.proxy.setFault(() => ({ status: 307, code: "TemporaryRedirect" }));
  await expect(put("k.png")).rejects.toEqual(failed(/answered 307 TemporaryRedirect\./));
});
