/** What all rows of a batch have that give nothing else: of the request, and of the preset that it names. */

import { assertKeyTemplate, type BucketFile } from "@packshot/domain/connections/bucket-key.ts";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isBuiltInPreset, mergeParameters } from "@packshot/domain/presets/account-preset.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { foldBuiltInPreset, invalidPreset, unknownPreset } from "../presets/preset-actions.ts";
import type { PresetDefaults, RowRules } from "./read/check-row.ts";
import { type RowRulesDeps, readRowRules } from "./read/check-row.ts";
import { checkItems } from "./read/read-rows.ts";

export interface BatchDefaults {
  readonly tool?: ToolId;
  readonly parameters?: EditParameters;
  /** One of the account's own, or a marketplace's. */
  readonly preset?: string;
  readonly destination?: BucketFile;
}

const sampleItem = { ref: "sample", imageUrl: "https://sample.invalid/sample.jpg" };

/**
 * The rules for the rows, with the batch's defaults in them: later changes of the preset do not touch the batch. Throws
 * `invalid_request`, for parameters that the batch's tool does not take, a preset or a connection that there is not.
 */
export async function batchRules(deps: RowRulesDeps, caller: Caller, given: BatchDefaults): Promise<RowRules> {
  const known = await readRowRules(deps, realmOf(caller), caller.account);
  const { tool, parameters, destination } = applyPreset(known.presets, given);
  const rules: RowRules = { ...known, tool: tool ?? null, parameters, destination };
  if (destination !== undefined) assertDestination(destination, known.connections);
  if (tool === undefined) return rules;
  // A key may have what only rows have, as their files' names.
  const { destination: _, ...sampleRules } = rules;
  const [fault] = checkItems([sampleItem], sampleRules).summary.faults;
  if (fault !== undefined) throw new PackshotError(fault.code, fault.message);
  return rules;
}

function applyPreset(presets: Readonly<Record<string, PresetDefaults>>, given: BatchDefaults) {
  const { tool, parameters = {}, preset: name, destination } = given;
  if (name === undefined) return { tool, parameters, destination };
  if (isBuiltInPreset(name)) {
    return { ...foldBuiltInPreset({ tool: tool ?? "mask", parameters, preset: name }), destination };
  }
  if (!Object.hasOwn(presets, name)) throw unknownPreset(name);
  const preset = presets[name]!;
  if (tool !== undefined && tool !== preset.tool) {
    throw invalidPreset(`The preset "${name}" is one of ${preset.tool}, not of ${tool}.`);
  }
  return {
    tool: preset.tool,
    parameters: mergeParameters(preset.parameters, parameters),
    destination: destination ?? preset.destination,
  };
}

function assertDestination({ connection, key }: BucketFile, connections: readonly string[]): void {
  assertKeyTemplate(key);
  if (connections.includes(connection)) return;
  throw new PackshotError("invalid_request", `Connection "${connection}" not found: GET /v1/connections lists yours.`, {
    details: { field: "destination.connection" },
  });
}
