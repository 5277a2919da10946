/** Turns validation errors into one sentence that names the field. */

import { clipName, PackshotError } from "@packshot/domain/errors.ts";
import { dataUrlProblem } from "@packshot/domain/jobs/image-url.ts";
import type { ErrorObject } from "ajv";
import { isDecimal } from "./unflatten-fields.ts";

export function invalidRequest(message: string, details?: Record<string, unknown>): PackshotError {
  return new PackshotError("invalid_request", message, details === undefined ? {} : { details });
}

/** `where`: what the validated object holds: "query parameter", "header", "field". */
export function validationError(
  errors: readonly ErrorObject[] | null | undefined,
  where: string,
  prefix = "",
): PackshotError {
  const error = mostSpecific(errors ?? []);
  if (error === undefined) return invalidRequest("The request does not match the API description at /openapi.json.");
  const field = clipName(prefix + fieldOf(error));
  return invalidRequest(`${validationMessage(error, where, field)}.`, field === "" ? undefined : { field });
}

/** For a path that names nothing there is; of a fixed list it says which names there are. */
export function unknownPath(errors: readonly ErrorObject[] | null | undefined): PackshotError {
  const error = errors?.find(({ keyword }) => keyword === "enum");
  if (error === undefined) return new PackshotError("not_found", "Resource not found.");
  const message = validationMessage(error, "path parameter", fieldOf(error));
  return new PackshotError("not_found", `Resource not found: ${message}.`);
}

/** A union reports errors of each branch; the deepest one belongs to the branch that the client meant. */
function mostSpecific(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return [...errors].sort((a, b) => specificity(b) - specificity(a))[0];
}

function specificity(error: ErrorObject): number {
  const depth = error.instancePath.split("/").length;
  return depth * 10 - (["anyOf", "oneOf", "propertyNames"].includes(error.keyword) ? 5 : 0);
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split("/").slice(1).map(decodePointer);
  const { missingProperty, additionalProperty, propertyName } = error.params as Record<string, string | undefined>;
  // `error.propertyName`: what is wrong is not a value but its name.
  const last = missingProperty ?? additionalProperty ?? propertyName ?? error.propertyName;
  if (last !== undefined) path.push(last);
  return path.join(".");
}

function decodePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function validationMessage(error: ErrorObject, where: string, field: string): string {
  const name = field === "" ? "The body" : `"${field}"`;
  const params = error.params as Record<string, unknown>;
  if (isDataUrl(error)) return `${name} ${dataUrlProblem}`;
  switch (error.keyword) {
    case "required":
      return `The ${where} ${name} is missing`;
    case "additionalProperties":
      return `Unknown ${where} ${name}${nameAdvice(error)}`;
    case "enum":
      return `${name} must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(", ")}`;
    case "type":
      return `${name} must be of type ${([] as unknown[]).concat(params.type).join(" or ")}${numberAdvice(error)}${listAdvice(error)}`;
    case "format":
      return `${name} must be a ${String(params.format)}${zoneAdvice(error, where)}`;
    case "pattern":
      return `${name} ${describePattern(error)}`;
    case "not":
      return `${name} must not be ${JSON.stringify((error.schema as { readonly const?: unknown }).const)}`;
    case "minProperties":
      return `${name} is empty: give at least one field`;
    default:
      return `${name} ${error.message ?? "is not valid"}`;
  }
}

/** A name of the same object that is nearly the unknown one: `imageUrl` for "image_url", `parameters` for "paramaters". */
function nameAdvice({ params, parentSchema }: ErrorObject): string {
  const unknown = comparable(clipName((params as { readonly additionalProperty: string }).additionalProperty));
  const { properties = {} } = (parentSchema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> };
  const typosMax = unknown.length < 5 ? 1 : 2;
  const near = Object.keys(properties)
    .map((name) => ({ name, typos: typosBetween(unknown, comparable(name)) }))
    .filter(({ typos }) => typos <= typosMax)
    .sort((a, b) => a.typos - b.typos);
  return near[0] === undefined ? "" : `: did you mean "${near[0].name}"?`;
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Levenshtein's distance: letters to insert, remove or replace. */
function typosBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (b[j - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** How to write a number that came as text: in JSON without quotes, and anywhere as `16` instead of `0x10`. */
function numberAdvice({ params, data }: ErrorObject): string {
  const wantsNumber = [params.type].flat().some((type) => type === "integer" || type === "number");
  if (!wantsNumber || typeof data !== "string" || data.trim() === "") return "";
  const number = String(Number(data));
  if (!isDecimal(number)) return "";
  return isDecimal(data.trim())
    ? `: ${number}, without quotes`
    : `, in decimal digits: ${number} (in JSON, without quotes)`;
}

/** A list of objects is written as JSON in forms, too: its items have no form fields of their own. */
function listAdvice({ data, parentSchema }: ErrorObject): string {
  const { items } = (parentSchema ?? {}) as { readonly items?: { readonly type?: unknown } };
  if (typeof data !== "string" || ![items?.type].flat().includes("object")) return "";
  return isJson(data) ? ", without quotes" : ": write it as a list in JSON, [{ … }]";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** In an address a plus is a space. */
function zoneAdvice({ params, data }: ErrorObject, where: string): string {
  const hasLostPlus = params.format === "date-time" && typeof data === "string" && /T\S* \d\d:\d\d$/.test(data);
  return where === "query parameter" && hasLostPlus ? ": write its + as %2B, which an address reads as a space" : "";
}

/** A schema's pattern is for programs. People read its words, or what its examples look like. */
function describePattern({ parentSchema }: ErrorObject): string {
  const { examples = [], "x-pattern-words": words } = (parentSchema ?? {}) as {
    readonly examples?: readonly unknown[];
    readonly "x-pattern-words"?: string;
  };
  if (words !== undefined) return words;
  if (examples.length === 0) return "is not of the form that the API description names";
  return `must look like ${examples.map((example) => JSON.stringify(example)).join(" or ")}`;
}

/** It is too long for an address, or has none of its beginnings. */
function isDataUrl({ keyword, data }: ErrorObject): boolean {
  return ["maxLength", "pattern"].includes(keyword) && typeof data === "string" && /^\s*data:/i.test(data);
}
