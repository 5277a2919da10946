/** Schemas in openapi.yaml that are made of all tools' parameters together: the multipart form, and a job's parameters. */
import { type ToolId, toolIds, tools } from "@packshot/domain/edits/tools.ts";

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly [keyword: string]: unknown;
}

type Fields = Readonly<Record<string, FieldSchema>>;

function fieldsOf(tool: ToolId): Fields {
  return (tools[tool].parameters as { properties: Fields }).properties;
}

/** A parameter of any tool, and the tools that have it. */
function fieldsByName(): [name: string, field: FieldSchema, of: ToolId[]][] {
  const names = new Set(toolIds.flatMap((tool) => Object.keys(fieldsOf(tool))));
  return [...names].map((name) => {
    const of = toolIds.filter((tool) => name in fieldsOf(tool));
    return [name, withoutNull(of.map((tool) => fieldsOf(tool)[name]!).reduce(merged)), of];
  });
}

/** A group of fields of which one tool has more than another has all of them; what both have is described as by the first. */
function merged(first: FieldSchema, other: FieldSchema): FieldSchema {
  if (first.properties === undefined || other.properties === undefined) return first;
  const own = first.properties;
  const both = Object.entries(other.properties).map(([name, field]) => {
    return [name, own[name] === undefined ? field : merged(own[name], field)] as const;
  });
  return { ...first, properties: { ...own, ...Object.fromEntries(both) } };
}

/** A form has no null, and a job shows no parameter that is null. */
function withoutNull({ type, enum: values, properties, items, ...field }: FieldSchema): FieldSchema {
  const types = [type].flat().filter((one) => one !== "null");
  const inner = Object.entries(properties ?? {}).map(([name, property]) => [name, withoutNull(property)] as const);
  return {
    ...(type === undefined ? {} : { type: types.length === 1 ? types[0]! : (types as string[]) }),
    ...field,
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(items === undefined ? {} : { items: withoutNull(items) }),
  };
}

function ofTools(field: FieldSchema, of: readonly ToolId[]): FieldSchema {
  if (of.length === toolIds.length) return field;
  return { ...field, description: `Only for ${of.join(" and ")}. ${field.description ?? ""}` };
}

const listLettersMax = 200;
const listLettersOfJsonMax = 20_000;

/** A form has lists as one text, and those of objects as JSON. */
function listAsText({ examples = [], description = "", items }: FieldSchema): FieldSchema {
  if (items?.type === "object") {
    const texts = examples.map((list) => JSON.stringify(list));
    return { type: "string", maxLength: listLettersOfJsonMax, examples: texts, description };
  }
  return {
    type: "string",
    maxLength: listLettersMax,
    examples: (examples as string[][]).map((list) => list.join(",")),
    description,
  };
}

/** `output.width` for `{output: {width}}`. */
function flatten(name: string, field: FieldSchema, of: readonly ToolId[]): [string, FieldSchema][] {
  if (field.type === "array") return [[name, ofTools(listAsText(field), of)]];
  if (field.properties === undefined) return [[name, ofTools(field, of)]];
  return Object.entries(field.properties).flatMap(([part, property]) => flatten(`${name}.${part}`, property, of));
}

const destinationFields = {
  connection: {
    type: "string",
    maxLength: 63,
    description: "Name of the connection to the bucket where the result goes too.",
  },
  key: {
    type: "string",
    maxLength: 800,
    description: "The result's key there, with placeholders as in `destination` of JSON: `{ref}/{tool}.{ext}`.",
  },
} as const;

/** Every parameter as a flat field of the form. One field of JSON is what generators make of an object. */
export function editFormSchema(): object {
  return {
    type: "object",
    required: ["image"],
    additionalProperties: false,
    description: "A file with flat fields for parameters, metadata and destination.",
    properties: {
      image: {
        type: "string",
        format: "binary",
        contentMediaType: "application/octet-stream",
        description: "The photo, a file with a filename.",
      },
      maskImage: {
        type: "string",
        format: "binary",
        contentMediaType: "application/octet-stream",
        description: "Your own matte of the photo, a file with a filename, instead of a parameter of that name.",
      },
      paletteImage: {
        type: "string",
        format: "binary",
        contentMediaType: "application/octet-stream",
        description:
          "Only for ai-bg. A picture from which the scene takes its colors and its light, a file with a filename, instead of a parameter of that name.",
      },
      toneImage: {
        type: "string",
        format: "binary",
        contentMediaType: "application/octet-stream",
        description:
          "With `tone: match`, the picture whose light the photo gets, a file with a filename, instead of a parameter of that name.",
      },
      parameters: {
        type: "object",
        description: 'Parameters as one field of JSON, `{"seed":7}`; or a field each, `output.width`, or both.',
        anyOf: toolIds.map((tool) => ({ $ref: `#/components/schemas/${toolSchemaNames[tool]}` })),
      },
      metadata: {
        type: "object",
        maxProperties: 16,
        additionalProperties: { type: "string", maxLength: 2048 },
        description: "All metadata as one field of JSON; or a field each, `metadata.sku`.",
      },
      destination: {
        type: "object",
        description: "The destination as one field of JSON; or a field each.",
        properties: destinationFields,
      },
      "destination.connection": destinationFields.connection,
      "destination.key": destinationFields.key,
      ...Object.fromEntries(fieldsByName().flatMap(([name, field, of]) => flatten(name, field, of))),
      preset: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "One of the account's presets, or with mask a marketplace's.",
      },
    },
  };
}

/** The parameters of a job of any tool: what its request gave, and the seed. */
export function jobParametersSchema(): object {
  return {
    type: "object",
    required: ["seed"],
    description: "The parameters as they took effect.",
    properties: Object.fromEntries(fieldsByName().map(([name, field, of]) => [name, ofTools(field, of)])),
  };
}

/** Names in openapi.yaml of the tools' parameter schemas. */
export const toolSchemaNames: Readonly<Record<ToolId, string>> = {
  mask: "MaskParameters",
  "ai-shadows": "AiShadowsParameters",
  "ai-bg": "AiBgParameters",
};
