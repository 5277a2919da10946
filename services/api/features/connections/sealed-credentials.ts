import type { BucketConnection, BucketCredentials } from "@packshot/domain/bucket-connection.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { type BucketSigner, createBucketSigner } from "@packshot/platform/buckets/bucket-signer.ts";

export function sealCredentials(seal: Seal, { accessKeyId, secretAccessKey }: BucketCredentials): string {
  return seal.seal(JSON.stringify({ accessKeyId, secretAccessKey }));
}

/** The only place where credentials are opened. Throws when no master key opens them. */
export function signerOf(seal: Seal, connection: BucketConnection): BucketSigner {
  return createBucketSigner(connection, JSON.parse(seal.unseal(connection.sealedCredentials)) as BucketCredentials);
}
