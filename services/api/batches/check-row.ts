/** Turns a row as the file has it into one that can be handed out, or says what is wrong with it. */
import type { ErrorCode } from "@packshot/domain/errors.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { type EditParameters, isToolId, type ToolId, toolIds, tools } from "@packshot/domain/tools.ts";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { omitNullFields } from "../http/null-fields.ts";
import { unflattenFields } from "../http/unflatten-fields.ts";
import { invalidRequest, validationError } from "../http/validation-messages.ts";
import type { RawRow } from "./raw-row.ts";
import type { BatchRow, RowSource, ValidRow } from "./row.ts";

/** What rows are checked against. Plain data: it is handed to the thread that reads them. */
export interface RowRules {
  /** Of rows that name none. */
  readonly tool: ToolId | null;
  /** The batch's, for rows of its tool; a row's own parameters come before them. */
  readonly parameters: EditParameters;
  /** Those that the account's plan has. */
  readonly tools: readonly ToolId[];
  /** The names that `model` may have. */
  readonly models: readonly string[];
}

export interface RowCheck {
  /** Says what is wrong with a CSV file's columns; undefined: nothing. */
  checkColumns(columns: readonly string[]): string | undefined;
  /** `row`: its number from 0. Throws nothing: a wrong row has a `fault`. */
  check(raw: RawRow, row: number): BatchRow;
}

const refCharactersMax = 200;
const addressCharactersMax = 2_048;
const ownColumns = ["ref", "imageUrl", "uploadSessionId", "tool"] as const;
const parameterPrefix = "parameters.";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a ref must not have
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;
const connectionName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

interface RowFields {
  readonly ref: unknown;
  readonly imageUrl: unknown;
  readonly uploadSessionId: unknown;
  readonly tool: unknown;
  /** Of the tool, once that is known. */
  parameters(tool: ToolId): unknown;
}

export function createRowCheck(rules: RowRules): RowCheck {
  const validators = compileParameters();
  /** Most rows have no parameters of their own. */
  const defaults = new Map<ToolId, EditParameters>();

  function toolOf(given: unknown): ToolId {
    const tool = given ?? rules.tool;
    if (tool === null) throw invalidRequest('"tool" is missing, in the row and in the batch.');
    if (typeof tool !== "string" || !isToolId(tool)) {
      throw invalidRequest(`"tool" must be one of ${toolIds.map((id) => JSON.stringify(id)).join(", ")}.`);
    }
    if (rules.tools.includes(tool)) return tool;
    throw new PackshotError("tool_not_available", `The account's plan does not include the tool "${tool}".`);
  }

  function parametersOf(fields: RowFields, tool: ToolId): EditParameters {
    const own = fields.parameters(tool);
    const inherited = rules.tool === null || rules.tool === tool ? rules.parameters : {};
    const isDefault = own === undefined || (isObject(own) && Object.keys(own).length === 0);
    const known = isDefault ? defaults.get(tool) : undefined;
    if (known !== undefined) return known;
    const merged = own === undefined ? inherited : isObject(own) ? mergeParameters(inherited, own) : own;
    const parameters = omitNullFields(merged, tools[tool].parameters, (schema) => schema);
    const validate = validators[tool];
    if (!validate(parameters)) throw validationError(validate.errors, "parameter", parameterPrefix);
    const { model, backgroundImage } = parameters as EditParameters;
    if (backgroundImage !== undefined) throw invalidRequest('"parameters.backgroundImage" is not for rows of a batch.');
    if (model !== undefined && !rules.models.includes(model.split("@")[0]!)) {
      throw invalidRequest(`There is no model "${model}" here; there are ${rules.models.join(", ") || "none"}.`);
    }
    if (isDefault) defaults.set(tool, parameters as EditParameters);
    return parameters as EditParameters;
  }

  function checkFields(fields: RowFields, place: { readonly row: number; readonly line: number }): ValidRow {
    const ref = refOf(fields.ref);
    const source = sourceOf(fields);
    const tool = toolOf(fields.tool);
    return { ...place, ref, source, tool, parameters: parametersOf(fields, tool) };
  }

  return {
    checkColumns(columns) {
      if (!columns.includes("ref")) return 'The column "ref" is missing.';
      const unknown = columns.find((column) => column !== "" && !isKnownColumn(column));
      if (unknown === undefined) return undefined;
      return `Unknown column "${unknown}": the columns are ${ownColumns.join(", ")} and the parameters of the tools, such as output.format.`;
    },
    check(raw, row) {
      const place = { row, line: raw.line };
      const fields = raw.kind === "cells" ? fieldsOfCells(raw.fields) : fieldsOfValue(raw.value);
      try {
        if (raw.fault !== undefined) throw invalidRequest(raw.fault);
        if (fields === undefined) throw invalidRequest("The row is not a JSON object.");
        return checkFields(fields, place);
      } catch (error) {
        if (!(error instanceof PackshotError)) throw error;
        const { code, message } = error as { code: ErrorCode; message: string };
        const ref = typeof fields?.ref === "string" ? fields.ref.slice(0, refCharactersMax) : "";
        return { ...place, ref, fault: { code, message } };
      }
    },
  };
}

