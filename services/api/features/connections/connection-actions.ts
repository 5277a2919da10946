/** Connections to customers' buckets: create, read, list, change and delete. */

import { randomUUID } from "node:crypto";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { BucketLink } from "@packshot/domain/connections/bucket-connection.ts";
import {
  accessKeyIdEndOf,
  type BucketConnection,
  type BucketCredentials,
  connectionWrite,
} from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { type BucketAddress, type BucketSigner, bucketUrl } from "@packshot/platform/buckets/bucket-signer.ts";
import {
  type BucketCallLimits,
  type BucketResponse,
  BucketUnreachable,
  callBucket,
} from "@packshot/platform/buckets/call-bucket.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { type AllowList, checkTarget, literalAddress } from "@packshot/platform/outbound/address-guard.ts";
import type { Realm } from "../../access/caller.ts";
import { indexWrite, listIndexed } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { connectionIdOf, sealCredentials, signerOf } from "./find-connection.ts";

export interface CreateConnectionDeps extends AccountDeps {
  readonly seal: Seal;
  /** Private addresses that endpoints may have. */
  readonly allow: AllowList;
}

export interface NewConnection extends BucketCredentials {
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix?: string;
  readonly forcePathStyle?: boolean;
}

export interface CreateConnectionInput {
  readonly realm: Realm;
  readonly newConnection: NewConnection;
}

/** Throws `invalid_request` (the endpoint), `limit_reached`, `name_taken`. */
export async function createConnection(
  deps: CreateConnectionDeps,
  { realm, newConnection }: CreateConnectionInput,
): Promise<BucketConnection> {
  const { name, endpoint, region, bucket, prefix = "", forcePathStyle = true, ...credentials } = newConnection;
  const address = { endpoint, region, bucket, prefix: asFolder(prefix), forcePathStyle };
  checkEndpoint(address, deps.allow);
  const createdAt = isoTime(deps.nowMs());
  const connection: BucketConnection = {
    ...({ v: 1, id: connectionIdOf(realm, name), ...realm, name } as const),
    ...address,
    sealedCredentials: sealCredentials(deps.seal, credentials),
    accessKeyIdEnd: accessKeyIdEndOf(credentials),
    createdAt,
    updatedAt: createdAt,
  };
  const { accountId } = realm;
  return await commitAccount<BucketConnection>(
    deps,
    { transition: "create-connection", accountId },
    async (account) => {
      const { value, sequence } = await deps.log.read<BucketConnection>(subjects.connection(accountId, connection.id));
      if (value?.sealedCredentials === connection.sealedCredentials) return { done: connection };
      if (value !== undefined)
        throw new PackshotError(
          "name_taken",
          `There is a connection "${name}" already: give another name, or change that one.`,
        );
      assertBelowLimit(account);
      return {
        account: { ...account, connections: (account.connections ?? 0) + 1 },
        writes: [
          connectionWrite(connection, connection, sequence),
          await indexWrite(deps.log, account, "connections", { added: [connection.id] }),
        ],
        result: connection,
      };
    },
  );
}

/** "" or with a slash at its end. */
function asFolder(prefix: string): string {
  return prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
}

function assertBelowLimit({ connections = 0, limits }: Account): void {
  const limit = limits.maxConnections;
  if (connections < limit) return;
  throw new PackshotError("limit_reached", `The plan allows ${limit} connections: remove one first.`);
}

/** What the address tells before anything is called, and whether the prefix is a folder. Throws `invalid_request`. */
function checkEndpoint(address: BucketAddress, allow: AllowList): void {
  checkTarget(address.endpoint, { allow, purpose: "bucket" });
  const { hostname, search, hash } = new URL(address.endpoint);
  if (search !== "" || hash !== "") throw invalid("endpoint", "must not have a query or a fragment.");
  const folders = address.prefix.split("/").slice(0, -1);
  if (folders.some((folder) => ["", ".", ".."].includes(folder))) {
    throw invalid("prefix", 'must not have empty parts, "." or "..".');
  }
  if (address.forcePathStyle) return;
  if (literalAddress(hostname) !== undefined) {
    throw invalid("forcePathStyle", "must be true where the endpoint is an address without a name.");
  }
  checkTarget(bucketUrl(address), { allow, purpose: "bucket" });
}

function invalid(field: string, problem: string): PackshotError {
  return new PackshotError("invalid_request", `"${field}" ${problem}`, { details: { field } });
}

/** By name. */
export async function listConnections(
  deps: AccountDeps,
  { realm }: { readonly realm: Realm },
): Promise<BucketConnection[]> {
  const records = await listIndexed<BucketConnection>(deps, realm.accountId, "connections");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === realm.live)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface ConnectionRef {
  readonly realm: Realm;
  readonly connectionId: string;
}

