/** What all photos of a run are edited with, as flags say it and the tool's own schema has it. */
import { createHash } from "node:crypto";
import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { outputPresets } from "@packshot/domain/edits/tools.ts";
import { isBuiltInPreset } from "@packshot/domain/presets/account-preset.ts";
import { type EditOptions, type Packshot, PackshotError, type Tool, type ToolId } from "@packshot/sdk/packshot.ts";
import { CommandError } from "../command-line/command.ts";

export interface EditSettings {
  readonly tool: ToolId;
  readonly options: Pick<EditOptions<ToolId>, "parameters" | "preset" | "mask">;
  /** A hash of them, by which a later run knows what was done with other ones. */
  readonly hash: string;
}

/** Flags that every command that edits has. */
export const settingsFlags = {
  tool: { type: "string" },
  theme: { type: "string" },
  preset: { type: "string" },
  /** `name=value`, the name with dots. */
  set: { type: "string", multiple: true, default: [] as string[] },
  /** `name=preset`, or `name=field=value,field=value`: a file of each photo. */
  output: { type: "string", multiple: true, default: [] as string[] },
} as const;

export interface SettingsFlags {
  readonly tool?: string | undefined;
  readonly theme?: string | undefined;
  readonly preset?: string | undefined;
  readonly set: readonly string[];
  readonly output: readonly string[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Throws a CommandError for a tool, preset or parameter that there is not: else each photo would fail for it. */
export async function readEditSettings(client: Packshot, flags: SettingsFlags): Promise<EditSettings> {
  const tools = await Array.fromAsync(client.tools.list());
  const own = await findOwnPreset(client, flags.preset);
  const id = flags.tool ?? own.tool ?? (flags.theme === undefined ? "mask" : "ai-bg");
  const tool = tools.find((known) => known.id === id);
  if (tool === undefined)
    throw new CommandError(`there is no tool "${id}"; the account has ${tools.map((known) => known.id).join(", ")}.`);
  const schema = tool.parameters as Schema;
  if (flags.preset !== undefined && own.isNone) await refuseUnknownPreset(client, flags.preset, tools, tool.id);
  const parameters: Record<string, unknown> = {};
  for (const given of flags.set) setParameter(parameters, schema, tool.id, given);
  if (flags.theme !== undefined) setParameter(parameters, schema, tool.id, `theme=${flags.theme}`);
  if (flags.output.length > 0) {
    setOutputs(parameters, schema, tool.id, flags);
    await refuseUnknownOutputPresets(client, parameters.outputs as readonly OutputFlag[]);
  }
  const options = {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(flags.preset !== undefined && { preset: flags.preset }),
  };
  const hash = createHash("sha256")
    .update(JSON.stringify([tool.id, options]))
    .digest("hex");
  return { tool: tool.id, options, hash: hash.slice(0, 16) };
}

/** With the caller's own matte from a file. Another file makes another edit. */
export async function withMaskFile(settings: EditSettings, path: string): Promise<EditSettings> {
  const mask = await openMask(path);
  const hash = createHash("sha256").update(settings.hash);
  for await (const chunk of mask.stream()) hash.update(chunk);
  return { ...settings, options: { ...settings.options, mask }, hash: hash.digest("hex").slice(0, 16) };
}

export async function openMask(path: string): Promise<Blob> {
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  return await openAsBlob(path);
}

interface OwnPreset {
  /** A preset of the account's own names its tool; a marketplace's does not. */
  readonly tool?: ToolId;
  /** There is surely none of that name. A key without the scope does not see it. */
  readonly isNone?: boolean;
}

async function findOwnPreset(client: Packshot, preset: string | undefined): Promise<OwnPreset> {
  if (preset === undefined) return {};
  try {
    return { tool: (await client.presets.get(preset)).tool };
  } catch (error) {
    if (error instanceof PackshotError && error.code === "not_found") return { isNone: true };
    if (error instanceof PackshotError && error.code === "scope_missing") return {};
    throw error;
  }
}

async function refuseUnknownPreset(
  client: Packshot,
  preset: string,
  tools: readonly Tool[],
  id: ToolId,
): Promise<void> {
  const marketplaces = tools.map((tool) => ({
    tool: tool.id,
    presets: (tool.parameters as Schema).properties?.preset?.enum?.filter((name) => name !== null) ?? [],
  }));
  const having = marketplaces.find(({ presets }) => presets.includes(preset));
  if (having?.tool === id) return;
  if (having !== undefined) throw new CommandError(`the preset "${preset}" is one of ${having.tool}, not of ${id}.`);
  const own = (await Array.fromAsync(client.presets.list())).map(({ name }) => name);
  const known = [...own, ...marketplaces.flatMap(({ presets }) => presets)];
  throw new CommandError(`there is no preset "${preset}"; there are ${known.join(", ")}.`);
}

function setParameter(parameters: Record<string, unknown>, schema: Schema, tool: string, given: string): void {
  const at = given.indexOf("=");
  if (at < 1) throw new CommandError(`--set takes NAME=VALUE, as in --set output.format=webp, not "${given}".`);
  const name = given.slice(0, at);
  const value = given.slice(at + 1);
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
  const typed = typedValue(value, [found.type ?? "string"].flat(), name);
  refuseOutOfBounds(typed, found, name);
  inner[path.at(-1)!] = typed;
}

interface OutputFlag {
  readonly preset?: string;
}

/** A key without the scope does not see the account's own: then the service says so of each photo. */
async function refuseUnknownOutputPresets(client: Packshot, outputs: readonly OutputFlag[]): Promise<void> {
  for (const { preset } of outputs) {
    if (preset === undefined || isBuiltInPreset(preset) || !(await findOwnPreset(client, preset)).isNone) continue;
    const own = (await Array.fromAsync(client.presets.list())).map(({ name }) => name);
    throw new CommandError(`there is no preset "${preset}"; there are ${[...own, ...outputPresets].join(", ")}.`);
  }
}

/** Each `--output` is a file: its name, and after `=` a marketplace's preset or fields of its own, with commas between them. */
function setOutputs(
  parameters: Record<string, unknown>,
  { properties }: Schema,
  tool: string,
  { output: given, preset }: SettingsFlags,
): void {
  const file = properties?.outputs?.items;
  if (file === undefined) throw new CommandError(`${tool} of this service makes one file: it knows no --output.`);
  if (parameters.outputs !== undefined) throw new CommandError("--output and --set outputs=… say the same: give one.");
  if (preset !== undefined && properties?.preset?.enum?.includes(preset) === true)
    throw new CommandError(`--preset ${preset} makes one file: give it to a file, as in --output main=${preset}.`);
  parameters.outputs = given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1)
      throw new CommandError(`--output takes NAME=PRESET or NAME=FIELD=VALUE, as web=output.width=400, not "${text}".`);
    const fields: Record<string, unknown> = { name: text.slice(0, at) };
    for (const part of text.slice(at + 1).split(",")) {
      setParameter(fields, file, `a file of ${tool}`, part.includes("=") ? part : `preset=${part}`);
    }
    return fields;
  });
}

