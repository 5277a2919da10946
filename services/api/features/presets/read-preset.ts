import { type AccountPreset, isPresetName, presetIdOf } from "@packshot/domain/account-preset.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";

export interface PresetRef {
  readonly realm: Realm;
  readonly name: string;
}

export function presetSubject({ realm: { accountId, live }, name }: PresetRef): string {
  return subjects.preset(accountId, presetIdOf({ live, name }));
}

export function presetNotFound(): PackshotError {
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
