/** The kinds of rows that the table of settings has. */

import { readFileSync } from "node:fs";

export interface Row<T> {
  readonly default: T | undefined;
  readonly doc: string;
  /** Throws an error that says what is allowed. */
  readonly parse: (text: string) => T;
  /** Throws an error that says what is wrong with the file that the value names; called where a process needs the setting. */
  readonly checkFile?: (path: string) => void;
  /** The process works without it. */
  readonly optional?: boolean;
  readonly secret?: boolean;
  /** Not the operator's: tests lower it, or one process sets it for another. The document leaves it out. */
  readonly internal?: boolean;
}

/** The same row, as one that operators neither know nor set. */
export function internal<T>(row: Row<T>): Row<T> {
  return { ...row, internal: true };
}

export function text(fallback: string, doc: string): Row<string> {
  return { default: fallback, doc, parse: (value) => value };
}

export function oneOf<const T extends string>(fallback: T, allowed: readonly T[], doc: string): Row<T> {
  return {
    default: fallback,
    doc,
    parse(value) {
      const match = allowed.find((choice) => choice === value);
      if (match === undefined) throw new Error(`must be one of ${allowed.join(", ")}`);
      return match;
    },
  };
}

/** The address may have a path, for a proxy that serves Packshot below one. */
export function webAddress(fallback: string, doc: string): Row<string> {
  return {
    default: fallback,
    doc,
    parse(value) {
      const url = URL.parse(value);
      if (!/^https?:$/.test(url?.protocol ?? "") || url?.search || url?.hash)
        throw new Error("must be an address like https://packshot.example");
      return value;
    },
  };
}

export function optionalText(doc: string): Row<string | undefined> {
  return { default: undefined, optional: true, doc, parse: (value) => value };
}

/** A file that a process reads once, at its start; `read` throws what is wrong with it. */
export function optionalFile(doc: string, read: (path: string) => unknown = readNamedFile): Row<string | undefined> {
  return { ...optionalText(doc), checkFile: (path) => void read(path) };
}

/** Throws an error that names the file, to stand behind the setting's name. */
export function readNamedFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Long enough that nobody guesses it; a header cannot carry spaces in it. */
export function bearerToken(lengthMin: number, doc: string): Row<string | undefined> {
  return {
    ...optionalText(`${doc} At least ${lengthMin} characters without spaces.`),
    secret: true,
    parse(value) {
      if (value.length < lengthMin || /\s/.test(value)) {
        throw new Error(`must have at least ${lengthMin} characters and no spaces`);
      }
      return value;
    },
  };
}

/** Several while one is rotated, comma-separated: the receiver accepts each, and the sender uses the first. */
export function bearerTokens(lengthMin: number, doc: string): Row<readonly string[]> {
  const one = bearerToken(lengthMin, doc);
  return {
    default: [],
    secret: true,
    doc: one.doc,
    parse: (value) => value.split(",").map((part) => one.parse(part.trim())!),
  };
}

export function integer(fallback: number, min: number, max: number, doc: string): Row<number> {
  return {
    default: fallback,
    doc: `${doc} (${min}–${max})`,
    parse(value) {
      const parsed = Number(value);
      if (!Number.isInteger(parsed) || parsed < min || parsed > max)
        throw new Error(`must be a whole number from ${min} to ${max}`);
      return parsed;
    },
  };
}

export function list(fallback: readonly string[], doc: string): Row<readonly string[]> {
  return {
    default: fallback,
    doc,
    parse: (value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
  };
}

/** Origins of web pages as browsers send them, comma-separated; `*` alone for any. */
export function origins(doc: string): Row<readonly string[]> {
  const all = list([], doc);
  return {
    ...all,
    parse(value) {
      const given = all.parse(value);
      const isOrigin = (one: string) => one === "*" || URL.parse(one)?.origin === one;
      const patterns = given.filter((one) => one !== "*" && one.includes("*"));
      if (patterns.length > 0)
        throw new Error(`must be whole origins: ${patterns.join(", ")} would match none; name each, or give * alone`);
      if (!given.every(isOrigin)) throw new Error("must be origins like https://shop.example, without a path, or *");
      if (given.includes("*") && given.length > 1) throw new Error("must be * alone, or origins without it");
      return given;
    },
  };
}

export function flag(fallback: boolean, doc: string): Row<boolean> {
  return {
    default: fallback,
    doc: `${doc} (1 or 0)`,
    parse(value) {
      if (value === "1" || value === "true") return true;
      if (value === "0" || value === "false") return false;
      throw new Error("must be 1 or 0");
    },
  };
}

/** 32 bytes or more, as hex or base64; several, comma-separated, during rotation: the first one is used to write. */
export function keys(doc: string): Row<readonly Buffer[]> {
  return {
    default: undefined,
    secret: true,
    doc,
    parse(value) {
      return value.split(",").map((part) => {
        const bytes = Buffer.from(part.trim(), /^[0-9a-f]+$/i.test(part.trim()) ? "hex" : "base64");
        if (bytes.length < 32) throw new Error("must be at least 32 bytes in hex or base64");
        return bytes;
      });
    },
  };
}

/** A share from 0 to 1. */
export function ratio(fallback: number, doc: string): Row<number> {
  return {
    default: fallback,
    doc: `${doc} (0–1)`,
    parse(value) {
      const parsed = Number(value);
      if (!(parsed >= 0 && parsed <= 1)) throw new Error("must be a number from 0 to 1");
      return parsed;
    },
  };
}

export function optionalWebAddress(doc: string): Row<string | undefined> {
  return { ...optionalText(doc), parse: webAddress("", doc).parse };
}
