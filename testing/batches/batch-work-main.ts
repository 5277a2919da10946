/**
 * Does one piece of the work on batches' files in a process that a test can kill at a failpoint:
 *   node batch-work-main.ts compact|merge|expire <storage folder> <account> <batch> [nats url] [failpoint]
 */

import type { Batch } from "@packshot/domain/batches/batch.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { armFailpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createFingerprintIndex } from "../../services/api/features/batches/done/fingerprint-index.ts";
import { createOutcomeFiles } from "../../services/api/features/batches/rows/outcome-files.ts";
import { expireBatches } from "../../services/api/features/batches/run/expire-batches.ts";

const [work, dir, accountId, batchId, natsUrl, failpoint] = process.argv.slice(2) as [
  "compact" | "merge" | "expire",
  ...[string, string, string, string?, string?],
];
if (failpoint !== undefined) armFailpoint(failpoint);
const storage = createDiskStorage({ dir });
const lifetimeMs = 3_600_000;
const yearMs = 365 * 24 * 3_600_000;

async function expire(url: string): Promise<void> {
  const log = createLog(await connectNats({ url, name: "batch-work" }), { stateStreamCount: 1 });
  const nowMs = () => Date.now() + yearMs;
  const { value } = await log.read<Batch>(subjects.batch(accountId, batchId));
  const { status, expiresAt } = value!;
  const seen = { accountId, batchId, status, isFed: false, createdAtMs: 0, expiresAtMs: Date.parse(expiresAt!) };
  const deps = { log, storage, nowMs, logger: createLogger({ name: "batch-work", level: "warn" }) };
  await expireBatches({ ...deps, view: { list: () => [seen] } }, 0, new AbortController().signal);
  await log.connection.close();
}

if (work === "compact") await createOutcomeFiles(storage).compact({ accountId, id: batchId }, 0);
if (work === "merge") {
  await createFingerprintIndex({ storage, nowMs: Date.now, lifetimeMs }).merge(storageKeys.fingerprints(accountId));
}
if (work === "expire") await expire(natsUrl!);
