/** Form fields are flat text (`output.width=800`): made into the nested values that the tool's schema wants. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Text stays text where it cannot be read as the schema's type: the validator then names the field. */
export function nestedParameters(
  fields: readonly (readonly [name: string, text: string])[],
  schema: Schema,
): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [name, text] of fields) {
    const path = name.split(".");
    let target: Record<string, unknown> | undefined = parameters;
    let part: Schema | undefined = schema;
    for (const step of path.slice(0, -1)) {
      part = part?.properties?.[step];
      target = target && objectAt(target, step);
    }
    const last = path.at(-1)!;
    if (target !== undefined) put(target, last, readAs(text, part?.properties?.[last]));
  }
  return parameters;
}

/** undefined where `output=…` stands beside `output.width=…`: the text stays, and the validator names it. */
function objectAt(target: Record<string, unknown>, name: string): Record<string, unknown> | undefined {
  if (!Object.hasOwn(target, name)) return put(target, name, {});
  const there = target[name];
  return typeof there === "object" ? (there as Record<string, unknown>) : undefined;
}

function put<T>(target: Record<string, unknown>, name: string, value: T): T {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  return value;
}

function readAs(text: string, schema: Schema | undefined): unknown {
  switch (schema?.type) {
    case "integer":
    case "number": {
      const number = Number(text);
      return text.trim() !== "" && Number.isFinite(number) ? number : text;
    }
    case "boolean":
      if (text === "true" || text === "1") return true;
      return text === "false" || text === "0" ? false : text;
    default:
      return text;
  }
}
