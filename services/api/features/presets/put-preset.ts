import type { Account } from "@packshot/domain/account.ts";
import { type AccountPreset, isBuiltInPreset, isPresetName, presetIdOf } from "@packshot/domain/account-preset.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { indexWrite } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { invalidPreset, type PresetRef, presetSubject } from "./read-preset.ts";

export type PresetFields = Pick<AccountPreset, "tool" | "parameters" | "destination">;

export interface StoredPreset {
  readonly preset: AccountPreset;
  /** false: it replaced one of the same name. */
  readonly isNew: boolean;
}

/** Creates a preset, or replaces the one of its name. Throws `invalid_request` (the name), `limit_reached`. */
export async function putPreset(
  deps: AccountDeps,
  { fields, ...ref }: PresetRef & { readonly fields: PresetFields },
): Promise<StoredPreset> {
  assertName(ref.name);
  const { accountId, live } = ref.realm;
  const now = isoTime(deps.nowMs());
  const draft: AccountPreset = { v: 1, accountId, live, name: ref.name, ...fields, createdAt: now, updatedAt: now };
  const subject = presetSubject(ref);
  return await commitAccount<StoredPreset>(deps, { transition: "put-preset", accountId }, async (account, attempt) => {
    const { value: before, sequence } = await deps.log.read<AccountPreset>(subject);
    if (before === undefined) {
      assertBelowLimit(account);
      return {
        account: { ...account, presets: (account.presets ?? 0) + 1 },
        writes: [
          { subject, value: draft, expected: sequence },
          await indexWrite(deps.log, account, "presets", { added: [presetIdOf(draft)] }),
        ],
        result: { preset: draft, isNew: true },
      };
    }
    const { createdAt, updatedAt } = before;
    // The first attempt stored it, and its answer was lost.
    if (attempt > 1 && updatedAt === now) return { done: { preset: before, isNew: createdAt === now } };
    const preset: AccountPreset = { ...draft, createdAt };
    return { account, writes: [{ subject, value: preset, expected: sequence }], result: { preset, isNew: false } };
  });
}

function assertName(name: string): void {
  if (!isPresetName(name)) {
    const rule = 'small letters, digits, "-" and "_", at most 63, beginning with a letter or a digit';
    throw invalidPreset(`A preset's name has ${rule}.`, "name");
  }
  if (isBuiltInPreset(name)) {
    throw invalidPreset(`"${name}" is a marketplace's preset: choose another name.`, "name");
  }
}

function assertBelowLimit({ presets = 0, limits }: Account): void {
  const allowed = limits.maxPresets;
  if (presets < allowed) return;
  throw new PackshotError("limit_reached", `The plan allows ${allowed} presets: remove one first.`);
}
