/**
 * A batch that opens or closes upload sessions of an account writes its tally, too. The tally is a record of its own and
 * not a part of the account's, so that uploads and accepts do not make each other's compare-and-set fail.
 */
import { subjects } from "@packshot/domain/subjects.ts";
import { type UploadTally, uploadTallyTtlSeconds } from "@packshot/domain/upload-tally.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { RunExclusive } from "@packshot/platform/flow/keyed-mutex.ts";
import type { Log } from "@packshot/platform/nats/log.ts";

export interface UploadTallyDeps {
  readonly log: Log;
  /** One change of an account's sessions at a time in this process. */
  readonly runExclusive: RunExclusive;
}

/** `done`: nothing is to be written. Without a `tally`, the tally stays as it is. */
export type UploadsDecision<T> =
  | { readonly done: T }
  | { readonly tally: UploadTally | undefined; readonly writes: readonly Write[]; readonly result: T };

/** `decide` gets the tally as the leader has it, and is called again after a conflict. */
export async function changeUploads<T>(
  { log, runExclusive }: UploadTallyDeps,
  accountId: string,
  transition: string,
  decide: (tally: UploadTally | undefined, attempt: number) => Promise<UploadsDecision<T>>,
): Promise<T> {
  const subject = subjects.index(accountId, "uploads");
  return await runExclusive(accountId, () =>
    log.transact<T>(transition, async (attempt) => {
      const { value, sequence } = await log.read<UploadTally>(subject);
      const decision = await decide(value, attempt);
      if ("done" in decision) return decision;
      const { tally, writes, result } = decision;
      if (tally === undefined) return { writes, result };
      const tallyWrite = { subject, value: tally, expected: sequence, ttlSeconds: uploadTallyTtlSeconds };
      // First: by the first record that it compares, a commit is known when others contend for it, and then shares no
      // group with those of other accounts.
      return { writes: [tallyWrite, ...writes], result };
    }),
  );
}
