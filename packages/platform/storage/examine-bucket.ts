/** The checks of `packshot doctor` on a bucket: by doing there what the service does. */
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { createS3Access, type S3Access, type S3Settings } from "./s3-client.ts";
import { createS3Links } from "./s3-links.ts";

export interface BucketFinding {
  readonly check: string;
  readonly state: "ok" | "warning" | "fault";
  /** What was found, and the remedy for a fault. */
  readonly message: string;
}

/** S3 refuses requests and links whose time is off by more than a quarter of an hour. */
const skewMsMax = 15 * 60_000;
/** Links would begin or end noticeably late. */
const skewMsWarning = 30_000;
const linkMs = 60_000;
const fetchTimeoutMs = 10_000;

/** None throws. What a check needs is made by the one before: where that failed, the rest is not tried. */
export async function examineBucket(settings: S3Settings): Promise<BucketFinding[]> {
  const access = createS3Access(settings);
  const key = `checks/doctor-${randomUUID()}`;
  const clock = watchClock(access);
  const findings = [await checkCredentials(access)];
  const isUsable = () => findings.every(({ state }) => state !== "fault");
  try {
    if (isUsable()) findings.push(await checkRight("put", "s3:PutObject", () => put(access, key)));
    if (isUsable()) {
      findings.push(
        await checkRight("get", "s3:GetObject", () => get(access, key)),
        await checkRight("list", "s3:ListBucket", () => list(access, key)),
        await checkRight(
          "uploads in parts",
          "s3:PutObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads",
          () => uploadInParts(access, key),
        ),
        await checkRight("delete", "s3:DeleteObject", () => remove(access, key)),
        await checkLink(settings, access, key),
        ...(await checkVersions(access)),
      );
    }
    return [...findings, ...clock.findings()];
  } finally {
    access.client.destroy();
  }
}

async function checkCredentials({ client }: S3Access): Promise<BucketFinding> {
  const check = "S3 access key";
  try {
    const { expiration } = await client.config.credentials();
    if (expiration === undefined) return { check, state: "ok", message: "found" };
    const message = `found, but it ends at ${expiration.toISOString()}, and links that it signs end with it: give the API and the webhook service one that lasts`;
    return { check, state: "warning", message };
  } catch (error) {
    const remedy = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return { check, state: "fault", message: `none was found (${(error as Error).message}): ${remedy}` };
  }
}

async function checkRight(name: string, right: string, act: () => Promise<void>): Promise<BucketFinding> {
  const check = `S3 ${name}`;
  return await act().then(
    () => ({ check, state: "ok", message: "works" }),
    (error: Error) => ({ check, state: "fault", message: `${error.message} (the access key needs ${right})` }),
  );
}

const content = "packshot";

async function put({ client, bucket: Bucket, call, toObjectKey }: S3Access, key: string): Promise<void> {
  const command = new PutObjectCommand({ Bucket, Key: toObjectKey(key), Body: Buffer.from(content) });
  await call("PutObject", (options) => client.send(command, options));
}

async function get({ client, bucket: Bucket, call, toObjectKey }: S3Access, key: string): Promise<void> {
  const command = new GetObjectCommand({ Bucket, Key: toObjectKey(key) });
  const found = await call("GetObject", async (options) => {
    const { Body } = await client.send(command, options);
    return Buffer.concat(await (Body as Readable).toArray()).toString();
  });
  if (found !== content) throw new Error("the file is not as it was put");
}

async function list({ client, bucket: Bucket, call, toObjectKey }: S3Access, key: string): Promise<void> {
  const command = new ListObjectsV2Command({ Bucket, Prefix: toObjectKey(key) });
  const { Contents = [] } = await call("ListObjectsV2", (options) => client.send(command, options));
  if (Contents.length !== 1) throw new Error("a file that was just put is not listed: the janitor would miss files");
}

async function uploadInParts({ client, bucket: Bucket, call, toObjectKey }: S3Access, key: string): Promise<void> {
  const file = { Bucket, Key: toObjectKey(`${key}-parts`) };
  const create = new CreateMultipartUploadCommand(file);
  const { UploadId } = await call("CreateMultipartUpload", (options) => client.send(create, options));
  const abort = new AbortMultipartUploadCommand({ ...file, UploadId });
  await call("AbortMultipartUpload", (options) => client.send(abort, options));
  const listing = new ListMultipartUploadsCommand({ Bucket, Prefix: file.Key });
  await call("ListMultipartUploads", (options) => client.send(listing, options));
}

async function remove({ client, bucket: Bucket, call, toObjectKey }: S3Access, key: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket, Key: toObjectKey(key) });
  await call("DeleteObject", (options) => client.send(command, options));
}

/** As a client would fetch a result. The file is gone: the server says so only to whoever it believes. */
async function checkLink(settings: S3Settings, access: S3Access, key: string): Promise<BucketFinding> {
  const check = "S3 links";
  const expiresAtMs = Date.now() + linkMs;
  const origin = settings.publicEndpoint ?? settings.endpoint ?? "Amazon's address";
  try {
    const link = await createS3Links(settings, access).signGet(key, { expiresAtMs, contentType: "text/plain" });
    const { status } = await fetch(link, { signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (status === 404) return { check, state: "ok", message: `${origin} accepts their signature` };
    const message = `a link of ${origin} got the status ${status}: a proxy in front of S3 must pass the name of the host on, and the clocks must agree`;
    return { check, state: "fault", message };
  } catch (error) {
    const why = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
    return { check, state: "warning", message: `${origin} cannot be reached from here (${why}): can clients?` };
  }
}

/** Nothing where it may not be asked, or is off. */
async function checkVersions({ client, bucket: Bucket, call }: S3Access): Promise<BucketFinding[]> {
  const command = new GetBucketVersioningCommand({ Bucket });
  const found = await call("GetBucketVersioning", (options) => client.send(command, options)).catch(() => undefined);
  if (found?.Status !== "Enabled") return [];
  const message =
    "the bucket keeps versions, so that a deleted photo stays until a lifecycle rule removes it: turn them off, or see that `packshot migrate` may make the rule";
  return [{ check: "S3 versions", state: "warning", message }];
}

/** By the date of each response, as `clockFinding` judges it. */
function watchClock({ client }: S3Access): { findings(): BucketFinding[] } {
  let skewMs: number | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const startedMs = Date.now();
      const result = await next(args);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      const date = Date.parse(headers?.date ?? "");
      if (!Number.isNaN(date)) skewMs = date - (startedMs + Date.now()) / 2;
      return result;
    },
    // Inside the deserializer, which throws the error of a refusal.
    { step: "deserialize", priority: "low", name: "watchClock" },
  );
  return { findings: () => (skewMs === undefined ? [] : [clockFinding(skewMs)]) };
}

export function clockFinding(skewMs: number): BucketFinding {
  const check = "S3 clock";
  // The header has whole seconds.
  const seconds = Math.max(0, Math.round(Math.abs(skewMs) / 1000) - 1);
  const found = `S3's clock is ${seconds} s ${skewMs < 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(skewMs) >= skewMsMax)
    return { check, state: "fault", message: `${found}: set the clock, S3 refuses links` };
  if (Math.abs(skewMs) >= skewMsWarning) return { check, state: "warning", message: `${found}: set the clock` };
  return { check, state: "ok", message: "agrees with this machine's" };
}
