/**
 * Presets of an account's own that the files of an edit name: filled in, like a preset of the whole edit, before the edit is
 * checked. A file takes from one what a file may have.
 */
import { type EditParameters, type OutputRequest, outputPresets, type ToolId } from "../edits/tools.ts";
import { clipName, PackshotError } from "../errors.ts";
import { type AccountPreset, isBuiltInPreset, mergeParameters } from "./account-preset.ts";

type FilePreset = Pick<AccountPreset, "tool" | "parameters">;

const fieldsOfFile = ["preset", "output", "shadow", "background"] as const;

/** Names of presets of the account's own, each once. */
export function ownPresetsOf({ outputs = [] }: EditParameters): string[] {
  const names = outputs.flatMap(({ preset }) => (preset === undefined || isBuiltInPreset(preset) ? [] : [preset]));
  return [...new Set<string>(names)];
}

/** Throws `invalid_request` for a preset that there is not, or that has what a file cannot have. */
export function fillOutputPresets(
  tool: ToolId,
  parameters: EditParameters,
  presets: ReadonlyMap<string, FilePreset>,
): EditParameters {
  const { outputs } = parameters;
  if (outputs === undefined || ownPresetsOf(parameters).length === 0) return parameters;
  return { ...parameters, outputs: outputs.map((output, index) => fillOutput(tool, output, index, presets)) };
}

function fillOutput(
  tool: ToolId,
  { preset: name, ...given }: OutputRequest,
  index: number,
  presets: ReadonlyMap<string, FilePreset>,
): OutputRequest {
  if (name === undefined || isBuiltInPreset(name)) return name === undefined ? given : { ...given, preset: name };
  const refuse = (problem: string) => {
    const details = { field: `parameters.outputs.${index}.preset` };
    return new PackshotError("invalid_request", `The preset of the file "${given.name}" ${problem}`, { details });
  };
  const found = presets.get(name);
  if (found === undefined) {
    throw refuse(
      `is not there: "${clipName(name)}" is none of yours, and marketplaces' are ${outputPresets.join(", ")}.`,
    );
  }
  const castsShadow = tool === "mask" && found.tool === "ai-shadows";
  const isDrawnByMask = found.parameters.preset !== undefined;
  if (found.tool !== tool && !castsShadow && !isDrawnByMask) {
    throw refuse(`is one of ${found.tool}, not of ${tool}: name one of ${tool}.`);
  }
  const other = Object.keys(found.parameters).find((field) => !(fieldsOfFile as readonly string[]).includes(field));
  if (other !== undefined) {
    throw refuse(`has "${other}", which is of a whole edit: name one that has only ${fieldsOfFile.join(", ")}.`);
  }
  const { imageUrl, uploadSessionId } = found.parameters.background ?? {};
  if ((imageUrl ?? uploadSessionId) !== undefined) {
    throw refuse("has a background picture, which is of a whole edit: give the picture there.");
  }
  const own = { ...(castsShadow && { shadow: {} }), ...found.parameters };
  return mergeParameters(own, given as EditParameters) as OutputRequest;
}
