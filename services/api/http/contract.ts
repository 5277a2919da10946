/**
 * The OpenAPI document as the server uses it: which operations exist, who may call them, and validators compiled from
 * its schemas. An operation without a handler stops the start-up.
 */
import { createHash } from "node:crypto";
import { getCompileCacheDir } from "node:module";
import type { KeyScope } from "@packshot/domain/accounts/api-key.ts";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { omitNullFields } from "./null-fields.ts";
import { type OpenapiDocument, readOpenapiDocument } from "./openapi-document.ts";
import { jsonBytesMaxDefault } from "./request-body.ts";
import { decimalPattern } from "./unflatten-fields.ts";
import { validationError } from "./validation-messages.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";
const methods: readonly Method[] = ["get", "post", "put", "patch", "delete"];

interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Record<string, unknown>;
  readonly style?: string;
  readonly explode?: boolean;
}

interface OperationObject {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, object> };
  readonly responses: Record<string, { readonly content?: Record<string, object>; readonly $ref?: string }>;
  /** `handler`: the body's schema depends on the path, so the handler validates it. */
  readonly "x-body-checked-by"?: string;
  readonly "x-json-bytes-max"?: number;
  readonly "x-scopes"?: readonly KeyScope[];
  readonly "x-audited"?: boolean;
  /** `true`, or the body with which it does. */
  readonly "x-protects"?: true | Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** As in the document: `/v1/jobs/{id}`. */
  readonly path: string;
  readonly needsKey: boolean;
  /** The scopes of which a key must have one; empty where the document names none: the key must then have all. */
  readonly scopes: readonly KeyScope[];
  /** The audit log has an entry of each request that is carried out. */
  readonly isAudited: boolean;
  /**
   * A request with this body, or with any for `true`, only takes power away from a key, an account or a program, or shows
   * what there is to take away. Neither the hourly rate nor the audit log's budget of the account stops it.
   */
  readonly protects: true | Readonly<Record<string, unknown>> | undefined;
  /** The fields that a JSON body may have at its top. */
  readonly bodyFields: ReadonlySet<string>;
  /** Media types of a success; an `Accept` that allows none of them is refused. */
  readonly produces: readonly string[];
  /** Media types of the body; empty when there is none. */
  readonly consumes: readonly string[];
  /** Bytes of a JSON body. */
  readonly jsonBytesMax: number;
  readonly validatePath: Validate;
  readonly validateQuery: Validate;
  readonly validateHeaders: Validate;
  /** For a body of `application/json`; undefined when there is none, or when the handler parses it. */
  readonly parseBody: ParseBody | undefined;
}

/** Whether a value is of the schema; `errors` are those of the latest value, as with Ajv. */
export interface Validate {
  (value: unknown): boolean;
  errors?: ValidateFunction["errors"];
}

/** Returns a copy of a JSON body without its null fields. Throws `invalid_request` for one that is not of the schema. */
export type ParseBody = (body: unknown) => unknown;

export interface Contract {
  readonly document: OpenapiDocument;
  readonly operations: readonly Operation[];
  /** For a schema that may refer to `#/components/schemas/…`. It is compiled when the first value comes. */
  compile(schema: object): Validate;
  /** As `compile`, for the body of a request. */
  compileBody(schema: object): ParseBody;
}

const documentId = "openapi";

export function loadContract(file: URL): Contract {
  const document = readOpenapiDocument(file, getCompileCacheDir());
  const compile = lateCompiler(document, false);
  const compileText = lateCompiler(document, true);
  const compileBody = bodyCompiler(document, compile);
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      if (item[method] !== undefined) operations.push(toOperation(document, compileBody, compileText, path, method));
    }
  }
  return { document, operations, compile, compileBody };
}

/** The first line of generated/openapi.ts: a test compares it to find types of an older document. */
export function documentHash(document: OpenapiDocument): string {
  return `openapi.yaml ${createHash("sha256").update(JSON.stringify(document)).digest("hex")}`;
}

/**
 * Compiles each schema when it is first used. To compile all took most of a process's start, and few of the operations are
 * ever called on each process. A test compiles them all. `fromText`: values arrive as text (query, headers) and are
 * converted to the type that the schema names.
 */
function lateCompiler(document: OpenapiDocument, fromText: boolean): Contract["compile"] {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    let compiled: ValidateFunction | undefined;
    const validate: Validate = (value) => {
      ajv ??= createAjv(document, fromText);
      compiled ??= ajv.compile(withAbsoluteRefs(schema) as object);
      const isValid = compiled(value);
      validate.errors = compiled.errors;
      return isValid;
    };
    return validate;
  };
}

/** The document's schemas are checked against JSON Schema's own by a test, and not at each start. */
function createAjv(document: OpenapiDocument, fromText: boolean): Ajv2020 {
  const options = { strict: false, allErrors: false, coerceTypes: fromText, useDefaults: true, verbose: true };
  const ajv = new Ajv2020({ ...options, meta: false, validateSchema: false });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: documentId, components: { schemas: document.components.schemas } });
  return ajv;
}

