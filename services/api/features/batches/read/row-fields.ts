/** What a row's cells, or the members of its object, are. Nothing of it is checked yet but that there is nothing else. */

import {
  type BucketFile,
  baseNameOf,
  fillKey,
  hasPlaceholder,
  type KeyValues,
} from "@packshot/domain/connections/bucket-key.ts";
import { type ToolId, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { clipName } from "@packshot/domain/errors.ts";
import { unflattenFields } from "../../../http/unflatten-fields.ts";
import { invalidRequest } from "../../../http/validation-messages.ts";
import { sourceUrl, type ValidRow } from "../rows/row.ts";
import type { RawRow } from "./raw-row.ts";

/** Each as the row has it; undefined: it has none. */
export interface RowFields {
  readonly ref: unknown;
  readonly imageUrl: unknown;
  readonly uploadSessionId: unknown;
  readonly tool: unknown;
  readonly preset: unknown;
  readonly destination: unknown;
  /** Parameters depend on the tool, so the tool is found out first. */
  parameters(tool: ToolId): unknown;
}

const ownColumns = ["ref", "imageUrl", "uploadSessionId", "tool", "preset"] as const;
const destinationPrefix = "destination.";
const destinationColumns = ["destination.connection", "destination.key"] as const;
const parameterPrefix = "parameters.";
const knownMembers: readonly string[] = [...ownColumns, "destination", "parameters"];

/** Says what is wrong with a CSV file's columns; undefined: nothing. */
export function columnsProblem(columns: readonly string[]): string | undefined {
  if (!columns.includes("ref")) return 'The column "ref" is missing.';
  const unknown = columns.find((column) => column !== "" && !isKnownColumn(column));
  if (unknown === undefined) return undefined;
  const known = [...ownColumns, ...destinationColumns].join(", ");
  return `Unknown column "${clipName(unknown)}": the columns are ${known} and the parameters of the tools, such as output.format.`;
}

/** undefined: the row is no object. */
export function fieldsOf(raw: RawRow): RowFields | undefined {
  return raw.kind === "cells" ? fieldsOfCells(raw.fields) : fieldsOfValue(raw.value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOfCells(cells: readonly (readonly [string, string])[]): RowFields {
  const cell = (name: string) => cells.find(([column]) => column === name)?.[1]?.trim();
  const own = cells
    .filter(([column]) => !isOwnColumn(column))
    .map(([column, text]) => [withoutPrefix(column), text.trim()] as const);
  const destination = destinationColumns.flatMap((column) => {
    const text = cell(column);
    return text === undefined ? [] : [[column.slice(destinationPrefix.length), text] as const];
  });
  return {
    ref: cell("ref"),
    imageUrl: cell("imageUrl"),
    uploadSessionId: cell("uploadSessionId"),
    tool: cell("tool"),
    preset: cell("preset"),
    destination: destination.length === 0 ? undefined : Object.fromEntries(destination),
    parameters: (tool) => (own.length === 0 ? undefined : unflattenFields(own, tools[tool].parameters)),
  };
}

function fieldsOfValue(value: unknown): RowFields | undefined {
  if (!isObject(value)) return undefined;
  const { ref, imageUrl, uploadSessionId, tool, preset, destination, parameters } = value;
  return {
    ref,
    imageUrl: imageUrl ?? undefined,
    uploadSessionId: uploadSessionId ?? undefined,
    tool: tool ?? undefined,
    preset: preset ?? undefined,
    destination: destination ?? undefined,
    parameters() {
      const unknown = Object.keys(value).find((name) => !knownMembers.includes(name));
      if (unknown !== undefined) throw invalidRequest(`Unknown field "${clipName(unknown)}".`);
      if (parameters !== undefined && parameters !== null && !isObject(parameters)) {
        throw invalidRequest('"parameters" must be of type object.');
      }
      return parameters ?? undefined;
    },
  };
}

function isOwnColumn(column: string): boolean {
  return ([...ownColumns, ...destinationColumns] as readonly string[]).includes(column);
}

function isKnownColumn(column: string): boolean {
  if (isOwnColumn(column)) return true;
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

/** Where the result of a row goes: its own bucket and key, or else those of its preset, or else those of its batch. */
type PlacedRow = Pick<ValidRow, "ref" | "tool" | "parameters" | "source" | "destination">;

/** Stands for what is not known before a row is handed out. */
const sampleId = "00000000-0000-7000-8000-000000000000";

/**
 * What a row gives comes before `inherited`, field by field, so that a row may name a key alone. Throws `invalid_request`.
 */
export function readDestination(own: unknown, inherited: BucketFile | undefined): BucketFile | undefined {
  if (own === undefined) return inherited;
  if (!isObject(own)) throw invalidRequest('"destination" must be of type object.');
  const unknown = Object.keys(own).find((name) => name !== "connection" && name !== "key");
  if (unknown !== undefined) throw invalidRequest(`Unknown field "destination.${clipName(unknown)}".`);
  const text = (name: "connection" | "key") => {
    const value = own[name] ?? inherited?.[name];
    if (value === undefined) throw invalidRequest(`"destination.${name}" is missing.`);
    if (typeof value !== "string") throw invalidRequest(`"destination.${name}" must be of type string.`);
    return value;
  };
  return { connection: text("connection"), key: text("key") };
}

/**
 * Throws `invalid_request` for a key that this row cannot have. Returns what no two rows may share; undefined: the key has
 * something that only this row's job has, or that is not known before it is handed out.
 */
export function placeOfRow(row: PlacedRow): string | undefined {
  const { destination } = row;
  if (destination === undefined) return undefined;
  const isUpload = row.source.kind === "upload";
  const name = isUpload ? "x" : nameOf(row);
  const { connection, key } = placeResult(row, { jobId: sampleId, batchId: sampleId, name });
  const isUnknown = hasPlaceholder(destination.key, "jobId") || (isUpload && hasPlaceholder(destination.key, "name"));
  // Another row may have the name of this one's first file in its key.
  const placed = key.replaceAll("{output}", row.parameters.outputs?.[0]?.name ?? "");
  return isUnknown ? undefined : `${connection}/${placed}`;
}

/** `{output}` and `{ext}` stay until the result is known. `name`: of an upload's file. Throws `invalid_request`. */
export function placeResult(
  row: PlacedRow,
  { name = nameOf(row), ...ids }: Pick<KeyValues, "jobId" | "batchId" | "name">,
): BucketFile {
  const { connection, key } = row.destination!;
  const output = row.parameters.outputs?.[0]?.name;
  return { connection, key: fillKey(key, { ...ids, name, tool: row.tool, ref: row.ref, output }) };
}

/** The name of the file at the row's address. */
function nameOf({ source }: PlacedRow): string | undefined {
  return source.kind === "upload" ? undefined : baseNameOf(sourceUrl(source));
}
