/** JSON Schema of optional request fields: in a request null equals absent. */

export interface FieldSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Every field is optional, so the schema allows null for it. */
export function mayBeNull(fields: Readonly<Record<string, FieldSchema>>): Readonly<Record<string, object>> {
  const nullable = ({ enum: values, ...field }: FieldSchema) => ({
    ...field,
    type: [field.type, "null"],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, nullable(field)]));
}