function connectionNotFound(): PackshotError {
  return new PackshotError("not_found", "Connection not found.");
}

/** From the leader. Throws `not_found`. */
export async function readConnection(
  { log }: { readonly log: Log },
  { realm, connectionId }: ConnectionRef,
): Promise<Versioned<BucketConnection>> {
  if (!isUuid(connectionId)) throw connectionNotFound();
  const { value, sequence } = await log.read<BucketConnection>(subjects.connection(realm.accountId, connectionId));
  if (value === undefined || value.live !== realm.live) throw connectionNotFound();
  return { value, sequence };
}

/** The name stays: sources and destinations name it. The two parts of the credentials change together. */
export type ConnectionUpdate = Partial<Omit<NewConnection, "name">>;

/**
 * What is signed from now on has the new credentials. Credentials are for the bucket that they were given for: another
 * endpoint or bucket needs them anew, or a key of scope `keys` could have them used where it likes. Throws `not_found`,
 * `invalid_request`.
 */
export async function updateConnection(
  { log, seal, allow, nowMs }: Pick<CreateConnectionDeps, "log" | "seal" | "allow" | "nowMs">,
  { update, ...ref }: ConnectionRef & { readonly update: ConnectionUpdate },
): Promise<BucketConnection> {
  const { accessKeyId, secretAccessKey, prefix, ...fields } = update;
  const credentials = pair(accessKeyId, secretAccessKey);
  const changes = {
    ...fields,
    ...(prefix === undefined ? {} : { prefix: asFolder(prefix) }),
    ...(credentials === undefined
      ? {}
      : { sealedCredentials: sealCredentials(seal, credentials), accessKeyIdEnd: accessKeyIdEndOf(credentials) }),
  };
  return await log.transact<BucketConnection>("update-connection", async () => {
    const { value: before, sequence } = await readConnection({ log }, ref);
    const after = { ...before, ...changes, updatedAt: isoTime(nowMs()) };
    if (credentials === undefined) assertSamePlace(before, after);
    checkEndpoint(after, allow);
    return { writes: [connectionWrite(before, after, sequence)], result: after };
  });
}

function assertSamePlace(before: BucketConnection, after: BucketConnection): void {
  if (before.endpoint === after.endpoint && before.bucket === after.bucket) return;
  throw new PackshotError(
    "invalid_request",
    "Another endpoint or bucket needs its credentials: send accessKeyId and secretAccessKey with it.",
    { details: { field: "secretAccessKey" } },
  );
}

function pair(accessKeyId?: string, secretAccessKey?: string): BucketCredentials | undefined {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  const field = accessKeyId === undefined ? "accessKeyId" : "secretAccessKey";
  throw new PackshotError("invalid_request", "accessKeyId and secretAccessKey change together.", {
    details: { field },
  });
}

/** Throws `not_found`. */
export async function deleteConnection(deps: AccountDeps, ref: ConnectionRef): Promise<void> {
  const { accountId } = ref.realm;
  const subject = subjects.connection(accountId, ref.connectionId);
  await readConnection(deps, ref);
  await commitAccount<void>(deps, { transition: "delete-connection", accountId }, async (account, attempt) => {
    const { value, sequence } = await deps.log.read<BucketConnection>(subject);
    if (value === undefined) {
      if (attempt > 1) return { done: undefined };
      throw connectionNotFound();
    }
    return {
      account: { ...account, connections: Math.max(0, (account.connections ?? 0) - 1) },
      writes: [
        connectionWrite(value, null, sequence),
        await indexWrite(deps.log, account, "connections", { removed: [value.id] }),
      ],
      result: undefined,
    };
  });
}

/** Tries what jobs do with a connection: puts a small file below its prefix, gets it and deletes it. */

const callTimeoutMsDefault = 10_000;
/** Without the right to write, a bucket that says so can be read. */
const apiKeyNotFound = "NoSuchKey";
const content = Buffer.from("Packshot tests this connection and deletes this file.\n");
const nothingToDo: BucketTestStep = { ok: true, problem: null, milliseconds: 0 };

/** The master key that sealed them is lost. */
const notOpened: BucketTestStep = {
  ok: false,
  problem: "The credentials cannot be opened any more: set them again.",
  milliseconds: 0,
};

function openSigner(seal: Seal, connection: BucketConnection): BucketSigner | undefined {
  try {
    return signerOf(seal, connection);
  } catch {
    return undefined;
  }
}

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
  const signer = openSigner(seal, connection);
  if (signer === undefined) return { write: notOpened, read: notOpened, cleanUp: nothingToDo };
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
