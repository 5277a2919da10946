/** Turns a row as the file has it into one that can be handed out, or says what is wrong with it. */

import type { Account } from "@packshot/domain/accounts/account.ts";
import type { BucketConnection } from "@packshot/domain/connections/bucket-connection.ts";
import { type BucketFile, isBucketUrl, parseBucketUrl } from "@packshot/domain/connections/bucket-key.ts";
import { contradictionOf } from "@packshot/domain/edits/contradictions.ts";
import { assertEngine, type EngineRules, rendererOnly } from "@packshot/domain/edits/engine.ts";
import { assertPipeline } from "@packshot/domain/edits/pipeline.ts";
import { toolsOf } from "@packshot/domain/edits/rendition.ts";
import { type EditParameters, isToolId, type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import { clipName, clipText, type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { readImageUrl } from "@packshot/domain/jobs/image-url.ts";
import { sandboxProblem } from "@packshot/domain/jobs/sandbox-outcome.ts";
import { type AccountPreset, isBuiltInPreset, mergeGroup } from "@packshot/domain/presets/account-preset.ts";
import { fillOutputPresets } from "@packshot/domain/presets/output-presets.ts";
import type { Realm } from "../../../access/caller.ts";
import type { ListToolModels } from "../../../catalog/tool-models.ts";
import { invalidRequest } from "../../../http/validation-messages.ts";
import { listIndexed } from "../../../records/account-index.ts";
import type { AccountDeps } from "../../../records/commit-account.ts";
import { pictureSources } from "../../edits/edit-source.ts";
import { checkParameters } from "../../presets/tool-parameters.ts";
import type { BatchRow, FaultyRow, RowSource, ValidRow } from "../rows/row.ts";
import type { RawRow } from "./raw-row.ts";
import { columnsProblem, fieldsOf, isObject, placeOfRow, type RowFields, readDestination } from "./row-fields.ts";

export type PresetDefaults = Pick<AccountPreset, "tool" | "parameters" | "destination">;

export type UploadFault = FaultyRow["fault"];
/** By the id of the upload session. */
export type UploadFaults = Readonly<Record<string, UploadFault>>;

/** What rows are checked against. Plain data: it is handed to the thread that reads them. */
export interface RowRules {
  /** Absent: the rows are live ones, for which no photo stands for an outcome. */
  readonly live?: boolean;
  /** The default for rows that name none. */
  readonly tool: ToolId | null;
  /** The batch's, for rows of its tool; a row's own parameters come before them. */
  readonly parameters: EditParameters;
  /** Where results go of rows that name no other place. */
  readonly destination?: BucketFile | undefined;
  /** Those that the account's plan has. */
  readonly tools: readonly ToolId[];
  /** The names that `model` may have. */
  readonly models: readonly string[];
  /** Versions of the pipeline that running workers have. */
  readonly pipelines?: readonly string[];
  readonly engines?: EngineRules;
  /** Names of the account's connections. */
  readonly connections?: readonly string[];
  /** What a dry run has found of upload sessions that rows name. Absent: a batch takes them up row by row. */
  readonly uploadFaults?: UploadFaults;
  /** The account's own presets, by name. */
  readonly presets?: Readonly<Record<string, PresetDefaults>>;
}

export interface CheckedRow {
  readonly row: BatchRow;
  /** Where its result goes, unless no other row can have that place; two rows with one place are a fault of the second. */
  readonly place?: string | undefined;
}

export interface RowCheck {
  /** Says what is wrong with a CSV file's columns; undefined: nothing. */
  checkColumns(columns: readonly string[]): string | undefined;
  /** `row`: its number from 0. Throws nothing: a wrong row has a `fault`. Upload sessions are not checked. */
  check(raw: RawRow, row: number): CheckedRow;
}

const refCharactersMax = 200;
const addressCharactersMax = 2_048;
const uploadSessionCharactersMax = 100;
/** Whatever a message repeats: rows with faults are stored, and many of them are told of at once. */
const faultCharactersMax = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a ref must not have
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

export function createRowCheck(rules: RowRules): RowCheck {
  const presetOf = createPresetLookup(rules);
  const ownPresets = new Map(Object.entries(rules.presets ?? {}));
  /** Most rows have no parameters and no preset of their own. */
  const defaults = new Map<ToolId, EditParameters>();

  function toolOf(given: unknown, preset: PresetDefaults | undefined): ToolId {
    const tool = given ?? rules.tool ?? preset?.tool;
    if (tool === undefined) throw invalidRequest('"tool" is missing, in the row and in the batch.');
    if (typeof tool !== "string" || !isToolId(tool)) {
      throw invalidRequest(`"tool" must be one of ${toolIds.map((id) => JSON.stringify(id)).join(", ")}.`);
    }
    assertTool(tool);
    return tool;
  }

  function assertTool(tool: ToolId, file?: string): void {
    if (rules.tools.includes(tool)) return;
    const drawn = file === undefined ? "" : `, which draws the file "${file}"`;
    throw new PackshotError(
      "tool_not_available",
      `The account's plan does not include the tool "${tool}"${drawn}: ask the operator for one that does.`,
    );
  }

  function parametersOf(fields: RowFields, tool: ToolId, preset: PresetDefaults | undefined): EditParameters {
    const own = fields.parameters(tool);
    const isDefault = preset === undefined && (own === undefined || (isObject(own) && Object.keys(own).length === 0));
    const known = isDefault ? defaults.get(tool) : undefined;
    if (known !== undefined) return known;
    const ofBatch = rules.tool === null || rules.tool === tool ? rules.parameters : {};
    const inherited = preset === undefined ? ofBatch : mergeParameters(ofBatch, preset.parameters);
    const merged = own === undefined ? inherited : isObject(own) ? mergeParameters(inherited, own) : own;
    const parameters = fillOutputPresets(tool, checkParameters(tool, merged), ownPresets);
    if ((parameters.variations ?? 1) > 1) {
      throw invalidRequest('Rows take no "parameters.variations": give a row for each seed.');
    }
    if (parameters.layers === true) {
      throw invalidRequest('Rows take no "parameters.layers": leave it out, or make a single edit of the photo.');
    }
    const contradiction = contradictionOf(tool, parameters);
    if (contradiction !== undefined) throw invalidRequest(contradiction.message);
    for (const needed of toolsOf(tool, parameters)) assertTool(needed.tool, needed.file);
    assertModel(parameters);
    assertPipeline(rules.pipelines ?? [], parameters.pipeline);
    assertEngine(parameters, rules.engines ?? rendererOnly);
    for (const picture of Object.values(pictureSources({ parameters }))) {
      if (picture.kind === "url" && isBucketUrl(picture.imageUrl)) {
        assertConnection(parseBucketUrl(picture.imageUrl).connection);
      }
    }
    if (isDefault) defaults.set(tool, parameters);
    return parameters;
  }

  function assertModel({ model }: EditParameters): void {
    if (model === undefined || rules.models.includes(model.split("@")[0]!)) return;
    throw invalidRequest(`Model "${clipName(model)}" not found; available: ${rules.models.join(", ") || "none"}.`);
  }

  function assertConnection(name: string): void {
    if (rules.connections?.includes(name) === true) return;
    throw invalidRequest(`Connection "${clipName(name)}" not found.`);
  }

  function sourceOf({ imageUrl, uploadSessionId }: RowFields): RowSource {
    if (imageUrl !== undefined && uploadSessionId !== undefined) {
      throw invalidRequest("Give one source: imageUrl or uploadSessionId.");
    }
    if (uploadSessionId !== undefined) assertText("uploadSessionId", uploadSessionId, uploadSessionCharactersMax);
    if (typeof uploadSessionId === "string") return { kind: "upload", uploadId: uploadSessionId };
    if (imageUrl === undefined && uploadSessionId === undefined)
      throw invalidRequest('"imageUrl" or "uploadSessionId" is missing.');
    assertText("imageUrl", imageUrl, addressCharactersMax);
    const url = readImageUrl(imageUrl, "imageUrl");
    if (!isBucketUrl(url)) {
      const problem = rules.live === false ? sandboxProblem(url, {}) : undefined;
      if (problem !== undefined) throw invalidRequest(problem.message);
      return { kind: "url", imageUrl: url };
    }
    const file = parseBucketUrl(url);
    assertConnection(file.connection);
    return { kind: "connection", ...file };
  }

  function checkFields(fields: RowFields, position: { readonly row: number; readonly line: number }): CheckedRow {
    const ref = refOf(fields.ref);
    const source = sourceOf(fields);
    const preset = presetOf(fields);
    const tool = toolOf(fields.tool, preset);
    if (preset !== undefined && preset.tool !== tool) {
      throw invalidRequest(`The preset "${fields.preset as string}" is one of ${preset.tool}, not of ${tool}.`);
    }
    const parameters = parametersOf(fields, tool, preset);
    const destination = readDestination(fields.destination, preset?.destination ?? rules.destination);
    const row: ValidRow = { ...position, ref, source, tool, parameters, ...(destination && { destination }) };
    if (destination !== undefined) assertConnection(destination.connection);
    return { row, place: placeOfRow(row) };
  }

  return {
    checkColumns: columnsProblem,
    check(raw, row) {
      const position = { row, line: raw.line };
      const fields = fieldsOf(raw);
      try {
        if (raw.fault !== undefined) throw invalidRequest(raw.fault);
        if (fields === undefined) throw invalidRequest("The row is not a JSON object.");
        return checkFields(fields, position);
      } catch (error) {
        if (!(error instanceof PackshotError)) throw error;
        const { code, message } = error as { code: ErrorCode; message: string };
        const ref = typeof fields?.ref === "string" ? [...fields.ref].slice(0, refCharactersMax).join("") : "";
        return { row: { ...position, ref, fault: { code, message: clipText(message, faultCharactersMax) } } };
      }
    },
  };
}

/** The row with what is wrong with an upload session that it names, if anything. */
export function withUploadFault(row: ValidRow, uploadFaults: UploadFaults = {}): BatchRow {
  const faulty = uploadsOf(row).find((uploadId) => Object.hasOwn(uploadFaults, uploadId));
  if (faulty === undefined) return row;
  const { code, message } = uploadFaults[faulty]!;
  return { row: row.row, line: row.line, ref: row.ref, fault: { code, message } };
}

/** The upload sessions that a row names: of its photo and of its pictures. */
export function uploadsOf({ source, parameters }: ValidRow): string[] {
  const pictures = Object.values(pictureSources({ parameters }));
  return [source, ...pictures].flatMap((each) => (each.kind === "upload" ? [each.uploadId] : []));
}

/** Marketplaces' presets are a parameter of `mask`. Throws `invalid_request` for a preset that there is not. */
function createPresetLookup({ presets = {} }: RowRules) {
  return ({ preset: name, parameters }: RowFields): PresetDefaults | undefined => {
    if (name === undefined) return undefined;
    if (typeof name !== "string") throw invalidRequest('"preset" must be of type string.');
    if (!isBuiltInPreset(name)) {
      if (Object.hasOwn(presets, name)) return presets[name];
      throw invalidRequest(`Preset "${clipName(name)}" not found.`);
    }
    const own = parameters("mask");
    const other = isObject(own) ? (own.preset ?? name) : name;
    if (other === name) return { tool: "mask", parameters: { preset: name } };
    throw invalidRequest(`"preset" is ${name} and "parameters.preset" is ${clipName(String(other))}: give one.`);
  };
}

function assertText(field: string, value: unknown, charactersMax: number): asserts value is string {
  if (typeof value !== "string") throw invalidRequest(`"${field}" must be of type string.`);
  // As JSON Schema counts them, so that a file's rows have the limits of `items`: an emoji is one character.
  if (value.length > charactersMax && [...value].length > charactersMax)
    throw invalidRequest(`"${field}" has more than ${charactersMax} characters.`);
}

function refOf(ref: unknown): string {
  if (ref === undefined || ref === null || ref === "") throw invalidRequest('"ref" is missing.');
  assertText("ref", ref, refCharactersMax);
  if (controlCharacter.test(ref)) throw invalidRequest('"ref" has a control character or a line break.');
  if (ref.includes("\ufffd")) throw invalidRequest('"ref" is not valid UTF-8: save the file as UTF-8.');
  return ref;
}

/** Nested parameters, such as `output`, come before inherited ones field by field. */
function mergeParameters(inherited: object, own: object): object {
  const merged: Record<string, unknown> = { ...inherited };
  for (const [name, value] of Object.entries(own)) {
    const below = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const both = isObject(below) && isObject(value) ? mergeGroup(below, value) : value;
    Object.defineProperty(merged, name, { value: both, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

/** What the rows of an account may name, as the log has it when they are read. */
export interface RowRulesDeps extends AccountDeps {
  readonly models: ListToolModels;
  readonly pipelines: () => readonly string[];
  readonly engines: (live: boolean) => EngineRules;
}

/** All but the batch's own defaults. Presets and connections of live and test keys are apart. */
export async function readRowRules(
  deps: RowRulesDeps,
  { accountId, live }: Realm,
  { tools }: Pick<Account, "tools">,
): Promise<
  Required<Pick<RowRules, "live" | "tools" | "models" | "pipelines" | "engines" | "connections" | "presets">>
> {
  const [connections, presets] = await Promise.all([
    listIndexed<BucketConnection>(deps, accountId, "connections"),
    listIndexed<AccountPreset>(deps, accountId, "presets"),
  ]);
  const ofMode = <T extends { readonly live: boolean }>(records: readonly { readonly value: T }[]) =>
    records.map(({ value }) => value).filter((value) => value.live === live);
  return {
    live,
    tools,
    models: deps.models().map(({ name }) => name),
    pipelines: deps.pipelines(),
    engines: deps.engines(live),
    connections: ofMode(connections).map(({ name }) => name),
    presets: Object.fromEntries(
      ofMode(presets).map(({ name, tool, parameters, destination }) => [
        name,
        { tool, parameters, ...(destination && { destination }) },
      ]),
    ),
  };
}
