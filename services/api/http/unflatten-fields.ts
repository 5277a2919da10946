/** Form fields are flat text (`output.width=800`): made into the nested values that the tool's schema wants. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Text stays text where it cannot be read as the schema's type: the validator then names the field. */
export function unflattenFields(
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
      target = target && objectAt(target, step, part);
    }
    const last = path.at(-1)!;
    if (target === undefined) continue;
    const wanted = part?.properties?.[last];
    if (isObject(target, last) && wanted?.type !== "object") continue;
    put(target, last, readAs(text, wanted));
  }
  return parameters;
}

/**
 * Where a text (`output=…`) and fields below it (`output.width=…`) stand beside each other, the one that the schema does
 * not want stays, and the validator names it: undefined where that is the text.
 */
function objectAt(
  target: Record<string, unknown>,
  name: string,
  wanted: Schema | undefined,
): Record<string, unknown> | undefined {
  if (isObject(target, name)) return target[name] as Record<string, unknown>;
  return Object.hasOwn(target, name) && wanted?.type === "object" ? undefined : put(target, name, {});
}

function isObject(target: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(target, name) && typeof target[name] === "object";
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
