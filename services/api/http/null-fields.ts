/** In a JSON body, null for an optional field equals absent: many clients send null for what they do not have. */

interface Schema {
  readonly items?: object;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/**
 * A copy of the body without such fields, at every depth of the schema's `properties` and `items`. What else is null stays, so that
 * the validator names it. `resolve` returns what a schema's `$ref` names.
 */
export function omitNullFields(body: unknown, schema: object, resolve: (schema: object) => object): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { properties = {}, required = [], items } = resolve(schema) as Schema;
  if (Array.isArray(body)) return items === undefined ? body : body.map((item) => omitNullFields(item, items, resolve));
  const isKnown = (name: string) => Object.hasOwn(properties, name);
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => value !== null || !isKnown(name) || required.includes(name))
      .map(([name, value]) => [name, isKnown(name) ? omitNullFields(value, properties[name]!, resolve) : value]),
  );
}
