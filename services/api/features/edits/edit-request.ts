/** Reads what an edit request names, from JSON or a multipart form: one source, the tool's parameters, metadata, a destination. */
import { assertKeyTemplate, type BucketFile } from "@packshot/domain/connections/bucket-key.ts";
import { mapPictureFiles, type PictureFileField } from "@packshot/domain/edits/pictures.ts";
import { type EditParameters, type ToolId, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { clipName } from "@packshot/domain/errors.ts";
import { readImageUrl } from "@packshot/domain/jobs/image-url.ts";
import type { Metadata } from "@packshot/domain/jobs/job.ts";
import { assertModel, type ListToolModels } from "../../catalog/tool-models.ts";
import type { Contract, ParseBody } from "../../http/contract.ts";
import type { EditForm } from "../../http/edit-form.ts";
import { unflattenFields } from "../../http/unflatten-fields.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { foldBuiltInPreset } from "../presets/preset-actions.ts";
import type { NewEdit } from "./create-edit.ts";
import type { EditSource } from "./edit-source.ts";

const metadataBytesMax = 2048;

interface EditFields {
  readonly imageUrl?: string;
  readonly uploadSessionId?: string;
  readonly parameters?: EditParameters;
  readonly preset?: string;
  readonly metadata?: Metadata;
  readonly destination?: BucketFile;
}

/** Each throws `invalid_request`. */
export interface EditRequestReader {
  fromJson(tool: ToolId, body: unknown): NewEdit;
  fromForm(tool: ToolId, form: EditForm): NewEdit;
}

export interface EditRequestReaderDeps {
  readonly contract: Contract;
  readonly models: ListToolModels;
}

export function createEditRequestReader({ contract, models }: EditRequestReaderDeps): EditRequestReader {
  const parsers = createParsers(contract);

  function check(tool: ToolId, fields: unknown, hasFile: boolean): EditFields {
    const edit = parsers[tool](fields) as EditFields;
    const sources = [edit.imageUrl, edit.uploadSessionId, hasFile || undefined].filter(
      (source) => source !== undefined,
    );
    if (sources.length === 0)
      throw invalidRequest("imageUrl or uploadSessionId is required, or the file image of a form.");
    if (sources.length > 1) throw invalidRequest("Give one source: imageUrl, uploadSessionId or the file image.");
    if (Buffer.byteLength(JSON.stringify(edit.metadata ?? {})) > metadataBytesMax) {
      throw invalidRequest(`"metadata" may have ${metadataBytesMax} bytes.`, { field: "metadata" });
    }
    if (edit.destination !== undefined) assertKeyTemplate(edit.destination.key);
    if (edit.parameters?.model !== undefined) assertModel(models, edit.parameters.model);
    return edit;
  }

  return {
    fromJson(tool, body) {
      const fields = check(tool, body, false);
      return newEdit(tool, fields, referencedSource(fields));
    },
    fromForm(tool, form) {
      const fields = check(tool, formFields(form, tool), form.file !== undefined);
      const source = form.file === undefined ? referencedSource(fields) : ({ kind: "file", ...form.file } as const);
      const files = mapPictureFiles((part, field) => {
        const file = form.pictures[part];
        if (file === undefined) return undefined;
        assertFile(tool, field, fields.parameters);
        return { kind: "file", ...file } as const;
      });
      return { ...newEdit(tool, fields, source), ...files };
    },
  };
}

/** Throws `invalid_request` for a file in the place of a parameter that the tool does not have, or that is given, too. */
function assertFile(tool: ToolId, name: PictureFileField, parameters: EditParameters = {}): void {
  if (!Object.hasOwn(tools[tool].parameters.properties as object, name)) {
    throw invalidRequest(`The tool ${tool} takes no file "${name}".`, { field: name });
  }
  if (parameters[name] === undefined) return;
  const places = name === "toneImage" ? "imageUrl, uploadSessionId and jobId" : "imageUrl and uploadSessionId";
  const message = `Give one ${name}: the file of that name, or one of its ${places}.`;
  throw invalidRequest(message, { field: name });
}

function newEdit(tool: ToolId, fields: EditFields, source: EditSource): NewEdit {
  const { parameters = {}, preset, metadata = {}, destination } = fields;
  return foldBuiltInPreset({
    tool,
    source,
    parameters,
    metadata,
    preset,
    destination,
  });
}

/** The contract's EditRequest with one tool's parameters, and without its choice of a source: `check` has clearer messages. */
function createParsers(contract: Contract): Record<ToolId, ParseBody> {
  const {
    if: _if,
    then: _then,
    else: _else,
    ...request
  } = contract.document.components.schemas.EditRequest as {
    [keyword: string]: unknown;
    properties: Record<string, object>;
  };
  const parserFor = (tool: ToolId) =>
    contract.compileBody({ ...request, properties: { ...request.properties, parameters: tools[tool].parameters } });
  return Object.fromEntries(toolIds.map((tool) => [tool, parserFor(tool)])) as Record<ToolId, ParseBody>;
}

/** The form's fields as the JSON body has them. `fromEntries` makes own members of the client's names, `__proto__` too. */
function formFields(form: EditForm, tool: ToolId): object {
  const fields = Object.entries(form.fields);
  const withPrefix = (prefix: string) =>
    fields
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, text]) => [name.slice(prefix.length), text] as const);
  const isOfEdit = (name: string) => name === "imageUrl" || name === "uploadSessionId" || name === "preset";
  const isPrefixed = (name: string) => /^(metadata|parameters|destination)(\.|$)/.test(name);
  const unprefixed = fields.filter(([name]) => !isOfEdit(name) && !isPrefixed(name));
  const parameters = unflattenFields([...unprefixed, ...withPrefix("parameters.")], tools[tool].parameters);
  const destination = mergeGiven("destination", jsonField(form, "destination"), entries(withPrefix("destination.")));
  return {
    ...Object.fromEntries(fields.filter(([name]) => isOfEdit(name))),
    parameters: mergeGiven("parameters", jsonField(form, "parameters"), parameters),
    metadata: mergeGiven("metadata", jsonField(form, "metadata"), entries(withPrefix("metadata."))),
    ...(Object.keys(destination).length === 0 ? {} : { destination }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function entries(of: readonly (readonly [string, string])[]): Fields {
  return Object.fromEntries(of);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const exampleFields = { parameters: "output.width", metadata: "metadata.sku", destination: "destination.key" };

/** All of them in one field of JSON, as clients send it that are generated from the document. */
function jsonField({ fields }: EditForm, name: keyof typeof exampleFields): Fields {
  const text = fields[name];
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Said below.
  }
  throw invalidRequest(`"${name}" must be a JSON object, or a field for each, as ${exampleFields[name]}.`, {
    field: name,
  });
}

/** What a form says twice is refused: which of both was meant is anybody's guess. */
function mergeGiven(path: string, json: Fields, flat: Fields): Fields {
  const merged = new Map(Object.entries(json));
  for (const [name, value] of Object.entries(flat)) {
    const field = clipName(`${path}.${name}`);
    // null equals absent, as in any JSON body.
    const other = merged.get(name) ?? undefined;
    if (other !== undefined && !(isFields(other) && isFields(value))) {
      throw invalidRequest(`"${field}" is given twice: in "${path.split(".")[0]}" and as a field of its own.`, {
        field,
      });
    }
    merged.set(name, isFields(other) ? mergeGiven(field, other, value as Fields) : value);
  }
  return Object.fromEntries(merged);
}

function referencedSource({ imageUrl, uploadSessionId }: EditFields): EditSource {
  if (imageUrl === undefined) return { kind: "upload", uploadId: uploadSessionId! };
  return { kind: "url", imageUrl: readImageUrl(imageUrl, "imageUrl") };
}
