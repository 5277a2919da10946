/** Tries what jobs do with a connection: puts a small file below its prefix, gets it and deletes it. */
import { randomUUID } from "node:crypto";
import type { BucketLink } from "@packshot/domain/connections/bucket-link.ts";
import {
  type BucketCallLimits,
  type BucketResponse,
  BucketUnreachable,
  callBucket,
} from "@packshot/platform/buckets/call-bucket.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Log } from "@packshot/log/log.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { signerOf } from "./find-connection.ts";
import { type ConnectionRef, readConnection } from "./connection-actions.ts";

const callTimeoutMsDefault = 10_000;
/** Without the right to write, a bucket that says so can be read. */
const apiKeyNotFound = "NoSuchKey";
const content = Buffer.from("Packshot tests this connection and deletes this file.\n");
const nothingToDo: BucketTestStep = { ok: true, problem: null, milliseconds: 0 };

export interface TestConnectionDeps {
  readonly log: Log;
  readonly seal: Seal;
  readonly allow: AllowList;
  /** For tests. */
  readonly callTimeoutMs?: number;
}

export interface BucketTestStep {
  readonly ok: boolean;
  /** For people; null where all went well. */
  readonly problem: string | null;
  readonly milliseconds: number;
}

export interface ConnectionTest {
  /** Results may go there. */
  readonly write: BucketTestStep;
  /** Sources may come from there. */
  readonly read: BucketTestStep;
  /** The test's own file is gone again; jobs delete nothing. */
  readonly cleanUp: BucketTestStep;
}

/** Throws `not_found`; whatever the bucket does is in the answer. */
export async function testConnection(
  { log, seal, allow, callTimeoutMs: timeoutMs = callTimeoutMsDefault }: TestConnectionDeps,
  ref: ConnectionRef,
): Promise<ConnectionTest> {
  const { value: connection } = await readConnection({ log }, ref);
  const signer = signerOf(seal, connection);
  const key = `packshot-test-${randomUUID()}.txt`;
  // Not with the client's signal: whoever leaves must not leave the file there.
  const limits = { allow, timeoutMs };

  const written = await call(
    await signer.signPut(key, { contentType: "text/plain", bytes: content.length }),
    limits,
    content,
  );
  const write = stepOf(written, isSuccess);
  // Who does not answer at all is not asked again.
  const got = "unreachable" in written ? written : await call(await signer.signGet(key), limits);
  const read = stepOf(got, (response) =>
    write.ok ? response.status === 200 && response.body.equals(content) : response.code === apiKeyNotFound,
  );
  const cleanUp = write.ok ? stepOf(await call(await signer.signDelete(key), limits), isSuccess) : nothingToDo;
  return { write, read, cleanUp };
}

type Outcome = { readonly milliseconds: number } & (
  | { readonly response: BucketResponse }
  | { readonly unreachable: BucketUnreachable }
);

async function call(link: BucketLink, limits: BucketCallLimits, body?: Buffer): Promise<Outcome> {
  const startedAtMs = performance.now();
  const passedMs = () => Math.round(performance.now() - startedAtMs);
  try {
    return { response: await callBucket(link, limits, body), milliseconds: passedMs() };
  } catch (error) {
    if (!(error instanceof BucketUnreachable)) throw error;
    return { unreachable: error, milliseconds: passedMs() };
  }
}

function stepOf(outcome: Outcome, isFine: (response: BucketResponse) => boolean): BucketTestStep {
  const { milliseconds } = outcome;
  if ("unreachable" in outcome) {
    return { ok: false, problem: `The endpoint ${outcome.unreachable.message}.`, milliseconds };
  }
  const { response } = outcome;
  const ok = isFine(response);
  return { ok, problem: ok ? null : describe(response), milliseconds };
}

function isSuccess({ status }: BucketResponse): boolean {
  return status >= 200 && status < 300;
}

function describe({ status, code }: BucketResponse): string {
  if (status < 300) return "The endpoint answered with another file than the one that was put there.";
  return `The endpoint answered ${status}${code === undefined ? "" : ` ${code}`}.`;
}
