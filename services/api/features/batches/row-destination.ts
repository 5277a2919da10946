/** Where the result of a row goes: its own bucket and key, or else those of its preset, or else those of its batch. */
import { clipName } from "@packshot/domain/errors.ts";
import {
  type BucketFile,
  baseNameOf,
  fillKey,
  hasPlaceholder,
  type KeyValues,
} from "@packshot/domain/connections/bucket-key.ts";
import { isObject } from "./row-fields.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { sourceUrl, type ValidRow } from "./row.ts";

type PlacedRow = Pick<ValidRow, "ref" | "tool" | "source" | "destination">;

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
  return isUnknown ? undefined : `${connection}/${key}`;
}

/** `{ext}` stays until the result's format is known. `name`: of an upload's file. Throws `invalid_request`. */
export function placeResult(
  row: PlacedRow,
  { name = nameOf(row), ...ids }: Pick<KeyValues, "jobId" | "batchId" | "name">,
): BucketFile {
  const { connection, key } = row.destination!;
  return { connection, key: fillKey(key, { ...ids, name, tool: row.tool, ref: row.ref }) };
}

/** The name of the file at the row's address. */
function nameOf({ source }: PlacedRow): string | undefined {
  return source.kind === "upload" ? undefined : baseNameOf(sourceUrl(source));
}