function compileParameters(): Record<ToolId, ValidateFunction> {
  // As the contract compiles them: these are the schemas of the edit request.
  const ajv = new Ajv2020({ strict: false, useDefaults: true, verbose: true });
  return Object.fromEntries(toolIds.map((tool) => [tool, ajv.compile(tools[tool].parameters)])) as Record<
    ToolId,
    ValidateFunction
  >;
}

function fieldsOfCells(cells: readonly (readonly [string, string])[]): RowFields {
  const cell = (name: string) => cells.find(([column]) => column === name)?.[1];
  const own = cells
    .filter(([column]) => !(ownColumns as readonly string[]).includes(column))
    .map(([column, text]) => [withoutPrefix(column), text.trim()] as const);
  return {
    ref: cell("ref")?.trim(),
    imageUrl: cell("imageUrl")?.trim(),
    uploadSessionId: cell("uploadSessionId")?.trim(),
    tool: cell("tool")?.trim(),
    parameters: (tool) => (own.length === 0 ? undefined : unflattenFields(own, tools[tool].parameters)),
  };
}

const valueFields: readonly string[] = [...ownColumns, "preset", "parameters"];

function fieldsOfValue(value: unknown): RowFields | undefined {
  if (!isObject(value)) return undefined;
  const { ref, imageUrl, uploadSessionId, tool, preset, parameters } = value;
  return {
    ...{ ref, imageUrl: imageUrl ?? undefined, uploadSessionId: uploadSessionId ?? undefined, tool },
    parameters() {
      const unknown = Object.keys(value).find((name) => !valueFields.includes(name));
      if (unknown !== undefined) throw invalidRequest(`Unknown field "${unknown}".`);
      if (parameters !== undefined && parameters !== null && !isObject(parameters)) {
        throw invalidRequest('"parameters" must be of type object.');
      }
      if (preset === undefined || preset === null) return parameters ?? undefined;
      return { ...(parameters as object | undefined | null), preset };
    },
  };
}

function refOf(ref: unknown): string {
  if (ref === undefined || ref === null || ref === "") throw invalidRequest('"ref" is missing.');
  if (typeof ref !== "string") throw invalidRequest('"ref" must be of type string.');
  if (ref.length > refCharactersMax) throw invalidRequest(`"ref" has more than ${refCharactersMax} characters.`);
  if (controlCharacter.test(ref)) throw invalidRequest('"ref" has a control character or a line break.');
  if (ref.includes("\ufffd")) throw invalidRequest('"ref" is not valid UTF-8: save the file as UTF-8.');
  return ref;
}

function sourceOf({ imageUrl, uploadSessionId }: RowFields): RowSource {
  if (imageUrl !== undefined && uploadSessionId !== undefined) {
    throw invalidRequest("Give one source: imageUrl or uploadSessionId.");
  }
  if (typeof uploadSessionId === "string") return { kind: "upload", uploadId: uploadSessionId };
  if (imageUrl === undefined && uploadSessionId === undefined) throw invalidRequest('"imageUrl" is missing.');
  if (typeof imageUrl !== "string") throw invalidRequest('"imageUrl" must be of type string.');
  if (imageUrl.length > addressCharactersMax) {
    throw invalidRequest(`"imageUrl" has more than ${addressCharactersMax} characters.`);
  }
  if (/^s3:\/\//i.test(imageUrl)) return connectionSource(imageUrl);
  const url = URL.parse(imageUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || /\s/.test(imageUrl)) {
    throw invalidRequest('"imageUrl" must be a URL of http, https or s3://connection/key.');
  }
  return { kind: "url", imageUrl };
}

function connectionSource(address: string): RowSource {
  const rest = address.slice("s3://".length);
  const slash = rest.indexOf("/");
  const [connection, key] = slash < 0 ? [rest, ""] : [rest.slice(0, slash), rest.slice(slash + 1)];
  if (!connectionName.test(connection)) throw invalidRequest('"imageUrl": after s3:// comes the name of a connection.');
  if (key === "") throw invalidRequest('"imageUrl": after s3:// and the connection comes the key of an object.');
  return { kind: "connection", connection, key };
}

/** A row's nested parameters, such as `output`, come before the batch's field by field. */
function mergeParameters(inherited: EditParameters, own: Readonly<Record<string, unknown>>): object {
  const merged: Record<string, unknown> = { ...inherited };
  for (const [name, value] of Object.entries(own)) {
    const below = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const both = isObject(below) && isObject(value) ? { ...below, ...value } : value;
    Object.defineProperty(merged, name, { value: both, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

function isKnownColumn(column: string): boolean {
  if ((ownColumns as readonly string[]).includes(column)) return true;
  const path = withoutPrefix(column).split(".");
  return toolIds.some((tool) => hasPath(tools[tool].parameters, path));
}

function hasPath(schema: unknown, [name, ...rest]: readonly string[]): boolean {
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  if (name === undefined || !Object.hasOwn(properties, name)) return false;
  return rest.length === 0 || hasPath(properties[name], rest);
}

function withoutPrefix(column: string): string {
  return column.startsWith(parameterPrefix) ? column.slice(parameterPrefix.length) : column;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
