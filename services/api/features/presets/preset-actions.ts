/** An account's own presets: put, read, list and delete. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import {
  type AccountPreset,
  isBuiltInPreset,
  isPresetName,
  presetIdOf,
} from "@packshot/domain/presets/account-preset.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { indexWrite, listIndexed } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import type { Realm } from "../../access/caller.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";

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

/** By name. */
export async function listPresets(deps: AccountDeps, { realm }: { readonly realm: Realm }): Promise<AccountPreset[]> {
  const records = await listIndexed<AccountPreset>(deps, realm.accountId, "presets");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === realm.live)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface PresetRef {
  readonly realm: Realm;
  readonly name: string;
}

function presetSubject({ realm: { accountId, live }, name }: PresetRef): string {
  return subjects.preset(accountId, presetIdOf({ live, name }));
}

function presetNotFound(): PackshotError {
  return new PackshotError("not_found", "Preset not found.");
}

export function invalidPreset(message: string, field = "preset"): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field } });
}

/** From the leader; undefined: there is none. */
export async function findPreset(
  { log }: { readonly log: Log },
  ref: PresetRef,
): Promise<Versioned<AccountPreset> | undefined> {
  if (!isPresetName(ref.name)) return undefined;
  const { value, sequence } = await log.read<AccountPreset>(presetSubject(ref));
  return value === undefined ? undefined : { value, sequence };
}

/** Throws `not_found`. */
export async function readPreset(deps: { readonly log: Log }, ref: PresetRef): Promise<AccountPreset> {
  const found = await findPreset(deps, ref);
  if (found === undefined) throw presetNotFound();
  return found.value;
}

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
