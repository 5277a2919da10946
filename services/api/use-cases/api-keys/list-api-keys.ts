import type { ApiKey } from "@packshot/domain/api-key.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { listRecords } from "../../records/list-records.ts";

const keysMax = 1_000;

/** Oldest first. */
export async function listApiKeys(
  { log }: { readonly log: Log },
  { accountId }: { readonly accountId: string },
): Promise<ApiKey[]> {
  const records = await listRecords<ApiKey>(log, `ps.apikey.${accountId}.*`, keysMax);
  return records.map(({ value }) => value);
}
