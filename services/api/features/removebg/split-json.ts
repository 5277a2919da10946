/** Takes one long string out of a JSON body while it arrives, so that no process holds a photo's base64 as a text. */
import { badBody, type FieldSplitter, givenTwice } from "./split-urlencoded.ts";

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