function bodyCompiler(document: OpenapiDocument, compile: Contract["compile"]): Contract["compileBody"] {
  const resolve = (schema: object) => resolveReference(document, schema);
  return (schema) => {
    const validate = compile(schema);
    return (body) => {
      const fields = omitNullFields(body, schema, resolve);
      if (!validate(fields)) throw validationError(validate.errors, "field");
      return fields;
    };
  };
}

function toOperation(
  document: OpenapiDocument,
  compileBody: Contract["compileBody"],
  compileText: Contract["compile"],
  path: string,
  method: Method,
): Operation {
  const item = document.paths[path] as { parameters?: readonly object[] } & Record<Method, OperationObject>;
  const operation = item[method];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
    (parameter) => resolveReference(document, parameter) as unknown as ParameterObject,
  );
  const security = operation.security ?? (document.security as readonly object[] | undefined) ?? [];
  const content = operation.requestBody?.content ?? {};
  const jsonBody = content["application/json"] as { schema?: object } | undefined;
  return {
    id: operation.operationId,
    method,
    path,
    needsKey: security.length > 0,
    scopes: operation["x-scopes"] ?? [],
    isAudited: operation["x-audited"] === true,
    protects: operation["x-protects"],
    bodyFields: new Set(jsonBody?.schema === undefined ? [] : fieldNames(document, jsonBody.schema)),
    produces: [
      ...new Set(
        Object.entries(operation.responses)
          .filter(([status]) => status.startsWith("2"))
          .flatMap(([, response]) => Object.keys(response.content ?? {})),
      ),
    ],
    consumes: Object.keys(content),
    jsonBytesMax: operation["x-json-bytes-max"] ?? jsonBytesMaxDefault,
    validatePath: compileText(objectSchema(parameters.filter((parameter) => parameter.in === "path"))),
    validateQuery: compileText(objectSchema(parameters.filter((parameter) => parameter.in === "query"))),
    validateHeaders: compileText(headerSchema(parameters.filter((parameter) => parameter.in === "header"))),
    parseBody:
      jsonBody?.schema === undefined || operation["x-body-checked-by"] === "handler"
        ? undefined
        : compileBody(jsonBody.schema),
  };
}

function objectSchema(parameters: readonly ParameterObject[]): object {
  const properties: Record<string, unknown> = {};
  const patterns: Record<string, unknown> = {};
  for (const { name, schema, style, explode } of parameters) {
    const absolute = withAbsoluteRefs(schema) as {
      type?: string;
      default?: unknown;
      propertyNames?: { pattern: string };
      additionalProperties?: unknown;
    };
    // A form-style parameter with free names (`metadata.sku=…`): its properties are query parameters themselves.
    if (style === "form" && explode === true && absolute.propertyNames !== undefined) {
      patterns[absolute.propertyNames.pattern] = absolute.additionalProperties;
    } else properties[name] = readStrictly(absolute);
  }
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return { type: "object", properties, patternProperties: patterns, additionalProperties: false, required };
}

/** Ajv would take `0x10` and `1e3` for numbers, too. The text is looked at before it is converted. */
function readStrictly(schema: { readonly type?: string; readonly default?: unknown }): object {
  if (schema.type !== "integer" && schema.type !== "number") return schema;
  // A default in a part of `allOf` is none.
  const { default: value, ...rest } = schema;
  return { ...(value === undefined ? {} : { default: value }), allOf: [decimalText, rest] };
}

/** Spaces around it are none of its own, as in forms and CSV cells: `?limit=+10` arrives as " 10". */
const decimalText = {
  pattern: decimalPattern.replace("^", "^\\s*").replace("$", "\\s*$"),
  "x-pattern-words": "must be a number in decimal digits, such as 10",
};

/** Node gives header names in lower case. */
function headerSchema(parameters: readonly ParameterObject[]): object {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema }) => [name.toLowerCase(), withAbsoluteRefs(schema)]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name.toLowerCase());
  return { type: "object", properties, required };
}

/** The object itself, or what its `$ref` names. */
export function resolveReference(document: OpenapiDocument, object: object): object {
  const reference = (object as { $ref?: string }).$ref;
  if (reference === undefined) return object;
  let found: unknown = document;
  for (const part of reference.replace(/^#\//, "").split("/")) found = (found as Record<string, unknown>)[part];
  return found as object;
}

function fieldNames(document: OpenapiDocument, schema: object): string[] {
  const {
    properties = {},
    allOf = [],
    oneOf = [],
    anyOf = [],
  } = resolveReference(document, schema) as {
    properties?: object;
    allOf?: readonly object[];
    oneOf?: readonly object[];
    anyOf?: readonly object[];
  };
  const parts = [...allOf, ...oneOf, ...anyOf].flatMap((part) => fieldNames(document, part));
  return [...Object.keys(properties), ...parts];
}

function withAbsoluteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAbsoluteRefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === "$ref" && typeof part === "string" && part.startsWith("#/")
        ? [name, documentId + part]
        : [name, withAbsoluteRefs(part)],
    ),
  );
}
