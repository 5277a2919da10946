/** Connections are found by their names: the id of a connection follows from its account, mode and name. */
import { createHash } from "node:crypto";
import type { BucketConnection, BucketCredentials } from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { type BucketSigner, createBucketSigner } from "@packshot/platform/buckets/bucket-signer.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Realm } from "../../access/caller.ts";

/** A UUIDv8 (RFC 9562): of two requests that make connections of one name, the compare-and-set refuses one. */
export function connectionIdOf({ accountId, live }: Realm, name: string): string {
  const bytes = createHash("sha256").update(`connection ${accountId} ${live} ${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** From the leader. */
export async function findConnection(
  { log }: { readonly log: Log },
  realm: Realm,
  name: string,
): Promise<BucketConnection | undefined> {
  return (await log.read<BucketConnection>(subjects.connection(realm.accountId, connectionIdOf(realm, name)))).value;
}

/** Throws `invalid_request`, which names the field that names the connection. */
export async function assertConnection(
  deps: { readonly log: Log },
  realm: Realm,
  { name, field }: { readonly name: string; readonly field: string },
): Promise<void> {
  if ((await findConnection(deps, realm, name)) !== undefined) return;
  const kind = realm.live ? "" : " of test keys";
  throw new PackshotError(
    "invalid_request",
    `Connection "${name}"${kind} not found: GET /v1/connections lists yours.`,
    {
      details: { field },
    },
  );
}

export function sealCredentials(seal: Seal, { accessKeyId, secretAccessKey }: BucketCredentials): string {
  return seal.seal(JSON.stringify({ accessKeyId, secretAccessKey }));
}

/** The only place where credentials are opened. Throws when no master key opens them. */
export function signerOf(seal: Seal, connection: BucketConnection): BucketSigner {
  return createBucketSigner(connection, JSON.parse(seal.unseal(connection.sealedCredentials)) as BucketCredentials);
}
