/**
 * `packshot.json`, a model's manifest: the origin and the license of its weights, and how its input and output are
 * used.
 */
import type { PostProcessing, PreProcessing } from "./wrap-for-bytes.ts";

/** The file as published by its authors, before it is wrapped. */
export interface WeightsSource {
  readonly url: string;
  readonly sizeBytes: number | null;
  /** Lower-case hex; null where this project could not download and hash the file. */
  readonly sha256: string | null;
  /** Lower-case hex, as its publisher lists it (rembg's source); null where there is none. Without a hash it checks a pull. */
  readonly md5: string | null;
  /** True: this project has not downloaded the file. Without a checksum, the operator must give the hash to pull it. */
  readonly unverified: boolean;
}

export interface ModelManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** SPDX identifier of the weights' license. */
  readonly license: string;
  readonly trainedOn: string;
  /** null: this project trained the weights. */
  readonly source: WeightsSource | null;
  readonly pre: PreProcessing;
  readonly post: PostProcessing;
  /** Quality of the network's own matte on the project's test photos (`plain` in bench/results); null: not measured. */
  readonly score: Readonly<Record<string, number>> | null;
}

/** Throws an error that names the file and the field. */
export function parseManifest(text: string, file: string): ModelManifest {
  const field = fieldsOfJson(text, file);
  const pre = fieldsOf(field("pre", isObject, "an object"), `${file} pre`);
  const post = fieldsOf(field("post", isObject, "an object"), `${file} post`);
  const channels = pre("channels", oneOf("rgb", "rgb+backdrop"), "rgb or rgb+backdrop");
  const count = channels === "rgb" ? 3 : 4;
  const perChannel = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === count && value.every((x) => typeof x === "number" && Number.isFinite(x));
  const side = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 8 && (value as number) <= 4096;
  return {
    name: field("name", (v): v is string => isText(v) && /^[a-z0-9][a-z0-9._-]*$/.test(v), "a name in lower case"),
    version: field("version", isText, "a version's name"),
    description: field("description", isText, "a text"),
    license: field("license", isText, "an SPDX identifier"),
    trainedOn: field("trainedOn", isText, "a text"),
    source: sourceOf(
      field("source", (v): v is object | null => v === null || isObject(v), "an object or null"),
      file,
    ),
    pre: {
      width: pre("width", side, "8 to 4096"),
      height: pre("height", side, "8 to 4096"),
      channels,
      divideBy: pre("divideBy", oneOf("255", "image-maximum"), '"255" or "image-maximum"'),
      mean: pre("mean", perChannel, `${count} numbers`),
      std: pre("std", (v): v is number[] => perChannel(v) && v.every((x) => x > 0), `${count} numbers above 0`),
    },
    post: {
      output: post("output", (v): v is string | null => v === null || isText(v), "an output's name or null"),
      activation: post("activation", oneOf("none", "sigmoid"), "none or sigmoid"),
      range: post("range", oneOf("none", "image-min-max"), "none or image-min-max"),
    },
    score: field("score", (v): v is Record<string, number> | null => v === null || isObject(v), "an object or null"),
  };
}

function sourceOf(source: object | null, file: string): WeightsSource | null {
  if (source === null) return null;
  const field = fieldsOf(source, `${file} source`);
  const parsed = {
    url: field("url", (v): v is string => isText(v) && URL.canParse(v), "an address"),
    sizeBytes: field(
      "sizeBytes",
      (v): v is number | null => v === null || (Number.isSafeInteger(v) && (v as number) > 0),
      "bytes or null",
    ),
    sha256: field(
      "sha256",
      (v): v is string | null => v === null || (isText(v) && isSha256(v)),
      "64 hex digits or null",
    ),
    md5:
      field(
        "md5",
        (v): v is string | null | undefined => v == null || (isText(v) && /^[0-9a-f]{32}$/.test(v)),
        "32 hex digits or null",
      ) ?? null,
    unverified: field("unverified", (v): v is boolean => typeof v === "boolean", "true or false"),
  };
  if (parsed.sha256 === null && !parsed.unverified)
    throw new Error(`${file} source: without sha256, unverified must be true`);
  return parsed;
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The fields of a JSON document. Throws an error that names the file. */
export function fieldsOfJson(text: string, file: string) {
  try {
    return fieldsOf(JSON.parse(text), file);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new Error(`${file}: not JSON: ${cause.message}`, { cause });
  }
}

export function fieldsOf(json: unknown, where: string) {
  if (!isObject(json)) throw new Error(`${where}: an object is expected`);
  const fields = json as Record<string, unknown>;
  return <T>(name: string, accepts: (value: unknown) => value is T, wanted: string): T => {
    const value = fields[name];
    if (!accepts(value)) throw new Error(`${where}: ${name} must be ${wanted}, not ${JSON.stringify(value)}`);
    return value;
  };
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function oneOf<const T extends string>(...allowed: T[]) {
  return (value: unknown): value is T => allowed.includes(value as T);
}
