import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { AccountScope } from "../../access/caller.ts";
import { listRecords } from "../../records/list-records.ts";

const webhooksMax = 1_000;

/** Oldest first. */
export async function listWebhooks(
  { log }: { readonly log: Log },
  { scope }: { readonly scope: AccountScope },
): Promise<Webhook[]> {
  const records = await listRecords<Webhook>(log, `ps.webhook.${scope.accountId}.*`, webhooksMax);
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === scope.live)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
