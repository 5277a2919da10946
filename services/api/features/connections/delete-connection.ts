import { type BucketConnection, connectionWrite } from "@packshot/domain/bucket-connection.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { indexWrite } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { type ConnectionRef, connectionNotFound, readConnection } from "./read-connection.ts";

/** Throws `not_found`. */
export async function deleteConnection(deps: AccountDeps, ref: ConnectionRef): Promise<void> {
  const { accountId } = ref.realm;
  const subject = subjects.connection(accountId, ref.connectionId);
  await readConnection(deps, ref);
  await commitAccount<void>(deps, { transition: "delete-connection", accountId }, async (account, attempt) => {
    const { value, sequence } = await deps.log.read<BucketConnection>(subject);
    if (value === undefined) {
      if (attempt > 1) return { done: undefined };
      throw connectionNotFound();
    }
    return {
      account: { ...account, connections: Math.max(0, (account.connections ?? 0) - 1) },
      writes: [
        connectionWrite(value, null, sequence),
        await indexWrite(deps.log, account, "connections", { removed: [value.id] }),
      ],
      result: undefined,
    };
  });
}