function refuseOutOfBounds(value: unknown, { enum: values, minimum, maximum }: Schema, name: string): void {
  if (values !== undefined && !values.includes(value))
    throw new CommandError(
      `${name} must be one of ${values.filter((known) => known !== null).join(", ")}, not "${value}".`,
    );
  if (typeof value !== "number" || (value >= (minimum ?? value) && value <= (maximum ?? value))) return;
  throw new CommandError(`${name} must be from ${minimum} to ${maximum}, not ${value}.`);
}

function typedValue(value: string, types: readonly string[], name: string): unknown {
  if (types.includes("array")) return listOf(value, name);
  if (types.includes("boolean") && /^(true|false)$/.test(value)) return value === "true";
  const isNumeric = value.trim() !== "" && Number.isFinite(Number(value));
  if ((types.includes("number") || types.includes("integer")) && isNumeric) return Number(value);
  if (types.includes("string")) return value;
  throw new CommandError(`${name} must be a ${types.filter((type) => type !== "null").join(" or ")}, not "${value}".`);
}

/** Words with commas between them, or JSON for a list of objects. */
function listOf(value: string, name: string): unknown[] {
  if (!value.trimStart().startsWith("[")) return value.split(",").map((item) => item.trim());
  try {
    return JSON.parse(value) as unknown[];
  } catch {
    throw new CommandError(`${name} must be a list as JSON, which "${value}" is not.`);
  }
}

function parameterNames(schema: Schema, prefix = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    inner.properties === undefined ? [`${prefix}${name}`] : parameterNames(inner, `${prefix}${name}.`),
  );
}
