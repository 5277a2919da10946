/**
 * What a generator of clients and a reader of its output need of an OpenAPI document. Each function returns the offenders
 * by their place in the document, with what they lack.
 */
import { type Contract, resolveReference } from "../../services/api/http/contract.ts";
import type { OpenapiDocument } from "../../services/api/http/openapi-document.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly [keyword: string]: unknown;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: object;
}

interface OperationBody {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, object>>;
}

/** A number's description says what it counts or measures, by one of these words. */
const unit =
  /\b(?:pixels?|bytes?|milliseconds?|seconds?|days?|degrees?|shares?|percent|credits?|requests?|jobs?|keys|webhooks|rows?|deliveries|accounts|entries|numbers?|status|kelvins|stops|factors?|CIEDE2000)\b|%/i;

function operationsOf(document: OpenapiDocument): { name: string; operation: OperationBody; parameters: object[] }[] {
  const methods = ["get", "post", "put", "patch", "delete"];
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const operation = item[method] as OperationBody;
        const parameters = [...((item.parameters as object[] | undefined) ?? []), ...(operation.parameters ?? [])];
        return { name: `${method.toUpperCase()} ${path}`, operation, parameters };
      }),
  );
}

/** An operation without an operationId, summary or tag, without errors, or without an example. */
export function faultyOperations({ document }: Contract): string[] {
  return operationsOf(document).flatMap(({ name, operation }) => {
    const { operationId, summary, tags, requestBody, responses } = operation;
    const lacks = (condition: boolean, what: string) => (condition ? [`${name}: no ${what}`] : []);
    const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
    const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
    return [
      ...lacks(operationId === undefined, "operationId"),
      ...lacks(summary === undefined, "summary"),
      ...lacks(tags?.length !== 1, "single tag"),
      ...lacks(!errors.some(([status]) => status.startsWith("4")), "4xx response"),
      ...lacks(!errors.some(([status]) => status.startsWith("5")), "5xx response"),
      ...errors.flatMap(([status, response]) =>
        lacks(!hasExample(contentOf(document, response)), `example of the error ${status}`),
      ),
      ...successes.flatMap(([status, response]) =>
        lacks(!hasExample(contentOf(document, response)), `example of the response ${status}`),
      ),
      ...lacks(!hasExample(requestBody?.content ?? {}), "example of the request body"),
    ];
  });
}

function contentOf(document: OpenapiDocument, response: object): Readonly<Record<string, Media>> {
  return (resolveReference(document, response) as { content?: Record<string, Media> }).content ?? {};
}

/** True where there is nothing in JSON to exemplify. */
function hasExample(content: Readonly<Record<string, Media>>): boolean {
  return Object.entries(content)
    .filter(([type]) => type === "application/json" || type === "multipart/form-data")
    .every(([, { example, examples }]) => example !== undefined || examples !== undefined);
}

/** A parameter, or a property of a body at any depth, without a description, and a number without a unit or a range. */
export function faultyFields({ document }: Contract): string[] {
  const faults = new Set<string>();
  const look = createFieldCheck(document, faults);
  for (const { name, operation, parameters } of operationsOf(document)) {
    for (const reference of parameters) {
      const parameter = resolveReference(document, reference) as { name: string; description?: string; schema: Schema };
      const { description = "", schema } = parameter;
      look.field(`${name} ?${parameter.name}`, { ...resolve(document, schema), description }, "request");
    }
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      if (schema !== undefined) look.schema(`${name} body`, schema, "request");
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const [type, { schema }] of Object.entries(contentOf(document, response))) {
        if (schema !== undefined && type !== "text/html") look.schema(`${name} ${status}`, schema, "response");
      }
    }
  }
  return [...faults];
}

type Side = "request" | "response";

function createFieldCheck(document: OpenapiDocument, faults: Set<string>) {
  const seen = new Set<string>();

  /** `place` is the schema's own name where it has one, so that it is reported once, wherever it is used. */
  function schema(place: string, given: Schema, side: Side): void {
    const name = given.$ref?.split("/").at(-1);
    if (name !== undefined) {
      if (seen.has(`${side} ${name}`)) return;
      seen.add(`${side} ${name}`);
    }
    children(name ?? place, resolve(document, given), side);
  }

  function children(place: string, described: Schema, side: Side): void {
    for (const [name, property] of Object.entries(described.properties ?? {})) {
      const target = resolve(document, property);
      field(`${place}.${name}`, { ...target, description: property.description ?? target.description ?? "" }, side);
      if (property.$ref !== undefined) schema(place, property, side);
    }
    const inner = [
      described.items,
      described.additionalProperties,
      ...Object.values(described.patternProperties ?? {}),
    ];
    // Branches beside properties only say which of them go together.
    const isChoice = described.properties === undefined;
    const choices = isChoice ? [...(described.anyOf ?? []), ...(described.oneOf ?? [])] : [];
    const branches = [...choices, ...(described.allOf ?? [])];
    for (const child of [...inner, ...branches]) {
      if (typeof child === "object") schema(place, child, side);
    }
  }

  function field(place: string, described: Schema, side: Side): void {
    const lacks = (condition: boolean, what: string) => void (condition && faults.add(`${place}: no ${what}`));
    const { description = "" } = described;
    lacks(description.trim() === "", "description");
    const types = [described.type].flat();
    const isFixed = described.enum !== undefined || described.const !== undefined;
    if (types.includes("integer") || types.includes("number")) {
      lacks(!unit.test(description), "unit in its description");
      lacks(described.minimum === undefined && !isFixed, "minimum");
      lacks(side === "request" && described.maximum === undefined && !isFixed, "maximum");
    }
    if (side === "request" && types.includes("string")) {
      const limits = ["maxLength", "pattern", "format", "contentMediaType"];
      lacks(!isFixed && limits.every((limit) => described[limit] === undefined), "limit of its length, or format");
    }
    if (side === "request" && types.includes("array")) lacks(described.maxItems === undefined, "maxItems");
    lacks(isFreeObject(described), "properties, though it is an object");
    children(place, described, side);
  }

  return { schema, field };
}

function isFreeObject(described: Schema): boolean {
  if (![described.type].flat().includes("object") || described["x-free-form"] === true) return false;
  const parts = ["properties", "additionalProperties", "patternProperties", "anyOf", "oneOf", "allOf"];
  return parts.every((part) => described[part] === undefined);
}

function resolve(document: OpenapiDocument, schema: Schema): Schema {
  return resolveReference(document, schema) as Schema;
}
