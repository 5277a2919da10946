/** Archives the ledger once, as if it were three days later, and ends: for tests that kill it in between. */

import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { armFailpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createArchive } from "../../services/api/features/accounts/ledger-archive.ts";

const [url, dir, fileBytes, failpoint] = process.argv.slice(2) as [string, string, string, string?];
if (failpoint !== undefined) armFailpoint(failpoint);
const log = createLog(await connectNats({ url, name: "archive-ledger" }), { stateStreamCount: 1 });
const archive = createArchive({
  log,
  storage: createDiskStorage({ dir }),
  logger: createLogger({ name: "archive-ledger", level: "warn" }),
  nowMs: () => Date.now() + 3 * 24 * 3_600_000,
  fileBytes: Number(fileBytes),
});
await archive(new AbortController().signal);
await log.connection.close();
