/**
 * Links to files in customers' buckets, for whoever moves their bytes: workers ask for them (`answer-links.ts`), and
 * processes that hold the master key make them directly.
 */
import { type BucketFile, parseBucketUrl, resultKey } from "@packshot/domain/connections/bucket-key.ts";
import type { BucketConnection } from "@packshot/domain/connections/bucket-connection.ts";
import type { BucketLink } from "@packshot/domain/connections/bucket-link.ts";
import { type JobErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import type { BucketSigner } from "@packshot/platform/buckets/bucket-signer.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Realm } from "../../access/caller.ts";
import { findConnection } from "./find-connection.ts";
import { signerOf } from "./find-connection.ts";

export interface BucketLinks {
  /** To get the file at `s3://<connection>/<key>`. Throws `source_unreachable` when the connection is gone. */
  ofSource(realm: Realm, imageUrl: string): Promise<BucketLink>;
  /** To put a result of this type and length. Throws `destination_failed` when the connection is gone. */
  ofResult(
    realm: Realm,
    destination: BucketFile,
    file: { readonly contentType: string; readonly bytes: number },
  ): Promise<BucketLink>;
}

export interface BucketLinksDeps {
  readonly log: Log;
  readonly seal: Seal;
  readonly logger: Logger;
}

export function createBucketLinks({ log, seal, logger }: BucketLinksDeps): BucketLinks {
  async function signerFor(realm: Realm, name: string, code: JobErrorCode): Promise<BucketSigner> {
    const connection = await findConnection({ log }, realm, name);
    if (connection === undefined) throw new PackshotError(code, `Connection "${name}" no longer exists.`);
    return open(connection, code);
  }

  function open(connection: BucketConnection, code: JobErrorCode): BucketSigner {
    try {
      return signerOf(seal, connection);
    } catch (error) {
      const { accountId, id } = connection;
      logger.error({ err: error, accountId, connectionId: id }, "no master key opens the credentials of a connection");
      const message = `The credentials of the connection "${connection.name}" cannot be opened: set them again.`;
      throw new PackshotError(code, message);
    }
  }

  return {
    async ofSource(realm, imageUrl) {
      const { connection, key } = parseBucketUrl(imageUrl);
      return await (await signerFor(realm, connection, "source_unreachable")).signGet(key);
    },

    async ofResult(realm, destination, file) {
      const signer = await signerFor(realm, destination.connection, "destination_failed");
      return await signer.signPut(resultKey(destination, file.contentType), file);
    },
  };
}
