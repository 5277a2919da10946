/** Presigned links to files on S3: clients send and fetch the bytes there, and no process of ours is in between. */
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl, S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { presignUrl } from "./presign-url.ts";
import { createS3Client, type S3Access, type S3Settings } from "./s3-client.ts";
import type { Storage } from "./storage.ts";

/** A link is signed as of one of these times before its end; S3 allows no longer ones. */
const longestSeconds = 604_800;
const lifetimesSeconds = [3_600, 86_400, longestSeconds] as const;
const clockSkewSecondsMax = 60;

interface Validity {
  readonly signingDate: Date;
  readonly expiresIn: number;
}

/**
 * The same link for the same arguments: the time of signing follows from that of the end, and not from the clock. S3
 * refuses links of the future, so the shortest of the lifetimes that began already is taken.
 */
export function validityUntil(expiresAtMs: number, nowMs: number): Validity {
  const endSeconds = Math.ceil(expiresAtMs / 1000);
  const nowSeconds = Math.floor(nowMs / 1000);
  const found = lifetimesSeconds.find((lifetime) => endSeconds - lifetime <= nowSeconds);
  if (found !== undefined) return { signingDate: new Date((endSeconds - found) * 1000), expiresIn: found };
  // The end was set by a process whose clock is ahead.
  if (endSeconds - longestSeconds <= nowSeconds + clockSkewSecondsMax) {
    return { signingDate: new Date(nowSeconds * 1000), expiresIn: longestSeconds };
  }
  throw new RangeError(`S3 signs no link that is valid for longer than ${longestSeconds / 86_400} days`);
}

/** The SDK's commands are not used: they take half a millisecond for a link, and a list of jobs has two hundred. */
export function createS3Links(
  settings: S3Settings,
  access: Pick<S3Access, "bucket" | "toObjectKey" | "call">,
): Pick<Storage, "signGet" | "signPut"> {
  // The name of the host is signed too, so links need a client of their own for the public address.
  const client = createS3Client(settings, settings.publicEndpoint ?? settings.endpoint);
  const presigner = new S3RequestPresigner({ ...client.config });
  let base: Promise<URL> | undefined;

  /** The bucket's address. The SDK knows when its name belongs to the host and when to the path. */
  function findBase(): Promise<URL> {
    base ??= getSignedUrl(client, new GetObjectCommand({ Bucket: access.bucket, Key: "x" })).then((link) => {
      const url = new URL(link);
      url.search = "";
      url.pathname = url.pathname.replace(/x$/, "");
      return url;
    });
    // A failure must not stay.
    base.catch(() => (base = undefined));
    return base;
  }

  async function sign(
    key: string,
    expiresAtMs: number,
    request: { readonly method: string; readonly query: Record<string, string>; headers?: Record<string, string> },
  ): Promise<string> {
    const { signingDate, expiresIn: expiresInSeconds } = validityUntil(expiresAtMs, Date.now());
    const path = access.toObjectKey(key);
    return await presignUrl(presigner, { base: await findBase(), path, ...request, signingDate, expiresInSeconds });
  }

  return {
    async signGet(key, { expiresAtMs, contentType, filename }) {
      const query = {
        "response-content-type": contentType,
        ...(filename !== undefined && {
          "response-content-disposition": `inline; filename="${filename.replaceAll(/[^\w.-]/g, "_")}"`,
        }),
        "response-cache-control": "private",
        "response-expires": new Date(expiresAtMs).toUTCString(),
      };
      return await access.call("sign", () => sign(key, expiresAtMs, { method: "GET", query }));
    },

    async signPut(key, { expiresAtMs, contentType, sizeBytes }) {
      const headers = { "content-type": contentType, "content-length": String(sizeBytes) };
      const url = await access.call("sign", () => sign(key, expiresAtMs, { method: "PUT", query: {}, headers }));
      return { url, method: "PUT", headers: { "Content-Type": contentType } };
    },
  };
}
