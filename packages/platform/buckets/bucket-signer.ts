/**
 * Links to the files of a customer's bucket. Nothing is called to make one: the SDK's client would look for endpoints,
 * regions and sessions by itself, outside the guard of outbound calls.
 */
import type { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import type {
  BucketConnection,
  BucketCredentials,
  BucketLink,
} from "@packshot/domain/connections/bucket-connection.ts";
import { percentEncode, presignUrl } from "../storage/presign-url.ts";

/** Longer than a job may take: a link is made when the bytes are about to move. */
const linkSeconds = 15 * 60;
/** S3 refuses links of the future, and its clock may be behind. */
const clockSkewMs = 60_000;

export type BucketAddress = Pick<BucketConnection, "endpoint" | "region" | "bucket" | "prefix" | "forcePathStyle">;

export interface BucketSigner {
  /** `key` is below the prefix. */
  signGet(key: string): Promise<BucketLink>;
  /** Type and length are signed: the bucket takes no other bytes. */
  signPut(key: string, file: { readonly contentType: string; readonly bytes: number }): Promise<BucketLink>;
  signDelete(key: string): Promise<BucketLink>;
}

/** The SDK takes 12 MB, so it is loaded with the first link. Most deployments make none. */
async function loadPresigner({ region }: BucketAddress, credentials: BucketCredentials): Promise<S3RequestPresigner> {
  const [client, presigner] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  // Node's own hash, in the shape that the presigner takes.
  const { sha256 } = new client.S3Client({ region: "us-east-1" }).config;
  return new presigner.S3RequestPresigner({ sha256, region, credentials });
}

export function createBucketSigner(address: BucketAddress, credentials: BucketCredentials): BucketSigner {
  let presigner: Promise<S3RequestPresigner> | undefined;
  const base = bucketUrl(address);

  async function sign(
    method: BucketLink["method"],
    key: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<BucketLink> {
    const path = (address.prefix + key).split("/").map(percentEncode).join("/");
    const signingDate = new Date(Date.now() - clockSkewMs);
    presigner ??= loadPresigner(address, credentials);
    const url = await presignUrl(await presigner, {
      base,
      path,
      method,
      headers,
      query: {},
      signingDate,
      expiresInSeconds: linkSeconds,
    });
    return { method, url, headers };
  }

  return {
    signGet: (key) => sign("GET", key),
    signPut: (key, { contentType, bytes }) =>
      sign("PUT", key, { "content-type": contentType, "content-length": String(bytes) }),
    signDelete: (key) => sign("DELETE", key),
  };
}

/** Where the bucket's keys begin; ends with "/". The guard checks it as it checks every address that is called. */
export function bucketUrl({ endpoint, bucket, forcePathStyle }: BucketAddress): URL {
  const url = new URL(endpoint);
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  if (forcePathStyle) url.pathname += `${bucket}/`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}
