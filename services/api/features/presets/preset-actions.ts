/** An account's own presets: put, read, list and delete. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { BucketFile } from "@packshot/domain/connections/bucket-key.ts";
import { type EditParameters, outputPresets, type ToolId } from "@packshot/domain/edits/tools.ts";
import { clipName, PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import {
  type AccountPreset,
  isBuiltInPreset,
  isPresetName,
  mergeParameters,
  presetIdOf,
} from "@packshot/domain/presets/account-preset.ts";
import { fillOutputPresets, ownPresetsOf } from "@packshot/domain/presets/output-presets.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Realm } from "../../access/caller.ts";
import { indexWrite, listIndexed } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { checkParameters } from "./tool-parameters.ts";

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

export function unknownPreset(name: string): PackshotError {
  const marketplaces = outputPresets.join(", ");
  return invalidPreset(
    `Preset "${clipName(name)}" not found: it is none of yours, and marketplaces' are ${marketplaces}.`,
  );
}

/** From the leader; undefined: there is none. */
async function findPreset(
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

/** The part of an edit, or of a row, that a preset fills in. */
interface Fillable {
  readonly tool: ToolId;
  readonly parameters: EditParameters;
  /** Id of one of the account's presets. */
  readonly preset?: string;
  readonly destination?: BucketFile;
}

/** The edit with its preset filled in; what it gives itself stays. Throws `invalid_request`. */
export async function applyPreset<T extends Fillable>(deps: { readonly log: Log }, realm: Realm, edit: T): Promise<T> {
  const { preset: name, ...given } = edit;
  if (name === undefined) return edit;
  const found = await findPreset(deps, { realm, name });
  if (found === undefined) throw unknownPreset(name);
  assertTool(name, found.value, given.tool);
  const { parameters, destination } = found.value;
  return {
    ...given,
    destination: given.destination ?? destination,
    // A preset may be older than a rule for its parameters; rows of batches are checked as well.
    parameters: checkParameters(given.tool, mergeParameters(parameters, given.parameters)),
  } as T;
}

/** The edit with the presets of its files filled in. Throws `invalid_request`. */
export async function applyOutputPresets<T extends Fillable>(
  deps: { readonly log: Log },
  realm: Realm,
  edit: T,
): Promise<T> {
  const presets = new Map<string, AccountPreset>();
  for (const name of ownPresetsOf(edit.parameters)) {
    const found = await findPreset(deps, { realm, name });
    if (found !== undefined) presets.set(name, found.value);
  }
  return { ...edit, parameters: fillOutputPresets(edit.tool, edit.parameters, presets) };
}

/**
 * An edit names marketplaces' presets in the same field: theirs are a parameter of `mask`. Throws `invalid_request` for
 * another tool, and for an edit that names two.
 */
export function foldBuiltInPreset<T extends Pick<Fillable, "tool" | "parameters" | "preset">>(edit: T): T {
  const { preset: name, ...given } = edit;
  if (name === undefined || !isBuiltInPreset(name)) return edit;
  assertTool(name, { tool: "mask" }, given.tool);
  const { preset: other = name } = given.parameters;
  if (other !== name) {
    throw invalidPreset(`"preset" is ${name} and "parameters.preset" is ${clipName(String(other))}: give one.`);
  }
  return { ...given, parameters: { ...given.parameters, preset: name } } as T;
}

function assertTool(name: string, { tool }: Pick<AccountPreset, "tool">, given: ToolId): void {
  if (tool !== given) throw invalidPreset(`The preset "${name}" is one of ${tool}, not of ${given}.`);
}
