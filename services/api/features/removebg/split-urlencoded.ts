/** Takes one long field out of a urlencoded body while it arrives, so that no process holds a photo's base64 as a text. */
import { PackshotError } from "@packshot/domain/errors.ts";

export const splitUrlencoded: FieldSplitter = (longField, restLengthMax) => {
  let kept = "";
  /** The text of the long field that has not been decoded yet: an escape may be cut in two. */
  let pending = "";
  let isLong = false;
  let wasTaken = false;

  /** Moves on to the next field when the long one ends in the text. */
  function takeLong(text: string): { readonly value: string; readonly rest: string } {
    const end = text.indexOf("&");
    const value = pending + (end === -1 ? text : text.slice(0, end));
    isLong = end === -1;
    const whole = isLong ? value.length - cutEscapeLength(value) : value.length;
    pending = value.slice(whole);
    return { value: decoded(value.slice(0, whole)), rest: end === -1 ? "" : text.slice(end) };
  }

  return {
    take(text) {
      let value = "";
      let rest = text;
      while (rest !== "") {
        if (isLong) {
          const taken = takeLong(rest);
          value += taken.value;
          rest = taken.rest;
          continue;
        }
        kept += rest;
        const start = startOf(kept, longField);
        rest = start === -1 ? "" : kept.slice(start);
        if (start !== -1) {
          if (wasTaken) throw givenTwice(longField);
          kept = kept.slice(0, start);
          isLong = true;
          wasTaken = true;
        }
        if (kept.length > restLengthMax) throw badBody("The fields are too long.");
      }
      return value;
    },

    end() {
      const value = decoded(pending);
      const fields = new Map<string, unknown>();
      for (const [name, text] of new URLSearchParams(kept)) {
        if (name === longField) continue;
        if (fields.has(name)) throw givenTwice(name);
        fields.set(name, text);
      }
      return { value, fields: Object.fromEntries(fields) };
    },
  };
};

/** A plus that is not escaped would stand for a space, which no base64 has: clients that forgot to escape it mean a plus. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badBody("The body is not valid percent-encoding.");
  }
}

/** Length of an escape at the text's end that is not whole: `%` or `%2`. */
function cutEscapeLength(text: string): number {
  const at = text.lastIndexOf("%");
  return at !== -1 && text.length - at < 3 ? text.length - at : 0;
}

/** Where the field's value begins, -1 if it has not begun. A name that was taken out is followed by `&` or the end. */
function startOf(kept: string, field: string): number {
  const name = `${field}=`;
  for (let at = kept.indexOf(name); at !== -1; at = kept.indexOf(name, at + 1)) {
    const isName = at === 0 || kept[at - 1] === "&";
    if (isName && kept[at + name.length] !== "&") return at + name.length;
  }
  return -1;
}

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
