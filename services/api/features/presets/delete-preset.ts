import { presetIdOf } from "@packshot/domain/account-preset.ts";
import { ttlSeconds } from "@packshot/domain/subjects.ts";
import { indexWrite } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { findPreset, presetNotFound, type PresetRef, presetSubject } from "./read-preset.ts";

/** Jobs that were made with it keep their parameters. Throws `not_found`. */
export async function deletePreset(deps: AccountDeps, ref: PresetRef): Promise<void> {
  const { accountId } = ref.realm;
  await commitAccount<void>(deps, { transition: "delete-preset", accountId }, async (account, attempt) => {
    const found = await findPreset(deps, ref);
    if (found === undefined) {
      if (attempt > 1) return { done: undefined };
      throw presetNotFound();
    }
    const tombstone = { value: null, ttlSeconds: ttlSeconds.unfollowedTombstone };
    return {
      account: { ...account, presets: Math.max(0, (account.presets ?? 0) - 1) },
      writes: [
        { subject: presetSubject(ref), expected: found.sequence, ...tombstone },
        await indexWrite(deps.log, account, "presets", { removed: [presetIdOf(found.value)] }),
      ],
      result: undefined,
    };
  });
}
