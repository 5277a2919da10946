/**
 * One request to a customer's bucket by a signed link, through the guard of outbound calls and bounded in time and bytes.
 * Neither links nor what the server says of a signature get into errors: only the status and S3's own code.
 */
import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import type { BucketLink } from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { type Dispatcher, request } from "undici";
import { type AllowList, checkTarget } from "../outbound/address-guard.ts";
import { createGuardedAgent } from "../outbound/guarded-agent.ts";
import type { HostResolver } from "../outbound/host-resolver.ts";

const connectTimeoutMs = 10_000;
/** More than an error of S3 has, or the file of a connection's test. */
const responseBytesMax = 16 * 1024;

export interface BucketCallLimits {
  readonly allow: AllowList;
  /** For the whole call. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** For tests: replaces the system's resolver. */
  readonly resolver?: HostResolver;
}

export interface BucketResponse {
  readonly status: number;
  /** S3's, as "AccessDenied"; undefined: the body has none. */
  readonly code: string | undefined;
  /** Its beginning. */
  readonly body: Buffer;
}

/** No response came. The message is a predicate: "could not be reached (ECONNREFUSED)". */
export class BucketUnreachable extends Error {
  /** The address may not be called: it is of no use to try again. */
  readonly isForbidden: boolean;

  constructor(message: string, { isForbidden, cause }: { readonly isForbidden: boolean; readonly cause: unknown }) {
    super(message, { cause });
    this.name = "BucketUnreachable";
    this.isForbidden = isForbidden;
  }
}

/** Throws `BucketUnreachable`, or the reason of `signal`. Redirects are not followed. */
export async function callBucket(
  link: BucketLink,
  { allow, timeoutMs, signal: given, resolver }: BucketCallLimits,
  body?: Readable | Uint8Array,
): Promise<BucketResponse> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = given === undefined ? deadline : AbortSignal.any([deadline, given]);
  const agent = createGuardedAgent({
    allow,
    connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
    connectionsMax: 1,
    resolver,
  });
  try {
    checkTarget(link.url, { allow, purpose: "bucket" });
    const { method, url, headers } = link;
    const response = await request(url, {
      dispatcher: agent,
      method,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      headers: { ...headers, "accept-encoding": "identity", "user-agent": "Packshot" },
      ...(body === undefined ? {} : { body }),
    });
    const head = await readHead(response.body);
    return { status: response.statusCode, code: codeOf(response.statusCode, head), body: head };
  } catch (error) {
    if (given?.aborted === true) throw given.reason;
    throw toUnreachable(error, deadline, timeoutMs);
  } finally {
    await agent.destroy().catch(() => {});
    if (body !== undefined && !(body instanceof Uint8Array)) body.on("error", () => {}).destroy();
  }
}

async function readHead(body: Dispatcher.ResponseData["body"]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= responseBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, responseBytesMax);
}

function codeOf(status: number, head: Buffer): string | undefined {
  return status < 300 ? undefined : /<Code>(\w{1,64})<\/Code>/.exec(head.toString("utf8"))?.[1];
}

function toUnreachable(error: unknown, deadline: AbortSignal, timeoutMs: number): BucketUnreachable {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof PackshotError) return new BucketUnreachable(forbidden, { isForbidden: true, cause });
  }
  const code = (error as { code?: unknown } | undefined)?.code;
  const problem = deadline.aborted
    ? `did not answer within ${timeoutMs} ms`
    : typeof code === "string"
      ? `could not be reached (${code})`
      : "could not be reached";
  return new BucketUnreachable(problem, { isForbidden: false, cause: error });
}

const forbidden = "leads to an address that may not be called";
