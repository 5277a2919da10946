import { clipName } from "@packshot/domain/errors.ts";
import { type AccountPreset, isBuiltInPreset, mergeParameters } from "@packshot/domain/presets/account-preset.ts";
import type { BucketFile } from "@packshot/domain/connections/bucket-key.ts";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Realm } from "../../access/caller.ts";
import { findPreset, invalidPreset } from "./preset-actions.ts";

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
  if (found === undefined) {
    throw invalidPreset(`Preset "${clipName(name)}" not found.`);
  }
  assertTool(name, found.value, given.tool);
  const { parameters, destination } = found.value;
  return {
    ...(destination === undefined ? {} : { destination }),
    ...given,
    parameters: mergeParameters(parameters, given.parameters),
  } as T;
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
