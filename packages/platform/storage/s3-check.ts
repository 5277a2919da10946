import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { createPeriodicCheck, type PeriodicCheck } from "../lifecycle/periodic-check.ts";
import type { Logger } from "../telemetry/logger.ts";
import { isNoSuchKey, type S3Access } from "./s3-client.ts";
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
