/**
 * What a bucket should do by itself: remove what the janitor has missed, and let web pages use links. Rules
 * of others in the same bucket stay as they are.
 */
import {
  type CORSRule,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
} from "@aws-sdk/client-s3";
import { jobDeadlineMs } from "@packshot/domain/jobs/job.ts";
import { ttlSeconds } from "@packshot/domain/subjects.ts";
import type { S3Access } from "./s3-client.ts";
import { StorageFault } from "./storage-fault.ts";

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
