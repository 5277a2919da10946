import { toolIds, tools } from "../packages/domain/edits/tools.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
}

/** The text of docs/parameters.md. */
export function parametersDocument(): string {
  const sections = toolIds.map((id) => {
    const { description, creditsPerEdit, parameters } = tools[id];
    const credits = creditsPerEdit === 1 ? "1 credit" : `${creditsPerEdit} credits`;
    const rows = fieldsOf(parameters as Schema).map(
      ({ name, schema }) => `| \`${name}\` | ${valuesOf(schema)} | ${cell(schema.description ?? "")} |`,
    );
    return `## ${id}\n\n${description} An edit costs ${credits}.\n\n| parameter | values | meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Parameters

\`npm run docs\` generates this file from the tools' JSON Schemas in \`packages/domain/edits/tools.ts\`; a test keeps the two equal.

All are optional. In JSON they nest: \`{"parameters": {"output": {"width": 800}}}\`. In a form and in the columns of a batch's CSV
file they are written as here: \`output.width=800\`. \`null\` equals absent, and an unknown parameter is refused. \`GET /v1/tools\` has the
schemas themselves, and the limits of your account.

${sections.join("\n")}`;
}

function fieldsOf({ properties = {} }: Schema, prefix = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = { name: prefix + name, schema };
    if (schema.items?.properties !== undefined) return [field, ...fieldsOfItem(schema.items.properties, `${name}[].`)];
    return schema.properties === undefined ? [field] : [field, ...fieldsOf(schema, `${prefix}${name}.`)];
  });
}

/** Without the fields of its groups: they are those of the tool's own groups. */
function fieldsOfItem(properties: Readonly<Record<string, Schema>>, prefix: string): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name: prefix + name, schema }));
}

function valuesOf({ type, enum: allowed, minimum, maximum, maxLength }: Schema): string {
  const [kind = ""] = [type ?? ""].flat();
  if (allowed !== undefined) return allowed.flatMap((value) => (value === null ? [] : [`\`${value}\``])).join(", ");
  if (kind === "object") return "";
  if (minimum !== undefined && maximum !== undefined) return `${kind}, ${minimum} to ${maximum}`;
  return maxLength === undefined ? kind : `${kind}, at most ${maxLength} characters`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
