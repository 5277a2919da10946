import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  type CORSRule,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type LifecycleRule,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { jobDeadlineMs } from "@packshot/domain/jobs/job.ts";
import { ttlSeconds } from "@packshot/domain/subjects.ts";
import { createPeriodicCheck, type PeriodicCheck } from "../lifecycle/periodic-check.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createS3Access, isNoSuchKey, type S3Access, type S3Settings } from "./s3-client.ts";
import { createS3Links } from "./s3-links.ts";
import { StorageFault } from "./storage-fault.ts";

const everyMsDefault = 5_000;
const timeoutMs = 5_000;
/** A write costs ten times as much as a look: each minute while all is well, and at every check while it is not. */
const checksPerWrite = 12;

export interface S3CheckDeps {
  readonly access: S3Access;
  /** For a process that is of use while no more can be stored, because its clients make room. */
  readonly mayBeFull: boolean;
  /** Default 5 s. */
  readonly everyMs?: number;
  readonly logger: Logger;
}

/** Whether the bucket can be reached and written: a small file is written there, and looked at in between. */
export function createS3Check({ access, mayBeFull, everyMs = everyMsDefault, logger }: S3CheckDeps): PeriodicCheck {
  const { client, bucket: Bucket, call } = access;
  const file = { Bucket, Key: access.toObjectKey("checks/write") };
  let checksUntilWrite = 0;

  async function look(): Promise<void> {
    await call("HeadObject", (options) => client.send(new HeadObjectCommand(file), options), {
      timeoutMs,
      passes: isNoSuchKey,
    }).catch((error: unknown) => {
      // Somebody has emptied the bucket: it works.
      if (!isNoSuchKey(error)) throw error;
    });
  }

  async function write(): Promise<void> {
    const command = new PutObjectCommand({ ...file, Body: Buffer.from("packshot") });
    await call("PutObject", (options) => client.send(command, options), { timeoutMs }).catch((error: unknown) => {
      if (!(mayBeFull && error instanceof StorageFault && error.isFull)) throw error;
    });
  }

  return createPeriodicCheck({
    name: "storage",
    everyMs,
    timeoutMs,
    logger,
    async attempt() {
      try {
        if (checksUntilWrite === 0) await write();
        else await look();
        checksUntilWrite = (checksUntilWrite || checksPerWrite) - 1;
      } catch (error) {
        checksUntilWrite = 0;
        throw new Error(`storage cannot be used (${error instanceof StorageFault ? error.code : String(error)})`, {
          cause: error,
        });
      }
    },
  });
}

/** What `packshot doctor` finds out about a bucket: by doing there what the service does. */
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

/**
 * What a bucket should do by itself: remove what the janitor has missed, and let web pages use links. Rules
 * of others in the same bucket stay as they are.
 */

const dayMs = 86_400_000;

export interface LongestLives {
  readonly queueDeadlineMs: number;
  readonly retentionMs: number;
}

/**
 * Days after which no file of a job or an upload is of use: one more than the longest life of one. S3 counts from the
 * next midnight, so that a file is removed up to a day later than the number says.
 */
export function daysKept({ queueDeadlineMs, retentionMs }: LongestLives): number {
  return Math.ceil(Math.max(ttlSeconds.upload * 1000, queueDeadlineMs + jobDeadlineMs + retentionMs) / dayMs) + 1;
}

/**
 * `batches/` has no age: rows and results stay as long as their batch, which may be retried, and fingerprints for 90 days. Both
 * are removed by us. The ledger's files are in no rule: they are kept, and so is the version before, should somebody write over
 * one.
 */
export function lifecycleRules(prefix: string, days: number): LifecycleRule[] {
  return [
    {
      ID: `packshot ${prefix}api`,
      Status: "Enabled",
      Filter: { Prefix: `${prefix}api/` },
      Expiration: { Days: days },
      // Where the bucket keeps versions, a deleted photo would stay.
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    },
    {
      ID: `packshot ${prefix}batches`,
      Status: "Enabled",
      Filter: { Prefix: `${prefix}batches/` },
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    },
    {
      ID: `packshot ${prefix}parts`,
      Status: "Enabled",
      Filter: { Prefix: prefix },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    },
  ];
}

