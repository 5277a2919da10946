/** Takes one long string out of a JSON body while it arrives, so that no process holds a photo's base64 as a text. */
import { PackshotError } from "@packshot/domain/errors.ts";

/**
 * Only strings and the depth of braces matter: the text without the long string's content goes to the JSON parser, which
 * finds every other fault.
 */
export const splitJson: FieldSplitter = (longField, restLengthMax) => {
  let kept = "";
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** The string of the outermost object that is read, with its quotes, as far as it may be the long field's name. */
  let string = "";
  const quotedName = JSON.stringify(longField);
  /** The last string was the long field's name: what follows it, up to the next string, is a colon and space. */
  let isNamed = false;
  let hasColon = false;
  /** Inside the long string. */
  let isLong = false;
  /** An escape of the long string that was cut by the end of a chunk. */
  let pending = "";
  let wasTaken = false;

  function takeLong(text: string): { readonly value: string; readonly rest: string } {
    const whole = pending + text;
    let value = "";
    let at = 0;
    while (at < whole.length) {
      const stop = indexOfStop(whole, at);
      value += whole.slice(at, stop);
      at = stop;
      if (whole[at] === '"') {
        isLong = false;
        pending = "";
        return { value, rest: whole.slice(at) };
      }
      if (whole[at] !== "\\") break;
      const length = whole[at + 1] === "u" ? 6 : 2;
      if (at + length > whole.length) break;
      value += unescaped(whole.slice(at, at + length));
      at += length;
    }
    pending = whole.slice(at);
    return { value, rest: "" };
  }

  /**
   * Keeps the rest up to the long string, or all of it, and returns how much. What is kept is never looked at again: it may be
   * many strings long.
   */
  function keep(text: string): number {
    let at = 0;
    while (at < text.length && !isLong) at = inString ? keepString(text, at) : keepBetween(text, at);
    kept += text.slice(0, at);
    return at;
  }

  /** Up to the end of the string that began before. */
  function keepString(text: string, from: number): number {
    let at = from;
    if (isEscaped) {
      isEscaped = false;
      at += 1;
    }
    for (at = indexOfStop(text, at); text[at] === "\\"; at = indexOfStop(text, at)) at += 2;
    isEscaped = at > text.length;
    const end = Math.min(text.length, at + 1);
    if (string.length <= quotedName.length)
      string += text.slice(from, from + Math.min(end - from, quotedName.length + 1));
    if (text[at] !== '"') return end;
    inString = false;
    isNamed = depth === 1 && string === quotedName;
    hasColon = false;
    return end;
  }

  /** Up to the next string, with its quote. */
  function keepBetween(text: string, from: number): number {
    const char = text[from]!;
    if (char === '"') {
      inString = true;
      string = char;
      isLong = isNamed && hasColon && depth === 1;
      isNamed = false;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === ":") hasColon = true;
    else if (char.trim() !== "") hasColon = false;
    return from + 1;
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
          // The closing quote ends the string in what is kept, too.
          continue;
        }
        rest = rest.slice(keep(rest));
        if (isLong && wasTaken) throw givenTwice(longField);
        wasTaken ||= isLong;
        if (kept.length > restLengthMax) throw badBody("The fields are too long.");
      }
      return value;
    },

    end() {
      if (isLong) throw badBody("The body is not valid JSON: it ends within a string.");
      return { value: "", fields: parseObject(kept) };
    },
  };
};

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text === "" ? "{}" : text);
  } catch (error) {
    throw badBody(`The body is not valid JSON: ${(error as Error).message}.`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw badBody("The body must be a JSON object.");
  }
  return parsed as Readonly<Record<string, unknown>>;
}

/** The next quote or backslash; the text's length if there is none, and `from` if that lies behind it. */
function indexOfStop(text: string, from: number): number {
  if (from > text.length) return from;
  const stop = /["\\]/g;
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

/** Some encoders write a slash as `\/`, and a plus as `\u002B`. */
function unescaped(sequence: string): string {
  try {
    return JSON.parse(`"${sequence}"`) as string;
  } catch {
    throw badBody("The body is not valid JSON: it has an unknown escape.");
  }
}

/** Takes one long field out of a urlencoded body while it arrives, so that no process holds a photo's base64 as a text. */

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

function givenTwice(field: string): PackshotError {
  return badBody(`The field "${field}" is given twice.`, field);
}
