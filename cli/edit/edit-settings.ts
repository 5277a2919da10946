/** What all photos of a run are edited with, as flags say it and the tool's own schema has it. */
import { createHash } from "node:crypto";
import { type EditOptions, type Packshot, PackshotError, type ToolId } from "@packshot/sdk/packshot.ts";
import { CommandError } from "../command-line/command.ts";

export interface EditSettings {
  readonly tool: ToolId;
  readonly options: Pick<EditOptions<ToolId>, "parameters" | "preset">;
  /** A hash of both, by which a later run knows what was done with other ones. */
  readonly hash: string;
}

export interface SettingsFlags {
  readonly tool?: string | undefined;
  readonly theme?: string | undefined;
  readonly preset?: string | undefined;
  /** `name=value`, the name with dots. */
  readonly set: readonly string[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Throws a CommandError for a tool, preset or parameter that there is not. */
export async function readEditSettings(client: Packshot, flags: SettingsFlags): Promise<EditSettings> {
  const tools = await Array.fromAsync(client.tools.list());
  const id = flags.tool ?? (await toolOfPreset(client, flags.preset)) ?? (flags.theme === undefined ? "mask" : "ai-bg");
  const tool = tools.find((known) => known.id === id);
  if (tool === undefined)
    throw new CommandError(`there is no tool "${id}"; the account has ${tools.map((known) => known.id).join(", ")}.`);
  const schema = tool.parameters as Schema;
  const parameters: Record<string, unknown> = {};
  for (const given of flags.set) setParameter(parameters, schema, tool.id, given);
  if (flags.theme !== undefined) setParameter(parameters, schema, tool.id, `theme=${flags.theme}`);
  const options = {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(flags.preset !== undefined && { preset: flags.preset }),
  };
  const hash = createHash("sha256")
    .update(JSON.stringify([tool.id, options]))
    .digest("hex");
  return { tool: tool.id, options, hash: hash.slice(0, 16) };
}

/** Of a preset of the account's own; a marketplace's has none. */
async function toolOfPreset(client: Packshot, preset: string | undefined): Promise<ToolId | undefined> {
  if (preset === undefined) return undefined;
  try {
    return (await client.presets.get(preset)).tool;
  } catch (error) {
    if (error instanceof PackshotError && (error.code === "not_found" || error.code === "scope_missing"))
      return undefined;
    throw error;
  }
}

function setParameter(parameters: Record<string, unknown>, schema: Schema, tool: string, given: string): void {
  const at = given.indexOf("=");
  if (at < 1) throw new CommandError(`--set takes NAME=VALUE, as in --set output.format=webp, not "${given}".`);
  const [name, value] = [given.slice(0, at), given.slice(at + 1)];
  const path = name.split(".");
  const found = path.reduce<Schema | undefined>(
    (inner, part) => (inner?.properties && Object.hasOwn(inner.properties, part) ? inner.properties[part] : undefined),
    schema,
  );
  if (found === undefined || found.properties !== undefined)
    throw new CommandError(`${tool} has no parameter "${name}"; it has ${parameterNames(schema).join(", ")}.`);
  let inner = parameters;
  for (const part of path.slice(0, -1)) {
    inner[part] ??= {};
    inner = inner[part] as Record<string, unknown>;
  }
  inner[path.at(-1)!] = typedValue(value, [found.type ?? "string"].flat(), name);
}

function typedValue(value: string, types: readonly string[], name: string): unknown {
  if (types.includes("boolean") && /^(true|false)$/.test(value)) return value === "true";
  const isNumeric = value.trim() !== "" && Number.isFinite(Number(value));
  if ((types.includes("number") || types.includes("integer")) && isNumeric) return Number(value);
  if (types.includes("string")) return value;
  throw new CommandError(`${name} must be a ${types.filter((type) => type !== "null").join(" or ")}, not "${value}".`);
}

function parameterNames(schema: Schema, prefix = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    inner.properties === undefined ? [`${prefix}${name}`] : parameterNames(inner, `${prefix}${name}.`),
  );
}
