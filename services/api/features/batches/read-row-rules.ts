/** What the rows of an account may name, as the log has it when they are read. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { AccountPreset } from "@packshot/domain/presets/account-preset.ts";
import type { BucketConnection } from "@packshot/domain/connections/bucket-connection.ts";
import type { Realm } from "../../access/caller.ts";
import type { ListToolModels } from "../../catalog/tool-models.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";
import type { RowRules } from "./check-row.ts";

export interface RowRulesDeps extends AccountDeps {
  readonly models: ListToolModels;
}

/** All but the batch's own defaults. Presets and connections of live and test keys are apart. */
export async function readRowRules(
  deps: RowRulesDeps,
  { accountId, live }: Realm,
  { tools }: Pick<Account, "tools">,
): Promise<Required<Pick<RowRules, "tools" | "models" | "connections" | "presets">>> {
  const [connections, presets] = await Promise.all([
    listIndexed<BucketConnection>(deps, accountId, "connections"),
    listIndexed<AccountPreset>(deps, accountId, "presets"),
  ]);
  const ofMode = <T extends { readonly live: boolean }>(records: readonly { readonly value: T }[]) =>
    records.map(({ value }) => value).filter((value) => value.live === live);
  return {
    tools,
    models: deps.models().map(({ name }) => name),
    connections: ofMode(connections).map(({ name }) => name),
    presets: Object.fromEntries(
      ofMode(presets).map(({ name, tool, parameters, destination }) => [
        name,
        { tool, parameters, ...(destination && { destination }) },
      ]),
    ),
  };
}
