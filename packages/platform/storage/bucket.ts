/** What is done to a bucket apart from its files. Tools load this at their start, and the SDK only with a bucket. */
import type { Settings } from "../config/settings.ts";
import type { BucketFinding } from "./examine-bucket.ts";
import { readS3Settings, type StorageSettings } from "./open-storage.ts";

type LifeSettings = Pick<
  Settings,
  "PACKSHOT_QUEUE_DEADLINE_SECONDS" | "PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS" | "PACKSHOT_RETENTION_SECONDS"
>;
type PageSettings = Pick<Settings, "PACKSHOT_CORS_ORIGINS">;

/** Makes the bucket's rules where it may. Resolves with what was done or refused, a sentence each; none on disk. */
export async function prepareBucket(settings: StorageSettings & LifeSettings & PageSettings): Promise<string[]> {
  if (settings.PACKSHOT_STORAGE === "disk") return [];
  const { createS3Access } = await import("./s3-client.ts");
  const { applyBucketRules } = await import("./bucket-rules.ts");
  const s3 = readS3Settings(settings);
  const access = createS3Access(s3);
  const queueDeadlineSeconds = Math.max(
    settings.PACKSHOT_QUEUE_DEADLINE_SECONDS,
    settings.PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS,
  );
  const lives = {
    queueDeadlineMs: queueDeadlineSeconds * 1000,
    retentionMs: settings.PACKSHOT_RETENTION_SECONDS * 1000,
  };
  const rules = { prefix: s3.prefix, lives, origins: settings.PACKSHOT_CORS_ORIGINS };
  return await applyBucketRules(access, rules).finally(() => access.client.destroy());
}

/** None on disk. */
export async function examineBucketOf(settings: StorageSettings): Promise<BucketFinding[]> {
  if (settings.PACKSHOT_STORAGE === "disk") return [];
  const { examineBucket } = await import("./examine-bucket.ts");
  return await examineBucket(readS3Settings(settings));
}
