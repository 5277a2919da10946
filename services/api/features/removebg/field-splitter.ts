/** What the parsers of urlencoded and JSON bodies have in common. */
import { PackshotError } from "@packshot/domain/errors.ts";

/** Parses a body as it arrives and separates one long field, which may be larger than memory allows, from the others. */
export type FieldSplitter = (longField: string, restLengthMax: number) => FieldSplit;

/** Both throw `invalid_request` for a body that cannot be parsed, or whose other fields are longer than they may be. */
export interface FieldSplit {
  /** Returns the part of the long field's value that the text completes. */
  take(text: string): string;
  /** The rest of that value, and the other fields. */
  end(): { readonly value: string; readonly fields: Readonly<Record<string, unknown>> };
}

export function badBody(message: string, field?: string): PackshotError {
  return new PackshotError("invalid_request", message, field === undefined ? {} : { details: { field } });
}

export function givenTwice(field: string): PackshotError {
  return badBody(`The field "${field}" is given twice.`, field);
}
