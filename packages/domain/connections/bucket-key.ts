/**
 * Files in customers' buckets: `s3://<connection>/<key>` as a source, and the key of a destination, whose placeholders are
 * filled when the edit is accepted; `{output}` and `{ext}` when the file and its format are known. A key lies below its connection's prefix,
 * and no key leads out of it: HTTP clients resolve `..` in a link's path.
 */
import { isVariationName } from "../edits/tools.ts";
import { PackshotError } from "../errors.ts";
import { extensionOf } from "../file-extension.ts";

/** Where a file lies. Of a job that has not completed, the key may still have `{output}` and `{ext}`. */
export interface BucketFile {
  /** The connection's name. */
  readonly connection: string;
  /** Below the connection's prefix. */
  readonly key: string;
}

const keyPlaceholders = ["ref", "name", "tool", "jobId", "batchId", "output", "ext"] as const;
type KeyPlaceholder = (typeof keyPlaceholders)[number];
/** `ref`: the customer's own id of the photo. `name`: the source's file name without its extension. */
export type KeyValues = Readonly<Partial<Record<Exclude<KeyPlaceholder, "ext">, string | undefined>>>;
/** Filled when a result is known. */
const latePlaceholders: readonly KeyPlaceholder[] = ["output", "ext"];

/** S3 takes 1,024, and a connection's prefix has up to 200 of them. */
const keyBytesMax = 800;
/** Stand for `{ext}` and `{output}` while a key is checked. */
const longestExtension = "jpeg";
const longestOutput = "x".repeat(40);

const bucketUrlShape = /^s3:\/\/([a-z0-9][a-z0-9-]{0,62})\/(.+)$/is;

export function isBucketUrl(imageUrl: string): boolean {
  return /^s3:/i.test(imageUrl);
}

export function bucketUrlOf({ connection, key }: BucketFile): string {
  return `s3://${connection}/${key}`;
}

/** The key is literal, as the command lines of S3 have it: nothing in it is decoded. Throws `invalid_request`. */
export function parseBucketUrl(imageUrl: string, field = "imageUrl"): BucketFile {
  const [, connection, key] = bucketUrlShape.exec(imageUrl) ?? [];
  if (connection === undefined || key === undefined) {
    throw invalid(`"${field}" must be s3://<connection>/<key>.`, field);
  }
  assertKey(key, field);
  return { connection, key };
}

/** Throws `invalid_request`: what can be said of a template before its values are known. */
export function assertKeyTemplate(template: string): void {
  fill(template, (name) => (name === "ext" ? longestExtension : name === "output" ? longestOutput : "x"));
}

/**
 * All placeholders but `{output}` and `{ext}`. `output`: the name of the edit's first file, if its files have names. Throws
 * `invalid_request`, also when a value is missing or would lead elsewhere.
 */
export function fillKey(template: string, values: KeyValues): string {
  const textOf = (name: KeyPlaceholder) => (name === "ext" ? "{ext}" : presentValue(name, values[name]));
  const longestOf = (name: KeyPlaceholder) => {
    const text = name === "ext" ? longestExtension : textOf(name);
    return name === "output" ? longestOutput : text;
  };
  fill(template, longestOf);
  // The names of further files come after it.
  if (values.output !== undefined && !hasPlaceholder(template, "output"))
    fill(`${template}-${longestOutput}`, longestOf);
  return replacePlaceholders(template, (name) => (latePlaceholders.includes(name) ? `{${name}}` : textOf(name)));
}

/** Names of a result, as far as it has some. */
export interface ResultNames {
  /** Its own; absent of a result that stands alone. */
  readonly name?: string;
  /** It is the job's first, whose key is the destination's. */
  readonly isFirst?: boolean;
}

/** Where the result of this type goes. The name of one beside the first, or of a layer, comes before the extension. */
export function resultKey({ key }: BucketFile, contentType: string, { name, isFirst }: ResultNames = {}): string {
  const extension = extensionOf(contentType);
  const named = name === undefined ? key : key.replaceAll("{output}", name);
  const placed = named.replaceAll("{ext}", extension);
  if (name === undefined || isFirst === true) return placed;
  const own = isVariationName(name) ? placed : withExtension(placed, extension);
  return named === key ? own.replace(/(?<=[^/])(\.[^./]*)?$/, `-${name}$1`) : own;
}

/** A layer or a file of `outputs` has a type of its own: beside a result whose key ends with `.jpg` it may be a PNG. */
function withExtension(key: string, extension: string): string {
  const isJpeg = extension === "jpg" && /\.jpeg$/i.test(key);
  return isJpeg ? key : key.replace(/\.(png|jpe?g|webp|avif)$/i, `.${extension}`);
}

/** Where the first result of this type lies. `name`: its own, if it has one. */
export function placedFile(destination: BucketFile, contentType: string, name?: string): BucketFile {
  return { connection: destination.connection, key: resultKey(destination, contentType, { name, isFirst: true }) };
}

export function hasPlaceholder(template: string, name: KeyPlaceholder): boolean {
  return template.includes(`{${name}}`);
}

/** The last part of a path or URL, without its extension; undefined: it has none. */
export function baseNameOf(path: string): string | undefined {
  const [beforeQuery = ""] = /^https?:/i.test(path) ? path.split(/[?#]/, 1) : [path];
  const last = /([^/]*)\/*$/.exec(beforeQuery.replace(/^\w+:\/\/[^/]*/, ""))?.[1] ?? "";
  const base = last.replace(/(?<=.)\.[^.]*$/, "");
  return base === "" ? undefined : base;
}

function fill(template: string, textOf: (name: KeyPlaceholder) => string): void {
  const key = replacePlaceholders(template, textOf);
  assertKey(key, "destination.key");
}

function replacePlaceholders(template: string, textOf: (name: KeyPlaceholder) => string): string {
  const filled = template.split(/(\{[^{}]*\})/).map((part, index) => {
    if (index % 2 === 1) return textOf(knownPlaceholder(part.slice(1, -1)));
    if (/[{}]/.test(part)) throw invalid('"destination.key" has a brace that belongs to no placeholder.');
    return part;
  });
  return filled.join("");
}

function knownPlaceholder(name: string): KeyPlaceholder {
  const known = keyPlaceholders.find((placeholder) => placeholder === name);
  if (known !== undefined) return known;
  const all = keyPlaceholders.map((placeholder) => `{${placeholder}}`).join(", ");
  throw invalid(`"destination.key" has {${name.slice(0, 40)}}; the placeholders are ${all}.`);
}

function presentValue(name: KeyPlaceholder, value: string | undefined): string {
  if (value === undefined || value === "") throw invalid(`"destination.key" has {${name}}, and this edit has none.`);
  if (/[{}]/.test(value)) throw invalid(`"destination.key" has {${name}}, whose value has a brace.`);
  return value;
}

function assertKey(key: string, field: string): void {
  const problem = keyProblem(key);
  if (problem !== undefined) throw invalid(`The key of "${field}" ${problem}.`, field);
}

function keyProblem(key: string): string | undefined {
  if (!key.isWellFormed() || /[\p{Cc}\\]/u.test(key)) return "has a control character or a backslash";
  if (new TextEncoder().encode(key).length > keyBytesMax) return `has more than ${keyBytesMax} bytes`;
  const segments = key.split("/");
  if (segments.includes("")) return "begins or ends with a slash, or has two in a row";
  return segments.some((segment) => segment === "." || segment === "..") ? 'has a part that is "." or ".."' : undefined;
}

function invalid(message: string, field = "destination.key"): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field } });
}
