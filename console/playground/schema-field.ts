/** A tool's JSON Schema as fields of a form. */
import { isGroup, type Parameters, type ParameterValue } from "./edit.ts";

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** A pattern is for programs; people are shown what matches it. */
interface TextForm {
  readonly pattern: string;
  readonly examples: readonly string[];
}

interface FieldBase {
  /** `["output", "width"]`. */
  readonly path: readonly string[];
  readonly label: string;
  readonly description: string;
}

export type SchemaField = FieldBase &
  (
    | { readonly kind: "choice"; readonly choices: readonly string[] }
    | { readonly kind: "check" }
    | { readonly kind: "number"; readonly isWhole: boolean; readonly min?: number; readonly max?: number }
    | { readonly kind: "text"; readonly maxLength?: number; readonly form?: TextForm; readonly isList?: true }
    | { readonly kind: "group"; readonly fields: readonly SchemaField[] }
    /** Objects: paths of their fields begin within one. */
    | { readonly kind: "list"; readonly fields: readonly SchemaField[]; readonly itemsMax: number }
  );

/** The fields of a schema of an object, in its order. */
export function schemaFields(schema: object, path: readonly string[] = []): readonly SchemaField[] {
  const { properties = {} } = schema as JsonSchema;
  return Object.entries(properties).map(([name, field]) => schemaField(field, [...path, name]));
}

function schemaField(schema: JsonSchema, path: readonly string[]): SchemaField {
  const { description = "", enum: values, minimum, maximum, maxLength, pattern, examples = [] } = schema;
  const base = { path, label: labelOf(path.at(-1)!), description };
  const types = [schema.type].flat().filter((type) => type !== "null");
  if (values !== undefined) {
    return { ...base, kind: "choice", choices: values.filter((value) => value !== null).map(String) };
  }
  if (schema.properties !== undefined) return { ...base, kind: "group", fields: schemaFields(schema, path) };
  if (types.includes("boolean")) return { ...base, kind: "check" };
  if (types.includes("integer") || types.includes("number")) {
    const range = { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) };
    return { ...base, kind: "number", isWhole: types.includes("integer"), ...range };
  }
  if (schema.items?.properties !== undefined) {
    const { items, maxItems: itemsMax = Number.POSITIVE_INFINITY } = schema;
    return { ...base, kind: "list", fields: schemaFields(items), itemsMax };
  }
  if (types.includes("array")) {
    const item = (schema.items?.pattern ?? "^.+$").replaceAll(/^\^|\$$/g, "");
    const form = {
      pattern: `^(${item})(\\s*,\\s*(${item}))*$`,
      examples: examples.map((list) => [list].flat().join(", ")),
    };
    return { ...base, kind: "text", isList: true, form };
  }
  return {
    ...base,
    kind: "text",
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { form: { pattern, examples: examples.map(String) } }),
  };
}

/** "Alpha only" for `alphaOnly`. */
function labelOf(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return `${words[0]!.toUpperCase()}${words.slice(1)}`.replace(/\burl\b/i, "URL");
}

export function parameterAt(parameters: Parameters, path: readonly string[]): ParameterValue | undefined {
  const [name, ...rest] = path as [string, ...string[]];
  const value = parameters[name];
  if (rest.length === 0 || value === undefined) return value;
  return isGroup(value) ? parameterAt(value, rest) : undefined;
}

/** A copy with the value; undefined removes it, and groups that are empty then. */
export function withParameter(
  parameters: Parameters,
  path: readonly string[],
  value: ParameterValue | undefined,
): Parameters {
  const [name, ...rest] = path as [string, ...string[]];
  const inner = parameters[name];
  const next = rest.length === 0 ? value : withParameter(isGroup(inner) ? inner : {}, rest, value);
  const { [name]: _, ...others } = parameters;
  const isEmpty = next === undefined || (typeof next === "object" && Object.keys(next).length === 0);
  return isEmpty ? others : { ...others, [name]: next };
}

/** Why a text is no value of a field; undefined: it is one. */
export function fieldProblem(field: SchemaField, text: string): string | undefined {
  if (text === "") return undefined;
  if (field.kind === "number") {
    const value = Number(text);
    if (!Number.isFinite(value) || (field.isWhole && !Number.isInteger(value))) {
      return field.isWhole ? "A whole number is wanted." : "A number is wanted.";
    }
    if (field.min !== undefined && value < field.min) return `At least ${field.min}.`;
    if (field.max !== undefined && value > field.max) return `At most ${field.max}.`;
  }
  if (field.kind === "text" && field.form !== undefined && !new RegExp(field.form.pattern, "u").test(text)) {
    return `It must look like ${field.form.examples.join(" or ")}.`;
  }
  return undefined;
}