/** `origins`: those of PACKSHOT_CORS_ORIGINS; none, and pages of any origin may use links. */
export function corsRule(prefix: string, origins: readonly string[] = []): CORSRule {
  return {
    ID: `packshot ${prefix}links`,
    AllowedMethods: ["GET", "HEAD", "PUT"],
    AllowedOrigins: origins.length === 0 ? ["*"] : [...origins],
    AllowedHeaders: ["Content-Type", "Range", "If-Range", "If-None-Match"],
    ExposeHeaders: ["ETag", "Content-Disposition", "Content-Range"],
    MaxAgeSeconds: 3_600,
  };
}

/** What was done or could not be done, a sentence each; none when the rules are there. Throws where S3 is out of reach. */
export async function applyBucketRules(
  access: S3Access,
  {
    prefix,
    lives,
    origins,
  }: { readonly prefix: string; readonly lives: LongestLives; readonly origins?: readonly string[] },
): Promise<string[]> {
  const days = daysKept(lives);
  const lifecycle = lifecycleRules(prefix, days);
  const cors = [corsRule(prefix, origins)];
  const said = [
    await survivingRefusal(
      `files in ${access.bucket} that the janitor has missed stay`,
      () => applyLifecycle(access, lifecycle),
      `the bucket ${access.bucket} removes what is left of jobs and uploads after ${days} days`,
    ),
    await survivingRefusal(
      "web pages cannot use links",
      () => applyCors(access, cors),
      `the bucket ${access.bucket} lets web pages use links`,
    ),
  ];
  return said.filter((line) => line !== undefined);
}

/** A service without the right to change the bucket works: the rules are a second net, or the bucket's owner makes them. */
async function survivingRefusal(
  otherwise: string,
  apply: () => Promise<boolean>,
  done: string,
): Promise<string | undefined> {
  try {
    return (await apply()) ? done : undefined;
  } catch (error) {
    if (!(error instanceof StorageFault) || !isRefusal(error)) throw error;
    return `${otherwise}, unless the bucket's owner makes a rule for it: ${error.message}`;
  }
}

/** It answered, and not with an error of its own. */
function isRefusal({ code, isCertain }: StorageFault): boolean {
  return !isCertain || ["AccessDenied", "NotImplemented"].includes(code);
}

function applyLifecycle({ client, bucket: Bucket, call }: S3Access, rules: LifecycleRule[]): Promise<boolean> {
  return addRules(rules, {
    async read() {
      const none = "NoSuchLifecycleConfiguration";
      const command = new GetBucketLifecycleConfigurationCommand({ Bucket });
      const found = await call("GetBucketLifecycleConfiguration", (options) => client.send(command, options), {
        passes: (error) => isNone(error, none),
      }).catch(undefinedIf(none));
      return found?.Rules;
    },
    async write(Rules) {
      const command = new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } });
      await call("PutBucketLifecycleConfiguration", (options) => client.send(command, options));
    },
  });
}

function applyCors({ client, bucket: Bucket, call }: S3Access, rules: CORSRule[]): Promise<boolean> {
  return addRules(rules, {
    async read() {
      const none = "NoSuchCORSConfiguration";
      const command = new GetBucketCorsCommand({ Bucket });
      const found = await call("GetBucketCors", (options) => client.send(command, options), {
        passes: (error) => isNone(error, none),
      }).catch(undefinedIf(none));
      return found?.CORSRules;
    },
    async write(CORSRules) {
      const command = new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } });
      await call("PutBucketCors", (options) => client.send(command, options));
    },
  });
}

interface BucketRules<R> {
  read(): Promise<R[] | undefined>;
  write(rules: R[]): Promise<void>;
}

/** In place of those with the same ids. False: they are there already. */
async function addRules<R extends { ID?: string | undefined }>(
  rules: readonly R[],
  { read, write }: BucketRules<R>,
): Promise<boolean> {
  const before = (await read()) ?? [];
  if (rules.every((rule) => before.some((other) => isSame(rule, other)))) return false;
  await write([...before.filter(({ ID }) => !rules.some((rule) => rule.ID === ID)), ...rules]);
  return true;
}

function isNone(error: unknown, name: string): boolean {
  return (error as Error).name === name;
}

function undefinedIf(name: string) {
  return (error: unknown) => {
    if (isNone(error, name)) return undefined;
    throw error;
  };
}

/** Servers give rules back with further fields, and with fields in another order. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return wanted === found;
  if (typeof found !== "object" || found === null) return false;
  if (Array.isArray(wanted) && wanted.length !== (found as unknown[]).length) return false;
  return Object.entries(wanted).every(([name, value]) => isSame(value, (found as Record<string, unknown>)[name]));
}
