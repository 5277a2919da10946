/** Takes one long string out of a JSON body while it arrives, so that no process holds a photo's base64 as a text. */
import { badBody, type FieldSplitter, givenTwice } from "./field-splitter.ts";

/**
 * Only strings and the depth of braces matter: the text without the long string's content goes to the JSON parser, which
 * finds every other fault.
 */
export const splitJson: FieldSplitter = (longField, restLengthMax) => {
  let kept = "";
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** Where the last string of the outermost object began, to tell whether it was the long field's name. */
  let stringStart = -1;
  let isNamed = false;
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

  /** Keeps one character of the rest. Returns whether the long string begins after it. */
  function keep(char: string): boolean {
    kept += char;
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (char === "\\") isEscaped = true;
      else if (char === '"') {
        inString = false;
        if (depth === 1) isNamed = kept.slice(stringStart) === JSON.stringify(longField);
      }
      return false;
    }
    if (char === '"') {
      inString = true;
      const begins = isNamed && depth === 1 && kept.slice(0, -1).trimEnd().endsWith(":");
      stringStart = kept.length - 1;
      isNamed = false;
      return begins;
    }
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    return false;
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
        let at = 0;
        while (at < rest.length && !isLong) isLong = keep(rest[at++]!);
        rest = rest.slice(at);
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

/** The next quote or backslash; the text's length if there is none. */
function indexOfStop(text: string, from: number): number {
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
