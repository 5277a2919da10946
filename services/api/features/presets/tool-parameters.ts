/** Checks parameters that were put together here, of presets, batches and rows: those of a request are checked by its contract. */
import { type EditParameters, type ToolId, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { omitNullFields } from "../../http/null-fields.ts";
import { validationError } from "../../http/validation-messages.ts";

/** The parameters without fields that are null. Throws `invalid_request`. */
export function checkParameters(tool: ToolId, merged: unknown): EditParameters {
  const given = omitNullFields(merged, tools[tool].parameters, (schema) => schema);
  compiled ??= compileParameters();
  const validate = compiled[tool];
  if (!validate(given)) throw validationError(validate.errors, "parameter", "parameters.");
  return given as EditParameters;
}

/** Compiling takes 150 ms, as long as reading ten thousand rows: once for a process, and not where there is nothing to check. */
let compiled: Record<ToolId, ValidateFunction> | undefined;

function compileParameters(): Record<ToolId, ValidateFunction> {
  // As the contract compiles them: these are the schemas of the edit request.
  const ajv = new Ajv2020({ strict: false, useDefaults: true, verbose: true });
  return Object.fromEntries(toolIds.map((tool) => [tool, ajv.compile(tools[tool].parameters)])) as Record<
    ToolId,
    ValidateFunction
  >;
}
