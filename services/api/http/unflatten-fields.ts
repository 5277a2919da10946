/** Turns flat form fields (`output.width=800`) into the nested values that the tool's schema describes. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Text that cannot be converted to the schema's type stays text: the validator then names the field. */
export function unflattenFields(
  fields: readonly (readonly [name: string, text: string])[],
  schema: Schema,
): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [name, text] of fields) {
    const path = name.split(".");
    let target: Record<string, unknown> | undefined = parameters;
    let node: Schema | undefined = schema;
    for (const step of path.slice(0, -1)) {
      node = node?.properties?.[step];
      target = target && objectAt(target, step, node);
    }
    const last = path.at(-1)!;
    if (target === undefined) continue;
    const expected = node?.properties?.[last];
    if (isObject(target, last) && typeOf(expected) !== "object") continue;
    setOwn(target, last, convert(text, expected));
  }
  return parameters;
}

/**
 * A form may have both a text (`output=…`) and fields below it (`output.width=…`). The one that the schema does not
 * describe stays, so that the validator names it. undefined: that one is the text.
 */
function objectAt(
  target: Record<string, unknown>,
  name: string,
  expected: Schema | undefined,
): Record<string, unknown> | undefined {
  if (isObject(target, name)) return target[name] as Record<string, unknown>;
  return Object.hasOwn(target, name) && typeOf(expected) === "object" ? undefined : setOwn(target, name, {});
}

function isObject(target: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(target, name) && typeof target[name] === "object";
}

function setOwn<T>(target: Record<string, unknown>, name: string, value: T): T {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  return value;
}

/** Text is never null, so the other type of a field that may be null is the one that counts. */
function typeOf(schema: Schema | undefined): string | undefined {
  return [schema?.type].flat().find((type) => type !== "null");
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "on", "yes"].map((word) => [word, true] as const),
  ...["false", "0", "off", "no"].map((word) => [word, false] as const),
]);

/** As Python (`True`), spreadsheets (`TRUE`) and the checkboxes of browsers (`on`) write it; undefined: it is none. */
export function readBoolean(text: string): boolean | undefined {
  return booleans.get(text.trim().toLowerCase());
}

/** A number as people write one. JavaScript would also read `0x10` and `1e3`: in a form they are a slip, and cost credits. */
export const decimalPattern = "^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)$";
const decimal = new RegExp(decimalPattern);

export function isDecimal(text: string): boolean {
  return decimal.test(text);
}

function convert(text: string, schema: Schema | undefined): unknown {
  switch (typeOf(schema)) {
    case "integer":
    case "number":
      return isDecimal(text.trim()) ? Number(text) : text;
    case "array":
      if (typeOf(schema?.items) === "object") return readJson(text);
      return text.split(/[\s,;]+/).filter((item) => item !== "");
    case "boolean":
      return readBoolean(text) ?? text;
    default:
      return text;
  }
}

/** A list of objects; text that is no JSON stays text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
